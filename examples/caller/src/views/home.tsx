import type { FC } from 'hono/jsx';
import type { Connection, ServiceError, SocialProvider } from 'social-account-connection-client';
import type { ProviderEntry } from 'social-account-connection-client/connect-accounts';
import type { Receipt } from '../storage.ts';
import { CONNECTION_STATUS, ERRORS, PROVIDERS } from '../texts.ts';
import { ActionForm, Avatar, DateTime, Pill, ProviderBadge } from './components.tsx';

/** An account, or the reason why the service does not return it. */
export type ShownAccount =
  | Connection
  | { readonly id: string; readonly provider: SocialProvider; readonly refusal: ServiceError };

export const getAccountName = (account: Pick<Connection, 'provider' | 'profile'>): string =>
  account.profile?.displayName ?? account.profile?.handle ?? `Account at ${PROVIDERS[account.provider].name}`;

export const Welcome: FC<{ canSignIn: boolean }> = ({ canSignIn }) => (
  <section class="hero">
    <div>
      <h1>All your posts and metrics in one place</h1>
      <p class="lead">
        Connect your accounts at YouTube, TikTok and Instagram, and see your posts and metrics side by side. Disconnect
        at any time and get a receipt.
      </p>
      {canSignIn ? (
        <ActionForm action="/sign-in" label="Sign in to begin" kind="main" />
      ) : (
        <p class="callout wait">Sign-in is temporarily unavailable. Please try again later.</p>
      )}
    </div>
    <Illustration />
    <ul class="points">
      <li>
        <strong>You choose</strong>
        <span>Choose the permissions for each account.</span>
      </li>
      <li>
        <strong>You see the reason</strong>
        <span>We tell you what is missing and how to fix it.</span>
      </li>
      <li>
        <strong>You can leave</strong>
        <span>A disconnect stops access at once and erases your data.</span>
      </li>
    </ul>
  </section>
);

/** A sketch of the account page. */
const Illustration = () => (
  <svg viewBox="0 0 400 300" aria-hidden="true">
    <rect class="sheet" x="30" y="8" width="340" height="170" rx="18" />
    {[0.35, 0.5, 0.42, 0.7, 0.58, 0.86, 0.74, 1].map((part, index) => (
      <rect class="count" x={56 + index * 37} y={158 - part * 110} width="24" height={part * 110} rx="5" />
    ))}
    {['first', 'second', 'third'].map((order, index) => (
      <>
        <rect class="sheet" x={30 + index * 118} y="196" width="104" height="96" rx="14" />
        <rect class="tint" x={40 + index * 118} y="206" width="84" height="44" rx="8" />
        <circle class={order} cx={52 + index * 118} cy="270" r="10" />
        <rect class="line" x={68 + index * 118} y="261" width="50" height="6" rx="3" />
        <rect class="line" x={68 + index * 118} y="273" width="34" height="6" rx="3" />
      </>
    ))}
  </svg>
);

export const Home: FC<{
  accounts: readonly ShownAccount[];
  available: readonly SocialProvider[];
  receipts: readonly Receipt[];
}> = ({ accounts, available, receipts }) => (
  <>
    <h1>Your accounts</h1>
    <div id="accounts" data-live="">
      {accounts.length === 0 ? (
        <p class="soft">You have no accounts yet. Connect the first one below.</p>
      ) : (
        <ul class="accounts">
          {accounts.map((account) => (
            <li>
              <AccountCard account={account} />
            </li>
          ))}
        </ul>
      )}
    </div>
    <section aria-labelledby="add">
      <h2 id="add">Connect an account</h2>
      <div id="choices" data-live="">
        <connect-accounts action="/connect" providers={JSON.stringify(listChoices(accounts, available))}>
          {/* Shown without scripts. */}
          <ul class="providers">
            {(Object.keys(PROVIDERS) as SocialProvider[]).map((provider) => (
              <li>
                <ProviderChoice provider={provider} isAvailable={available.includes(provider)} />
              </li>
            ))}
          </ul>
        </connect-accounts>
      </div>
    </section>
    {receipts.length > 0 && (
      <section aria-labelledby="gone">
        <h2 id="gone">Disconnected in the last seven days</h2>
        <ul class="lines">
          {receipts.map(({ connectionId, provider, name, at }) => (
            <li>
              <ProviderBadge provider={provider} />
              <a href={`/receipts/${connectionId}`}>
                <bdi>{name}</bdi>
              </a>
              <span class="soft">
                <DateTime instant={at} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);

/**
 * The entries of `<connect-accounts>`: each account that needs a reconnect, and each provider, with the accounts that are
 * connected there.
 */
function listChoices(accounts: readonly ShownAccount[], available: readonly SocialProvider[]): ProviderEntry[] {
  const needsReconnect = (account: ShownAccount) =>
    'refusal' in account ? account.refusal.code === 'RECONNECT_REQUIRED' : account.status === 'RECONNECT_REQUIRED';
  const ended = accounts.filter(needsReconnect).map((account) => ({
    provider: account.provider,
    name: PROVIDERS[account.provider].name,
    state: 'RECONNECT_REQUIRED' as const,
    connectionId: account.id,
    ...('refusal' in account ? {} : { account: getAccountName(account) }),
  }));
  const providers = (Object.keys(PROVIDERS) as SocialProvider[]).map((provider) => {
    const entry = { provider, name: PROVIDERS[provider].name };
    const canConnect = available.includes(provider);
    const connected = accounts.flatMap((account) =>
      account.provider === provider && !('refusal' in account) && account.status === 'CONNECTED'
        ? [getAccountName(account)]
        : [],
    );
    if (connected.length > 0) {
      return { ...entry, state: 'CONNECTED' as const, account: connected.join(', '), canAddAccount: canConnect };
    }
    return { ...entry, state: canConnect ? ('READY' as const) : ('NOT_CONFIGURED' as const) };
  });
  return [...ended, ...providers];
}

const AccountCard: FC<{ account: ShownAccount }> = ({ account }) => {
  const name = 'refusal' in account ? `Account at ${PROVIDERS[account.provider].name}` : getAccountName(account);
  return (
    <a class="card account" href={`/connections/${account.id}`}>
      <Avatar url={'refusal' in account ? null : account.profile?.avatarUrl} name={name} />
      <span class="grow">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="soft">
          <ProviderBadge provider={account.provider} /> {PROVIDERS[account.provider].name}
        </span>
      </span>
      {'refusal' in account ? (
        <Pill mood="bad">{ERRORS[account.refusal.code].title}</Pill>
      ) : (
        <Pill mood={CONNECTION_STATUS[account.status].mood}>{CONNECTION_STATUS[account.status].name}</Pill>
      )}
    </a>
  );
};

const ProviderChoice: FC<{ provider: SocialProvider; isAvailable: boolean }> = ({ provider, isAvailable }) => {
  const { name, about, slug } = PROVIDERS[provider];
  const inside = (
    <>
      <ProviderBadge provider={provider} />
      <span class="grow">
        <strong>{name}</strong>
        <span class="soft">{isAvailable ? about : 'Temporarily unavailable'}</span>
      </span>
    </>
  );
  return isAvailable ? (
    <a class="card provider" href={`/connect/${slug}`}>
      {inside}
      <span class="go" aria-hidden="true">
        +
      </span>
    </a>
  ) : (
    <div class="card provider off">{inside}</div>
  );
};

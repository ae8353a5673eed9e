import { html } from 'hono/html';
import {
  type Connection,
  type ErrorCode,
  eachConnection,
  ServiceError,
  type SocialProvider,
} from 'social-account-connection-client';
import type { ProviderEntry } from 'social-account-connection-client/connect-accounts';
import { actionForm, avatar, badge, dateTime, live, pill } from '../components.ts';
import { catchRefusal, newRoutes, type Studio, type StudioContext } from '../context.ts';
import { renderPage } from '../layout.ts';
import type { KnownAccount, Receipt } from '../storage.ts';
import { ALL_PROVIDERS, CONNECTION_STATUS, ERRORS, getAccountName, PROVIDERS } from '../texts.ts';
import { DAY_MS } from '../window.ts';

const ACCOUNTS_PER_PAGE = 50;
const RECEIPT_DAYS = 7;
const RECENT_MS = 5_000;

/** An account, or the reason why the service does not return it. */
type ShownAccount =
  | Connection
  | { readonly id: string; readonly provider: SocialProvider; readonly refusal: ServiceError };

/** The codes with which the service refuses a whole list because of one account. */
const SINGLE_ACCOUNT_CODES: readonly ErrorCode[] = [
  'FORBIDDEN',
  'CAPABILITY_UNAVAILABLE',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
];

/** The start page: the welcome, or the accounts of the signed-in user. */
export function homeRoutes({ service, storage }: Studio) {
  const routes = newRoutes();
  const readReadiness = () => catchRefusal(service.integrationReadiness());
  // Anyone can request this page, and all requests share the rate limit of one app.
  let recent: { answer: ReturnType<typeof readReadiness>; atMs: number } | undefined;
  const readRecentReadiness = () => {
    if (recent === undefined || Date.now() - recent.atMs > RECENT_MS) {
      recent = { answer: readReadiness(), atMs: Date.now() };
    }
    return recent.answer;
  };

  routes.get('/', async (c) => {
    const { me } = c.get('visit');
    if (me === undefined) {
      const answer = await readRecentReadiness();
      const canSignIn = !(answer instanceof ServiceError) && answer.idpIdentityAvailable;
      return renderPage(c, { title: 'Welcome' }, welcome(canSignIn));
    }
    const [answer, accounts] = await Promise.all([readReadiness(), listAccounts(me)]);
    const receipts = me.user.receipts.filter(({ at }) => Date.parse(at) > Date.now() - RECEIPT_DAYS * DAY_MS);
    const open = answer instanceof ServiceError ? [] : answer.providers;
    const available = ALL_PROVIDERS.filter((name) => open.some((one) => one.provider === name && one.available));
    return renderPage(c, { title: 'Your accounts' }, home(accounts, available, receipts));
  });

  /**
   * Lists all accounts of one user. The service refuses the whole list if one account fails its check. Then this function
   * reads the stored accounts one by one, so that the page still shows the others.
   */
  async function listAccounts({ user, scope }: NonNullable<StudioContext['var']['visit']['me']>) {
    const listed = await catchRefusal(listAll());
    if (!(listed instanceof ServiceError)) {
      const known = listed.map(({ id, provider }) => ({ connectionId: id, provider }));
      storage.replaceAccounts(user, known);
      return listed;
    }
    if (!SINGLE_ACCOUNT_CODES.includes(listed.code) || user.accounts.length === 0) throw listed;
    const shown = await Promise.all(user.accounts.map(readOne));
    return shown.filter((account) => account !== undefined);

    async function listAll(): Promise<Connection[]> {
      const accounts: Connection[] = [];
      const pages = eachConnection(service, { scope, first: ACCOUNTS_PER_PAGE });
      for await (const account of pages) accounts.push(account);
      return accounts;
    }
    async function readOne({ connectionId: id, provider }: KnownAccount): Promise<ShownAccount | undefined> {
      const answer = await catchRefusal(service.connection({ scope, id }));
      if (!(answer instanceof ServiceError)) return answer;
      return answer.code === 'NOT_FOUND' ? undefined : { id, provider, refusal: answer };
    }
  }

  return routes;
}

const POINTS = {
  'You choose': 'Choose the permissions for each account.',
  'You see the reason': 'We tell you what is missing and how to fix it.',
  'You can leave': 'A disconnect stops access at once and erases your data.',
};

const welcome = (canSignIn: boolean) =>
  html`<section class="hero">
    <div>
      <h1>All your posts and metrics in one place</h1>
      <p class="lead">
        Connect your accounts at YouTube, TikTok and Instagram, and see your posts and metrics side by side. Disconnect
        at any time and get a receipt.
      </p>
      ${
        canSignIn
          ? actionForm('/sign-in', 'Sign in to begin', { kind: 'main' })
          : html`<p class="callout wait">Sign-in is temporarily unavailable. Please try again later.</p>`
      }
    </div>
    ${illustration()}
    <ul class="points">
      ${Object.entries(POINTS).map(
        ([title, text]) => html`<li class="card"><strong>${title}</strong> <span class="soft">${text}</span></li>`,
      )}
    </ul>
  </section>`;

/** A sketch of the account page. */
function illustration() {
  const bars = [0.35, 0.5, 0.42, 0.7, 0.58, 0.86, 0.74, 1].map(
    (part, index) =>
      html`<rect class="count" x="${56 + index * 37}" y="${158 - part * 110}" width="24" height="${part * 110}" rx="5" />`,
  );
  const cards = ALL_PROVIDERS.map(
    (provider, index) =>
      html`<g transform="translate(${index * 118})">
        <rect class="sheet" x="30" y="196" width="104" height="96" rx="14" />
        <rect class="tint" x="40" y="206" width="84" height="44" rx="8" />
        <circle class="${provider}" cx="52" cy="270" r="10" />
        <path class="line" d="M70 264h48M70 276h32" />
      </g>`,
  );
  return html`<svg viewBox="0 0 400 300" aria-hidden="true">
    <rect class="sheet" x="30" y="8" width="340" height="170" rx="18" />${bars} ${cards}
  </svg>`;
}

function home(accounts: readonly ShownAccount[], available: readonly SocialProvider[], receipts: readonly Receipt[]) {
  const cards = html`<ul class="accounts">${accounts.map((account) => html`<li>${accountCard(account)}</li>`)}</ul>`;
  const none = html`<p class="soft">You have no accounts yet. Connect the first one below.</p>`;
  const gone = receipts.map(
    ({ connectionId, provider, name, at }) =>
      html`<li>
        ${badge(provider)} <a href="/receipts/${connectionId}"><bdi>${name}</bdi></a> <small>${dateTime(at)}</small>
      </li>`,
  );
  return html`<h1>Your accounts</h1>
    ${live('accounts', accounts.length === 0 ? none : cards)}
    <section>
      <h2>Connect an account</h2>
      ${live('choices', choices(accounts, available))}
    </section>
    ${
      gone.length > 0 &&
      html`<section><h2>Disconnected in the last seven days</h2><ul class="states">${gone}</ul></section>`
    }`;
}

/** The element, and what it shows without scripts. */
const choices = (accounts: readonly ShownAccount[], available: readonly SocialProvider[]) =>
  html`<connect-accounts action="/connect" providers="${JSON.stringify(listChoices(accounts, available))}">
    <ul class="accounts">
      ${ALL_PROVIDERS.map((provider) => html`<li>${providerCard(provider, available.includes(provider))}</li>`)}
    </ul>
  </connect-accounts>`;

/** The entries of `<connect-accounts>`: each account that needs a reconnect, and each provider with its accounts. */
function listChoices(accounts: readonly ShownAccount[], available: readonly SocialProvider[]): ProviderEntry[] {
  const ended = accounts
    .filter((one) => ('refusal' in one ? one.refusal.code : one.status) === 'RECONNECT_REQUIRED')
    .map((account) => ({
      provider: account.provider,
      name: PROVIDERS[account.provider].name,
      state: 'RECONNECT_REQUIRED' as const,
      connectionId: account.id,
      ...('refusal' in account ? {} : { account: getAccountName(account) }),
    }));
  const providers = ALL_PROVIDERS.map((provider) => {
    const entry = { provider, name: PROVIDERS[provider].name };
    const canAddAccount = available.includes(provider);
    const account = accounts
      .filter((one) => 'status' in one && one.provider === provider && one.status === 'CONNECTED')
      .map((one) => getAccountName(one as Connection))
      .join(', ');
    if (account !== '') return { ...entry, state: 'CONNECTED' as const, account, canAddAccount };
    return { ...entry, state: canAddAccount ? ('READY' as const) : ('NOT_CONFIGURED' as const) };
  });
  return [...ended, ...providers];
}

function accountCard(account: ShownAccount) {
  const { id, provider } = account;
  const profile = 'refusal' in account ? null : account.profile;
  const name = getAccountName({ provider, profile });
  return html`<a class="card account" href="/connections/${id}">
    ${avatar(profile?.avatarUrl, name)}
    <span class="grow">
      <strong><bdi>${name}</bdi></strong> <span class="soft">${badge(provider)} ${PROVIDERS[provider].name}</span>
    </span>
    ${pill('refusal' in account ? { mood: 'bad', name: ERRORS[account.refusal.code].title } : CONNECTION_STATUS[account.status])}
  </a>`;
}

function providerCard(provider: SocialProvider, isAvailable: boolean) {
  const { name, about, slug } = PROVIDERS[provider];
  return html`<a class="card" ${isAvailable && html`href="/connect/${slug}"`}>
    ${badge(provider)}
    <span class="grow">
      <strong>${name}</strong> <span class="soft">${isAvailable ? about : 'Temporarily unavailable'}</span>
    </span>
  </a>`;
}

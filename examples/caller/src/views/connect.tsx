import type { FC } from 'hono/jsx';
import type { Capability, ConnectResultQuery, SocialProvider } from '../generated/service.ts';
import { CAPABILITIES, describeResult, PROVIDERS } from '../texts.ts';
import { ProviderBadge, RemoveAppNote } from './components.tsx';

export const ALL_CAPABILITIES = Object.keys(CAPABILITIES) as Capability[];

/** What to ask for, one tick each. */
export const CapabilityForm: FC<{
  provider: SocialProvider;
  chosen: readonly Capability[];
  reconnectConnectionId: string | undefined;
  fault: string | undefined;
}> = ({ provider, chosen, reconnectConnectionId, fault }) => {
  const { name, slug } = PROVIDERS[provider];
  return (
    <section class="card narrow">
      <ProviderBadge provider={provider} />
      <h1>{reconnectConnectionId === undefined ? `Connect ${name}` : `Reconnect ${name}`}</h1>
      <p class="soft">Choose what Demo Studio may see. {name} will ask you to confirm it.</p>
      {fault !== undefined && (
        <p class="callout bad" role="alert" id="fault">
          {fault}
        </p>
      )}
      <form method="post" action={`/connect/${slug}`}>
        {reconnectConnectionId !== undefined && <input type="hidden" name="reconnect" value={reconnectConnectionId} />}
        <fieldset aria-describedby={fault === undefined ? undefined : 'fault'}>
          <legend class="hidden">What Demo Studio may see</legend>
          {ALL_CAPABILITIES.map((capability) => (
            <label class="choice">
              <input type="checkbox" name="capability" value={capability} checked={chosen.includes(capability)} />
              <span>
                {CAPABILITIES[capability].name}
                <small>{CAPABILITIES[capability].about}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" class="main wide">
          Continue to {name}
        </button>
      </form>
      <p class="after">
        <a href={reconnectConnectionId === undefined ? '/' : `/connections/${reconnectConnectionId}`}>Not now</a>
      </p>
    </section>
  );
};

/** How a try to connect ended without an account. */
export const NotConnected: FC<{
  result: ConnectResultQuery['connectSessionResult'];
  retry: string;
  appsUrl: string | undefined;
}> = ({ result, retry, appsUrl }) => (
  <section class="card narrow">
    <ProviderBadge provider={result.provider} />
    <h1>{result.status === 'DENIED' ? 'Not connected' : 'That did not work out'}</h1>
    <p>{describeResult(result.resultCode)}</p>
    {result.creatorAction !== null && <RemoveAppNote provider={result.provider} appsUrl={appsUrl} />}
    <div class="row">
      <a class="button main" href={retry}>
        Try again
      </a>
      <a class="button" href="/">
        Back to your accounts
      </a>
    </div>
  </section>
);

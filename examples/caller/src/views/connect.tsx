import type { FC } from 'hono/jsx';
import type { Capability, ConnectSessionResult, SocialProvider } from 'social-account-connection-client';
import { CAPABILITIES, describeResult, PROVIDERS } from '../texts.ts';
import { ProviderBadge, RemoveAppNote } from './components.tsx';
import { ALL_CAPABILITIES, joinNames } from './permissions.tsx';

/** The form with one checkbox for each capability. */
export const CapabilityForm: FC<{
  provider: SocialProvider;
  chosen: readonly Capability[];
  reconnectConnectionId: string | undefined;
  error: string | undefined;
}> = ({ provider, chosen, reconnectConnectionId, error }) => {
  const { name, slug } = PROVIDERS[provider];
  return (
    <section class="card narrow">
      <ProviderBadge provider={provider} />
      <h1>{reconnectConnectionId === undefined ? `Connect ${name}` : `Reconnect ${name}`}</h1>
      <p class="soft">Choose the permissions for Demo Studio. {name} asks you to confirm them.</p>
      {error !== undefined && (
        <p class="callout bad" role="alert" id="error">
          {error}
        </p>
      )}
      <form method="post" action={`/connect/${slug}`}>
        {reconnectConnectionId !== undefined && <input type="hidden" name="reconnect" value={reconnectConnectionId} />}
        <fieldset aria-describedby={error === undefined ? undefined : 'error'}>
          <legend class="hidden">Permissions for Demo Studio</legend>
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
        <a href={reconnectConnectionId === undefined ? '/' : `/connections/${reconnectConnectionId}`}>Cancel</a>
      </p>
    </section>
  );
};

/** Shows why an attempt did not connect an account. */
export const NotConnected: FC<{
  result: ConnectSessionResult;
  /** The permissions that the attempt asked for. */
  asked: readonly Capability[];
  retry: string;
  appsUrl: string | undefined;
}> = ({ result, asked, retry, appsUrl }) => (
  <section class="card narrow">
    <ProviderBadge provider={result.provider} />
    <h1>{result.status === 'DENIED' ? 'Not connected' : 'Connection failed'}</h1>
    <p>{describeResult(result.resultCode)}</p>
    {result.resultCode === 'MISSING_PERMISSION' && (
      <p>
        We asked for: {joinNames(asked)}. Allow at least one of them on the page of {PROVIDERS[result.provider].name}.
      </p>
    )}
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

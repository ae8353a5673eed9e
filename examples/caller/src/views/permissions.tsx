import type { FC } from 'hono/jsx';
import type { Availability, Capability, Connection } from 'social-account-connection-client';
import { AVAILABILITY, CAPABILITIES, describeReason, PROVIDERS } from '../texts.ts';
import { Pill } from './components.tsx';

export const ALL_CAPABILITIES = Object.keys(CAPABILITIES) as Capability[];

export const getReconnectUrl = ({ id, provider }: Pick<Connection, 'id' | 'provider'>): string =>
  `/connect/${PROVIDERS[provider].slug}?reconnect=${encodeURIComponent(id)}`;

/**
 * Lists the permissions that only the person can give: never granted, or withdrawn since. The service lists only the
 * capabilities that the person granted when they last connected the account.
 */
export const listUngranted = ({ capabilities }: Pick<Connection, 'capabilities'>): Capability[] =>
  ALL_CAPABILITIES.filter((name) => {
    const state = capabilities.find(({ capability }) => capability === name);
    return state === undefined || state.availability === 'NOT_GRANTED';
  });

/** Joins the names of permissions for a sentence. */
export const joinNames = (capabilities: readonly Capability[]): string =>
  capabilities.map((name) => CAPABILITIES[name].name).join(', ');

/** Whether the service can read this capability of the account now. */
export const canRead = (account: Connection, capability: Capability): boolean =>
  account.status === 'CONNECTED' &&
  account.capabilities.some((state) => state.capability === capability && state.availability === 'AVAILABLE');

/** In the place of what the account's missing permission would show. Nothing if only time or we can help. */
export const MissingPermission: FC<{ account: Connection; capability: Capability }> = ({ account, capability }) =>
  account.status === 'CONNECTED' && listUngranted(account).includes(capability) ? (
    <p class="callout wait">
      <strong>{CAPABILITIES[capability].name}: not allowed.</strong> You did not grant this permission at{' '}
      {PROVIDERS[account.provider].name}, or removed it there.{' '}
      <a href={getReconnectUrl(account)}>Reconnect to allow it</a>
    </p>
  ) : null;

/** The capabilities with their status, including those that the person has not granted. */
export const Capabilities: FC<{ account: Connection }> = ({ account }) => {
  const ungranted = listUngranted(account);
  const listed = account.capabilities.map(({ capability }) => capability);
  return (
    <section class="card" aria-labelledby="capabilities">
      <h2 id="capabilities">Permissions</h2>
      <ul class="states">
        {account.capabilities.map(({ capability, availability, reason }) => (
          <CapabilityItem
            capability={capability}
            availability={availability}
            note={availability === 'AVAILABLE' ? undefined : describeReason(reason)}
          />
        ))}
        {ungranted
          .filter((capability) => !listed.includes(capability))
          .map((capability) => (
            <CapabilityItem capability={capability} availability="NOT_GRANTED" note={undefined} />
          ))}
      </ul>
      {ungranted.length > 0 && account.status === 'CONNECTED' && (
        <p>
          <a href={getReconnectUrl(account)}>Grant missing permissions</a>
        </p>
      )}
    </section>
  );
};

const CapabilityItem: FC<{ capability: Capability; availability: Availability; note: string | undefined }> = (
  props,
) => (
  <li>
    <span>
      {CAPABILITIES[props.capability].name}
      {props.note !== undefined && <small>{props.note}</small>}
    </span>
    <Pill mood={AVAILABILITY[props.availability].mood}>{AVAILABILITY[props.availability].name}</Pill>
  </li>
);

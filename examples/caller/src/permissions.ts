import { html } from 'hono/html';
import type { Capability, Connection } from 'social-account-connection-client';
import { callout, type Html, list, pill } from './components.ts';
import { ALL_CAPABILITIES, AVAILABILITY, CAPABILITIES, describeReason, PROVIDERS } from './texts.ts';

export const getReconnectUrl = ({ id, provider }: Pick<Connection, 'id' | 'provider'>): string =>
  `/connect/${PROVIDERS[provider].slug}?reconnect=${encodeURIComponent(id)}`;

const findState = ({ capabilities }: Connection, name: Capability) =>
  capabilities.find(({ capability }) => capability === name);

/** Permissions that only the person can give: withdrawn, or never granted. The service does not list those at all. */
export const listUngranted = (account: Connection): Capability[] =>
  ALL_CAPABILITIES.filter((name) => (findState(account, name)?.availability ?? 'NOT_GRANTED') === 'NOT_GRANTED');

export const joinNames = (names: readonly Capability[]): string =>
  names.map((name) => CAPABILITIES[name].name).join(', ');

/** Whether the service can read this capability of the account now. */
export const canRead = (account: Connection, name: Capability): boolean =>
  account.status === 'CONNECTED' && findState(account, name)?.availability === 'AVAILABLE';

/** Stands in for the data of a missing permission. Nothing if the person cannot help. */
export const missingPermission = (account: Connection, capability: Capability): Html =>
  account.status === 'CONNECTED' &&
  listUngranted(account).includes(capability) &&
  callout(
    'wait',
    html`<strong>${CAPABILITIES[capability].name}: not allowed.</strong> You did not grant this permission at
      ${PROVIDERS[account.provider].name}, or removed it there.
      <a href="${getReconnectUrl(account)}">Reconnect to allow it</a>`,
  );

export function permissionsCard(account: Connection) {
  const ungranted = listUngranted(account);
  const listed = account.capabilities.map(({ capability }) => capability);
  const states = [...new Set([...listed, ...ungranted])].map((name) => {
    const { availability, reason } = findState(account, name) ?? { availability: 'NOT_GRANTED' as const };
    const note =
      availability !== 'AVAILABLE' &&
      reason !== undefined &&
      html`<small>${describeReason(reason, account.provider)}</small>`;
    return html`<span>${CAPABILITIES[name].name}${note}</span>${pill(AVAILABILITY[availability])}`;
  });
  const grant = html`<a href="${getReconnectUrl(account)}">Grant missing permissions</a>`;
  const canGrant = ungranted.length > 0 && account.status === 'CONNECTED';
  return html`<article><h2>Permissions</h2>${list('states', states)}${canGrant && grant}</article>`;
}

import { type Capability, type ConnectionStatus, isGrantedConnection, type ReadJobKind } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { AppId, ScopeId } from '../../basics/ids.ts';
import type { ConnectionWithFacts } from '../../store/connections/connections.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { findScope, type SubjectScope } from '../../store/scopes.ts';
import type { CallerDenial, Denial } from './denial.ts';

/**
 * @returns the scope's id, or undefined if the scope has never been used and so has no connections.
 * @throws ServiceError `FORBIDDEN` if the tenant is not registered for the app.
 */
export async function requireTenant(sql: Sql, appId: AppId, scope: SubjectScope): Promise<ScopeId | undefined> {
  const { tenantRegistered, scopeId } = await findScope(sql, appId, scope);
  if (!tenantRegistered) throw createTenantError();
  return scopeId;
}

export const createTenantError = (): ServiceError =>
  new ServiceError('FORBIDDEN', 'The tenant is not registered for this app.');

/** @throws ServiceError `FORBIDDEN` when the tenant is not one of the app's, `NOT_FOUND` when the connection is missing. */
export function requireFound<Found>(found: {
  readonly tenantRegistered: boolean;
  readonly connection: Found | undefined;
}): Found {
  if (!found.tenantRegistered) throw createTenantError();
  if (found.connection === undefined) throw new ServiceError('NOT_FOUND', 'There is no such connection.');
  return found.connection;
}

/** Why a connection may not be read or used. */
export type ReadDenial = CallerDenial<
  'NotAllowed' | 'Paused' | 'GrantDead' | 'NotWanted',
  'FORBIDDEN' | 'CAPABILITY_UNAVAILABLE' | 'AUTHORIZATION_SUSPENDED' | 'RECONNECT_REQUIRED' | 'DISCONNECT_IN_PROGRESS'
>;

const NOT_ALLOWED: ReadDenial = {
  code: 'FORBIDDEN',
  message: "The app's policy no longer allows its tenant, its provider or one of its capabilities.",
  reason: 'NotAllowed',
};
const NOT_SERVED: ReadDenial = {
  code: 'CAPABILITY_UNAVAILABLE',
  message: 'Its provider registration no longer serves the app.',
  reason: 'NotAllowed',
};
const PAUSED: ReadDenial = {
  code: 'AUTHORIZATION_SUSPENDED',
  message: 'Its provider registration is paused. Try again later.',
  reason: 'Paused',
};
const ENDED: ReadDenial = {
  code: 'RECONNECT_REQUIRED',
  message: 'Its grant has ended. Create a Connect session with it as reconnectConnectionId.',
  reason: 'GrantDead',
};
const LEAVING: ReadDenial = {
  code: 'DISCONNECT_IN_PROGRESS',
  message: 'It is being disconnected, and its data can no longer be read.',
  reason: 'NotWanted',
};
const ON_HOLD: ReadDenial = {
  code: 'AUTHORIZATION_SUSPENDED',
  message: 'It is suspended until another disconnect has settled. Try again later.',
  reason: 'Paused',
};
const BY_STATUS: Readonly<Record<Exclude<ConnectionStatus, 'CONNECTED'>, ReadDenial>> = {
  SUSPENDED: ON_HOLD,
  RECONNECT_REQUIRED: ENDED,
  DISCONNECTED: LEAVING,
  DELETING: LEAVING,
};

type Judged = Pick<ConnectionWithFacts, 'connectionId' | 'status' | 'accessFacts' | 'capabilities'>;

/**
 * Finds why a CONNECTED one may not be read, or used for any of the capabilities. The order is part of the contract.
 * Ignores its status.
 */
function checkFacts(connection: Judged, anyOf?: readonly Capability[]): ReadDenial | undefined {
  const { accessFacts, capabilities } = connection;
  const allowed = accessFacts.allowedCapabilities;
  if (!accessFacts.appEnabled || !accessFacts.tenantRegistered || allowed === null) return NOT_ALLOWED;
  if (!capabilities.every(({ capability }) => allowed.includes(capability))) return NOT_ALLOWED;
  if (!accessFacts.registrationServes) return NOT_SERVED;
  if (anyOf !== undefined && !anyOf.some((capability) => isAvailable(connection, capability))) {
    return { code: 'CAPABILITY_UNAVAILABLE', message: describeMissing(capabilities, anyOf), reason: 'NotAllowed' };
  }
  if (accessFacts.registrationPaused) return PAUSED;
  if (!accessFacts.grantLive) return ENDED;
  return undefined;
}

/** Waiting does not bring a capability that the person did not allow, or the app did not request. */
function describeMissing(capabilities: Judged['capabilities'], anyOf: readonly Capability[]): string {
  const needed = anyOf.join(' or ');
  return capabilities.some(({ capability }) => anyOf.includes(capability))
    ? `This needs ${needed}, which is not available now.`
    : `This needs ${needed}, which was not granted. Create a Connect session with it as reconnectConnectionId.`;
}

/**
 * Whether a connection can be used now to read its posts or to run a scan, a refresh or a lookup.
 * @returns undefined if it can
 * @param anyOf the connection needs one of these capabilities; without it, none is required.
 */
export const mayRead = (connection: Judged, anyOf?: readonly Capability[]): ReadDenial | undefined =>
  connection.status === 'CONNECTED' ? checkFacts(connection, anyOf) : BY_STATUS[connection.status];

/**
 * Whether the account of a connection may be read now. A suspended one is read to verify its grant.
 * @param connection undefined if it is gone.
 */
export const mayReadAccount = (connection: Judged | undefined): Denial<ReadDenial['reason']> | undefined =>
  isGrantedConnection(connection?.status) ? checkFacts(connection) : BY_STATUS[connection?.status ?? 'DELETING'];

const refuse = ({ connectionId }: Judged, { code, message }: ReadDenial): never => {
  throw new ServiceError(code, `Connection ${connectionId}: ${message}`, { connectionId });
};

/**
 * Checks every read of a connection's row. Only a CONNECTED one can fail.
 * @throws ServiceError `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED` or `RECONNECT_REQUIRED`, in
 * this order.
 */
export function requireReadable(connection: Judged): void {
  const denied = connection.status === 'CONNECTED' ? checkFacts(connection) : undefined;
  if (denied !== undefined) refuse(connection, denied);
}

/**
 * Checks every use of a connection.
 * @param anyOf the connection needs one of these capabilities.
 * @throws ServiceError as `requireReadable`; `CAPABILITY_UNAVAILABLE` also if none of the capabilities is available;
 * and `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED` or `DISCONNECT_IN_PROGRESS` by status.
 */
export function requireUsable(connection: Judged, anyOf: readonly Capability[]): void {
  const denied = mayRead(connection, anyOf);
  if (denied !== undefined) refuse(connection, denied);
}

/** The capability that each kind of job needs. */
export const JOB_CAPABILITIES = {
  SCAN: 'CONTENT_LIST',
  METRICS: 'CONTENT_METRICS',
  LOOKUP: 'CONTENT_LOOKUP',
} as const satisfies Record<ReadJobKind, Capability>;

/** @returns true if a capability was granted and can be used now. */
export const isAvailable = (
  { capabilities }: Pick<ConnectionWithFacts, 'capabilities'>,
  capability: Capability,
): boolean => capabilities.some((state) => state.capability === capability && state.availability === 'AVAILABLE');

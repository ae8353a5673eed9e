import { type ErrorCode, ServiceError } from '../../errors.ts';
import type { AppId, ScopeId } from '../../ids.ts';
import type { Capability } from '../../providers/provider.ts';
import type { CapabilityState, StandingConnection } from '../../store/connections.ts';
import { readScope, type SubjectScope } from '../../store/scopes.ts';
import type { Sql } from '../../store/sql.ts';
import { type Fault, faultOf } from '../../store/standing.ts';

/**
 * @returns the scope's row, or undefined where nothing has been done in it yet: its connections are as missing as all.
 * @throws ServiceError `FORBIDDEN` when the tenant is not one of the app's.
 */
export async function permitScope(sql: Sql, appId: AppId, scope: SubjectScope): Promise<ScopeId | undefined> {
  const { tenantRegistered, scopeId } = await readScope(sql, appId, scope);
  if (!tenantRegistered) throw tenantNotRegistered();
  return scopeId;
}

export const tenantNotRegistered = (): ServiceError =>
  new ServiceError('FORBIDDEN', 'The tenant is not registered for this app.');

/** What a fault of a CONNECTED connection means for whoever meets it. */
const FAULTS: Record<Fault, string> = {
  FORBIDDEN: "The app's policy no longer allows its tenant, its provider or one of its capabilities.",
  CAPABILITY_UNAVAILABLE: 'The provider registration it was made with no longer serves the app.',
  AUTHORIZATION_SUSPENDED: 'The provider registration it was made with is paused. Try again later.',
  RECONNECT_REQUIRED: 'Its grant has ended. Create a Connect session with it as reconnectConnectionId.',
};

const about = ({ connectionId }: StandingConnection, code: ErrorCode, message: string) =>
  new ServiceError(code, `Connection ${connectionId}: ${message}`);

const namesOf = (states: readonly CapabilityState[]) => states.map(({ capability }) => capability);

/**
 * The check of every read of a connection's row. Only a CONNECTED one can fail it.
 * @throws ServiceError `FORBIDDEN`, `CAPABILITY_UNAVAILABLE`, `AUTHORIZATION_SUSPENDED` or `RECONNECT_REQUIRED`, in
 * this order.
 */
export function requireReadable(connection: StandingConnection): void {
  if (connection.status !== 'CONNECTED') return;
  const fault = faultOf(connection.standing, namesOf(connection.capabilities));
  if (fault !== undefined) throw about(connection, fault, FAULTS[fault]);
}

const LEAVING = {
  code: 'DISCONNECT_IN_PROGRESS',
  message: 'It is being disconnected, and nothing of it can be read any more.',
} as const;

/** What the use of a connection that is not CONNECTED is answered. */
const BY_STATUS = {
  SUSPENDED: {
    code: 'AUTHORIZATION_SUSPENDED',
    message: 'It is on hold until a disconnect has settled. Try again later.',
  },
  RECONNECT_REQUIRED: { code: 'RECONNECT_REQUIRED', message: FAULTS.RECONNECT_REQUIRED },
  DISCONNECTED: LEAVING,
  DELETING: LEAVING,
} as const;

/** The code with which a read of its posts is refused now, or nothing where it is not. */
export const readFaultOf = ({
  status,
  standing,
  capabilities,
}: Pick<StandingConnection, 'status' | 'standing' | 'capabilities'>): ErrorCode | undefined =>
  status === 'CONNECTED' ? faultOf(standing, namesOf(capabilities)) : BY_STATUS[status].code;

/**
 * The check of whatever uses a connection: reading its posts, or asking for a scan, a refresh or a lookup.
 * @param anyOf capabilities one of which must have been granted and be available now
 * @throws ServiceError as `requireReadable`, and `AUTHORIZATION_SUSPENDED`, `RECONNECT_REQUIRED` or
 * `DISCONNECT_IN_PROGRESS` by status, and `CAPABILITY_UNAVAILABLE` when none of the capabilities can be used.
 */
export function requireUsable(connection: StandingConnection, anyOf: readonly Capability[]): void {
  if (connection.status !== 'CONNECTED') {
    const { code, message } = BY_STATUS[connection.status];
    throw about(connection, code, message);
  }
  requireReadable(connection);
  if (!anyOf.some((capability) => isAvailable(connection, capability))) {
    throw about(
      connection,
      'CAPABILITY_UNAVAILABLE',
      `This needs ${anyOf.join(' or ')}, which it cannot be used for at present.`,
    );
  }
}

/** Whether a capability was granted and can be used now. */
export const isAvailable = ({ capabilities }: StandingConnection, capability: Capability): boolean =>
  capabilities.some((state) => state.capability === capability && state.availability === 'AVAILABLE');

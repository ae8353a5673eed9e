import type { Capability, ProviderName } from '../../basics/codes.ts';
import type { AppId, AttemptId, ConnectionId, GrantId, JobId, RegistrationId } from '../../basics/ids.ts';
import type { Permit, RevokePermit } from '../../providers/provider.ts';
import { findAttemptFacts, findGrantStatus, findSignInFacts } from '../../store/access/call-facts.ts';
import { getConnectFacts } from '../../store/access/connect-facts.ts';
import {
  findConnection,
  findConnectionOfRunningJob,
  type StandingConnection,
} from '../../store/connections/connections.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { findDependents, type Revocable } from '../../store/grants/principals.ts';
import { accountMacsOfJob, findDisconnectJob } from '../../store/jobs/disconnect-jobs.ts';
import type { AttemptDenial } from './may-connect.ts';
import { checkStanding, type DeniedRead, mayRead } from './may-read.ts';

/** The row that needs a call to a platform. */
export type Purpose =
  /** An attempt's exchange, and the read of its account. */
  | { readonly for: 'ATTEMPT'; readonly attemptId: AttemptId }
  | { readonly for: 'SIGN_IN'; readonly attemptId: AttemptId }
  /** The read of a connection's account: upkeep, or the verification of its grant. */
  | { readonly for: 'ACCOUNT'; readonly connectionId: ConnectionId }
  /** A read job's reads. */
  | { readonly for: 'JOB'; readonly jobId: JobId }
  /** A refresh without a read, which keeps a grant alive. */
  | { readonly for: 'REFRESH'; readonly grantId: GrantId }
  | RevokePurpose
  | {
      readonly for: 'IMPORT';
      readonly appId: AppId;
      readonly tenantKey: string;
      readonly provider: ProviderName;
      readonly registrationId: RegistrationId;
      readonly capabilities: readonly Capability[];
    }
  /** A call of our own, about no person. */
  | { readonly for: 'PROBE' };

/** `reached`: the registrations whose grants the revoke can end. */
export interface RevokePurpose {
  readonly for: 'REVOKE';
  readonly jobId: JobId;
  readonly reached: readonly RegistrationId[];
}

/** The rights of each purpose of a call. */
export type PermitOf<P extends Purpose> = P extends RevokePurpose ? RevokePermit : Permit;

/**
 * Why a revoke is not sent, and the tokens are only discarded. `IN_USE`: the same person has another grant in use. `UNPROVEN`: the
 * platform has not named the person, so another grant may be in use.
 */
export type GrantInUseReason = 'IN_USE' | 'UNPROVEN';

/** Why a call may not be sent now. */
export type Denial = DeniedRead['failure'] | GrantInUseReason | Exclude<AttemptDenial, 'ACCOUNT_DISCONNECTING'>;

const PERMIT = {} as RevokePermit;
/** The trial of an operator with their own account. */
export const OPERATORS_PERMIT = PERMIT;

/**
 * The one recheck before a call to a platform, and before its answer is stored: whether the row still needs it, and app,
 * tenant, policy, registration and status allow it. Only this function creates a permit.
 */
export async function mayCall<P extends Purpose>(sql: Sql, purpose: P): Promise<PermitOf<P> | Denial> {
  return (await findDenial(sql, purpose)) ?? (PERMIT as unknown as PermitOf<P>);
}

/**
 * Whether a grant may be revoked without a request: only if no other grant in use depends on it.
 * An unknown person counts as in use (D-620).
 */
export async function permitRevoke(sql: Sql, grant: Revocable): Promise<RevokePermit | GrantInUseReason> {
  const { sharing, doubtful } = await findDependents(sql, grant);
  if (sharing) return 'IN_USE';
  return doubtful ? 'UNPROVEN' : PERMIT;
}

async function findDenial(sql: Sql, purpose: Purpose): Promise<Denial | undefined> {
  switch (purpose.for) {
    case 'ATTEMPT': {
      const { isWanted, isAllowed, isPaused } = await findAttemptFacts(sql, purpose.attemptId);
      if (!isWanted) return 'NotWanted';
      if (!isAllowed) return 'POLICY_CHANGED';
      return isPaused ? 'REGISTRATION_PAUSED' : undefined;
    }
    case 'SIGN_IN': {
      const { isWanted, isAllowed } = await findSignInFacts(sql, purpose.attemptId);
      return isWanted && isAllowed ? undefined : 'NotWanted';
    }
    case 'ACCOUNT':
      return mayReadAccount(await findConnection(sql, purpose.connectionId));
    case 'JOB': {
      const connection = await findConnectionOfRunningJob(sql, purpose.jobId);
      return connection === undefined ? 'NotWanted' : mayRead(connection)?.failure;
    }
    case 'REFRESH':
      // While the grant is in use, or about to be: then its tokens are kept fresh, regardless of policy and registration.
      return REFRESH_DENIALS[(await findGrantStatus(sql, purpose.grantId)) ?? 'DEAD'];
    case 'REVOKE': {
      const { jobId, reached } = purpose;
      const job = await findDisconnectJob(sql, jobId);
      if (job?.status !== 'QUEUED' && job?.status !== 'RUNNING') return 'NotWanted';
      if (!job.spares) return undefined;
      const permit = await permitRevoke(sql, { ...job, accountMacs: accountMacsOfJob(sql, jobId), reached });
      return typeof permit === 'string' ? permit : undefined;
    }
    case 'IMPORT': {
      const { registrationId, ...asked } = purpose;
      const facts = await getConnectFacts(sql, { ...asked, returnUrl: null, importsFrom: registrationId });
      const covers = purpose.capabilities.every((capability) => facts.allowedCapabilities?.includes(capability));
      const isAllowed = facts.appEnabled && facts.tenantRegistered && covers && facts.registrationId !== null;
      if (!isAllowed) return 'POLICY_CHANGED';
      return facts.registrationPaused ? 'REGISTRATION_PAUSED' : undefined;
    }
    case 'PROBE':
      return undefined;
  }
}

/**
 * Why the account of a connection may not be read now. A suspended one is read to verify its grant.
 * @param connection undefined if it is gone.
 */
export function mayReadAccount(connection: StandingConnection | undefined): Denial | undefined {
  if (connection === undefined) return 'NotWanted';
  if (connection.status === 'RECONNECT_REQUIRED') return 'GrantDead';
  if (connection.status !== 'CONNECTED' && connection.status !== 'SUSPENDED') return 'NotWanted';
  return checkStanding(connection)?.failure;
}

const REFRESH_DENIALS = { PENDING: undefined, LIVE: undefined, REVOKING: 'NotWanted', DEAD: 'GrantDead' } as const;

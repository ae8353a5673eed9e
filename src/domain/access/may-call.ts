import { type Capability, isOpenJob, type ProviderName } from '../../basics/codes.ts';
import type { AppId, AttemptId, ConnectionId, GrantId, JobId, RegistrationId } from '../../basics/ids.ts';
import type { Permit, RevokePermit } from '../../providers/provider.ts';
import { findAttemptFacts, findGrantStatus, findSignInFacts } from '../../store/access/call-facts.ts';
import { findConnection, findConnectionOfRunningJob } from '../../store/connections/connections.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { findDependents, type Revocable } from '../../store/grants/principals.ts';
import { accountMacsOfJob, findDisconnectJob } from '../../store/jobs/disconnect-jobs.ts';
import { type Denial, type GrantInUseReason, isDenial } from './denial.ts';
import { type AttemptDenial, mayUseRegistration } from './may-connect.ts';
import { mayRead, mayReadAccount, type ReadDenial } from './may-read.ts';

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

/** Why a call may not be sent now. */
export type CallDenial = Denial<
  ReadDenial['reason'] | GrantInUseReason | Exclude<AttemptDenial['reason'], 'ACCOUNT_DISCONNECTING'>
>;

const PERMIT = {} as RevokePermit;
const NOT_WANTED = { reason: 'NotWanted' } as const;
/** The trial of an operator with their own account. */
export const OPERATORS_PERMIT = PERMIT;

/**
 * The one recheck before a call to a platform, and before its answer is stored: whether the row still needs it, and app,
 * tenant, policy, registration and status allow it. Only this function creates a permit.
 */
export async function mayCall<P extends Purpose>(sql: Sql, purpose: P): Promise<PermitOf<P> | CallDenial> {
  return (await findDenial(sql, purpose)) ?? (PERMIT as unknown as PermitOf<P>);
}

/**
 * Whether a grant may be revoked without a request: only if no other grant in use depends on it.
 * An unknown person counts as in use (D-620).
 */
export async function mayRevoke(sql: Sql, grant: Revocable): Promise<RevokePermit | Denial<GrantInUseReason>> {
  const { sharing, doubtful } = await findDependents(sql, grant);
  if (sharing) return { reason: 'IN_USE' };
  return doubtful ? { reason: 'UNPROVEN' } : PERMIT;
}

async function findDenial(sql: Sql, purpose: Purpose): Promise<CallDenial | undefined> {
  switch (purpose.for) {
    case 'ATTEMPT': {
      const { isWanted, isAllowed, isPaused } = await findAttemptFacts(sql, purpose.attemptId);
      if (!isWanted) return NOT_WANTED;
      if (!isAllowed) return { reason: 'POLICY_CHANGED' };
      return isPaused ? { reason: 'REGISTRATION_PAUSED' } : undefined;
    }
    case 'SIGN_IN': {
      const { isWanted, isAllowed } = await findSignInFacts(sql, purpose.attemptId);
      return isWanted && isAllowed ? undefined : NOT_WANTED;
    }
    case 'ACCOUNT':
      return mayReadAccount(await findConnection(sql, purpose.connectionId));
    case 'JOB': {
      const connection = await findConnectionOfRunningJob(sql, purpose.jobId);
      return connection === undefined ? NOT_WANTED : mayRead(connection);
    }
    case 'REFRESH':
      // While the grant is in use, or about to be: then its tokens are kept fresh, regardless of policy and registration.
      return REFRESH_DENIALS[(await findGrantStatus(sql, purpose.grantId)) ?? 'DEAD'];
    case 'REVOKE': {
      const { jobId, reached } = purpose;
      const job = await findDisconnectJob(sql, jobId);
      if (!isOpenJob(job?.status)) return NOT_WANTED;
      if (!job.spares) return undefined;
      const permit = await mayRevoke(sql, { ...job, accountMacs: accountMacsOfJob(sql, jobId), reached });
      return isDenial(permit) ? permit : undefined;
    }
    case 'IMPORT': {
      const { registrationId, ...asked } = purpose;
      const served = await mayUseRegistration(sql, { ...asked, returnUrl: null, importsFrom: registrationId });
      return isDenial(served) ? served : undefined;
    }
    case 'PROBE':
      return undefined;
  }
}

const REFRESH_DENIALS = {
  PENDING: undefined,
  LIVE: undefined,
  REVOKING: NOT_WANTED,
  DEAD: { reason: 'GrantDead' },
} as const;

import { z } from 'zod';
import { IDENTITY_STATUSES, type IdentityStatus, UNFINISHED_ATTEMPT } from '../../basics/codes.ts';
import { AppId, AttemptId, CorrelationId, IssuerId } from '../../basics/ids.ts';
import type { AnswerCause } from '../answer-cause.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { notify } from '../notifications.ts';
import { sourcesOf } from '../transitions.ts';
import { setCause } from './attempt-causes.ts';
import { createBrowserAttempts } from './browser-attempts.ts';

/** The progress of a PENDING attempt. */
const IDENTITY_STAGES = [...UNFINISHED_ATTEMPT, 'DONE'] as const;

const IdentityAttempt = z.object({
  attemptId: AttemptId,
  appId: AppId,
  tenantKey: z.string(),
  issuerId: IssuerId,
  returnUrl: z.string(),
  /** The stored status; `expired`: whether the deadline has passed since. */
  status: z.enum(IDENTITY_STATUSES),
  stage: z.enum(IDENTITY_STAGES),
  expired: z.boolean(),
  browserSha256: z.instanceof(Buffer).nullable(),
  sealedNonce: z.string().nullable(),
  sealedCodeVerifier: z.string().nullable(),
  sealedCode: z.string().nullable(),
  exchangeClaimedAt: z.date().nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  expiresAt: z.date(),
  resultExpiresAt: z.date(),
});
export type IdentityAttempt = z.infer<typeof IdentityAttempt>;

const isUnfinished = (sql: Sql) => sql`status = 'PENDING'`;

const isExpired = (sql: Sql) => sql`${isUnfinished(sql)} and expires_at <= business_now()`;

const columns = (sql: Sql) => sql`
  attempt_id, app_id, tenant_key, issuer_id, return_url, status, stage,
  ${isExpired(sql)} as expired, browser_sha256, sealed_nonce, sealed_code_verifier,
  sealed_code, exchange_claimed_at, correlation_id, created_at, expires_at, result_expires_at
`;

export const identityAttempts = createBrowserAttempts<
  IdentityAttempt,
  { readonly sealedNonce: string; readonly sealedCodeVerifier: string }
>({
  table: (sql) => sql`identity_attempt`,
  stage: (sql) => sql`stage`,
  isUnfinished,
  isAt: (sql, stages) => sql`stage = any(${[...stages]})`,
  columns,
  parse: (row) => IdentityAttempt.parse(row),
  setSecrets: (sql, { sealedNonce, sealedCodeVerifier }) =>
    sql`sealed_nonce = ${sealedNonce}, sealed_code_verifier = ${sealedCodeVerifier}`,
  setUnanswered: (sql) => sql`status = 'EXPIRED', stage = 'DONE', sealed_nonce = null, sealed_code_verifier = null`,
});

interface NewIdentityAttempt {
  readonly attemptId: AttemptId;
  readonly appId: AppId;
  readonly tenantKey: string;
  readonly issuerId: IssuerId;
  readonly returnUrl: string;
  readonly launchTokenSha256: Buffer;
  readonly resultProofSha256: Buffer;
  readonly correlationId: CorrelationId;
}

/** Deadlines are 10 and 20 minutes from now. */
export async function insertIdentityAttempt(tx: Transaction, attempt: NewIdentityAttempt): Promise<IdentityAttempt> {
  const [row] = await tx`
    insert into identity_attempt (attempt_id, app_id, tenant_key, issuer_id, return_url, launch_token_sha256,
      result_proof_sha256, correlation_id, created_at, expires_at, result_expires_at)
    values (${attempt.attemptId}, ${attempt.appId}, ${attempt.tenantKey}, ${attempt.issuerId}, ${attempt.returnUrl},
      ${attempt.launchTokenSha256}, ${attempt.resultProofSha256}, ${attempt.correlationId}, business_now(),
      business_now() + interval '10 minutes', business_now() + interval '20 minutes')
    returning ${columns(tx)}
  `;
  return IdentityAttempt.parse(row);
}

/** Counts unfinished attempts of one app. Exact while the caller holds the lock of its identity settings. */
export function countUnfinishedIdentityAttempts(
  tx: Transaction,
  appId: AppId,
): ReturnType<typeof identityAttempts.countUnfinished> {
  return identityAttempts.countUnfinished(tx, tx`app_id = ${appId}`);
}

export type IdentityEnd =
  | { readonly status: 'COMPLETED'; readonly sealedClaims: string }
  | { readonly status: 'DENIED' | 'FAILED' | 'EXPIRED'; readonly cause?: AnswerCause | undefined };

/**
 * Ends an attempt and deletes code, verifier and nonce. By the database's clock it ends EXPIRED after its deadline, regardless
 * of the requested end, because callers may have read that, and never before. COMPLETED is refused after the deadline.
 * @returns false if it had ended before, or ended otherwise than requested.
 */
export async function moveIdentityAttemptToEnd(sql: Sql, attemptId: AttemptId, end: IdentityEnd): Promise<boolean> {
  const sealedClaims = end.status === 'COMPLETED' ? end.sealedClaims : null;
  const cause = end.status === 'COMPLETED' ? { answer: null, code: null } : end.cause;
  const rows = await sql`
    with ended as (
      update identity_attempt set
        status = case when expires_at <= business_now() then 'EXPIRED' else ${end.status} end,
        stage = 'DONE', sealed_claims = ${sealedClaims},
        sealed_nonce = null, sealed_code_verifier = null, sealed_code = null, finished_at = business_now()
        ${cause === undefined ? sql`` : sql`, ${setCause(sql, cause)}`}
      from ( -- Locked first, so that no other change comes between.
        select attempt_id as id_before, stage as stage_before from identity_attempt where attempt_id = ${attemptId}
        for no key update
      ) as before
      where attempt_id = id_before and status = any(${[...sourcesOf('identity', end.status)]})
        and (${end.status} <> 'COMPLETED' or expires_at > business_now())
        and (${end.status} <> 'EXPIRED' or expires_at <= business_now())
      returning attempt_id, status, stage_before
    )
    select status, case stage_before when 'EXCHANGING' then ${notify(sql, 'attempt_ended', sql`attempt_id`)} end
    from ended
  `;
  return rows[0]?.status === end.status;
}

/** The caller's proof for a result. A malformed id runs the same query, so that it looks like a missing one. */
interface IdentityResultKey {
  readonly appId: AppId;
  readonly attemptId: AttemptId;
  readonly tenantKey: string;
  readonly proofSha256: Buffer;
}

const Result = IdentityAttempt.pick({ attemptId: true, status: true, expired: true }).extend({
  sealedClaims: z.string().nullable(),
});

/**
 * Redeems a result once. PENDING spends nothing; a PENDING attempt past its deadline ends EXPIRED. Redeeming deletes
 * the claims: the returned sealed text is the last copy.
 * @returns undefined if the result is missing, redeemed or expired, or the proof is wrong.
 */
export async function redeemIdentityResult(
  tx: Transaction,
  key: IdentityResultKey,
): Promise<{ status: IdentityStatus; sealedClaims: string | null } | undefined> {
  const [row] = await tx`
    select attempt_id, status, ${isExpired(tx)} as expired, sealed_claims
    from identity_attempt
    where attempt_id = ${key.attemptId ?? null} and app_id = ${key.appId} and tenant_key = ${key.tenantKey}
      and result_proof_sha256 = ${key.proofSha256} and redeemed_at is null and result_expires_at > business_now()
    for no key update
  `;
  if (!row) return undefined;
  const { attemptId, status, expired, sealedClaims } = Result.parse(row);
  if (status === 'PENDING' && !expired) return { status, sealedClaims: null };
  if (expired) await moveIdentityAttemptToEnd(tx, attemptId, { status: 'EXPIRED' });
  await tx`
    update identity_attempt set redeemed_at = business_now(), sealed_claims = null where attempt_id = ${attemptId}
  `;
  return { status: expired ? 'EXPIRED' : status, sealedClaims };
}

/** The issuer refused the code without spending it, so it may be sent again. */
export async function unclaimIdentityExchange(sql: Sql, attemptId: AttemptId): Promise<void> {
  await sql`
    update identity_attempt set exchange_claimed_at = null where attempt_id = ${attemptId} and stage = 'EXCHANGING'
  `;
}

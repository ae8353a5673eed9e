import { z } from 'zod';
import { IDENTITY_STATUSES, type IdentityStatus } from '../../basics/codes.ts';
import { AppId, AttemptId, CorrelationId, IssuerId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { notify } from '../notifications.ts';
import { sourcesOf } from '../transitions.ts';
import { UnfinishedCount, unfinishedCount } from './attempts.ts';

/** The progress of a PENDING attempt. */
const IDENTITY_STAGES = ['CREATED', 'AUTHORIZING', 'EXCHANGING', 'DONE'] as const;

const IdentityAttempt = z.object({
  attemptId: AttemptId,
  appId: AppId,
  tenantKey: z.string(),
  issuerId: IssuerId,
  returnUrl: z.string(),
  /** The stored status; `expired` tells whether the deadline has passed since. */
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

const columns = (sql: Sql) => sql`
  attempt_id, app_id, tenant_key, issuer_id, return_url, status, stage,
  status = 'PENDING' and expires_at <= business_now() as expired, browser_sha256, sealed_nonce, sealed_code_verifier,
  sealed_code, exchange_claimed_at, correlation_id, created_at, expires_at, result_expires_at
`;

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
export async function countUnfinishedIdentityAttempts(tx: Transaction, appId: AppId): Promise<UnfinishedCount> {
  const [row] = await tx`
    select ${unfinishedCount(tx)}
    from identity_attempt
    where app_id = ${appId} and status = 'PENDING' and expires_at > business_now()
  `;
  return UnfinishedCount.parse(row);
}

export async function findIdentityAttempt(sql: Sql, attemptId: AttemptId): Promise<IdentityAttempt | undefined> {
  const [row] = await sql`select ${columns(sql)} from identity_attempt where attempt_id = ${attemptId}`;
  return row && IdentityAttempt.parse(row);
}

export async function findIdentityAttemptByLaunchToken(
  sql: Sql,
  tokenSha256: Buffer,
): Promise<IdentityAttempt | undefined> {
  const [row] = await sql`select ${columns(sql)} from identity_attempt where launch_token_sha256 = ${tokenSha256}`;
  return row && IdentityAttempt.parse(row);
}

export async function findIdentityAttemptByState(sql: Sql, stateSha256: Buffer): Promise<IdentityAttempt | undefined> {
  const [row] = await sql`select ${columns(sql)} from identity_attempt where state_sha256 = ${stateSha256}`;
  return row && IdentityAttempt.parse(row);
}

/**
 * Spends the launch token and binds the attempt to one browser.
 * @returns false if the token is spent, or the attempt has ended or expired.
 */
export async function moveIdentityAttemptToAuthorizing(
  tx: Transaction,
  attemptId: AttemptId,
  launch: { stateSha256: Buffer; browserSha256: Buffer; sealedNonce: string; sealedCodeVerifier: string },
): Promise<boolean> {
  const rows = await tx`
    update identity_attempt set stage = 'AUTHORIZING', state_sha256 = ${launch.stateSha256},
      browser_sha256 = ${launch.browserSha256}, sealed_nonce = ${launch.sealedNonce},
      sealed_code_verifier = ${launch.sealedCodeVerifier}
    where attempt_id = ${attemptId} and status = 'PENDING' and stage = 'CREATED' and expires_at > business_now()
    returning attempt_id
  `;
  return rows.length > 0;
}

/** Accepts the only callback of an attempt. @returns false if it had one, has ended, or has expired. */
export async function moveIdentityAttemptToExchanging(
  tx: Transaction,
  attemptId: AttemptId,
  sealedCode: string,
): Promise<boolean> {
  const rows = await tx`
    update identity_attempt set stage = 'EXCHANGING', sealed_code = ${sealedCode}
    where attempt_id = ${attemptId} and status = 'PENDING' and stage = 'AUTHORIZING' and expires_at > business_now()
    returning attempt_id
  `;
  return rows.length > 0;
}

/** Marks the code as spent, before it is sent. @returns false if another call claimed it. */
export async function claimIdentityExchange(sql: Sql, attemptId: AttemptId): Promise<boolean> {
  const rows = await sql`
    update identity_attempt set exchange_claimed_at = business_now()
    where attempt_id = ${attemptId} and status = 'PENDING' and stage = 'EXCHANGING' and exchange_claimed_at is null
      and expires_at > business_now()
    returning attempt_id
  `;
  return rows.length > 0;
}

export type IdentityEnd =
  | { readonly status: 'COMPLETED'; readonly sealedClaims: string }
  | { readonly status: 'DENIED' | 'FAILED' | 'EXPIRED' };

/**
 * Ends an attempt and deletes code, verifier and nonce. By the database's clock it ends EXPIRED after its deadline, whatever
 * is asked for, because callers may have read that, and never before. COMPLETED is refused after the deadline.
 * @returns false if it had ended before, or ended otherwise than requested.
 */
export async function moveIdentityAttemptToEnd(sql: Sql, attemptId: AttemptId, end: IdentityEnd): Promise<boolean> {
  const sealedClaims = end.status === 'COMPLETED' ? end.sealedClaims : null;
  const rows = await sql`
    with ended as (
      update identity_attempt set
        status = case when expires_at <= business_now() then 'EXPIRED' else ${end.status} end,
        stage = 'DONE', sealed_claims = ${sealedClaims},
        sealed_nonce = null, sealed_code_verifier = null, sealed_code = null, finished_at = business_now()
      where attempt_id = ${attemptId} and status = any(${[...sourcesOf('identity', end.status)]})
        and (${end.status} <> 'COMPLETED' or expires_at > business_now())
        and (${end.status} <> 'EXPIRED' or expires_at <= business_now())
      returning attempt_id, status, old.stage as stage_before
    )
    select status, case stage_before when 'EXCHANGING' then ${notify(sql, 'attempt_ended', sql`attempt_id`)} end
    from ended
  `;
  return rows[0]?.status === end.status;
}

/** Lists which of these sign-ins have no exchange in progress. */
export async function listEndedIdentityAttempts(sql: Sql, attemptIds: readonly AttemptId[]): Promise<AttemptId[]> {
  const rows = await sql`
    select attempt_id from identity_attempt where attempt_id = any(${[...attemptIds]}::uuid[]) and stage <> 'EXCHANGING'
  `;
  return rows.map((row) => AttemptId.parse(row.attemptId));
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
    select attempt_id, status, status = 'PENDING' and expires_at <= business_now() as expired, sealed_claims
    from identity_attempt
    where attempt_id = ${key.attemptId ?? null} and app_id = ${key.appId} and tenant_key = ${key.tenantKey}
      and result_proof_sha256 = ${key.proofSha256} and redeemed_at is null and result_expires_at > business_now()
    for update
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

/** Deletes claims that can no longer be redeemed. */
export async function deleteClaims(sql: Sql, attemptId: AttemptId): Promise<void> {
  await sql`
    update identity_attempt set sealed_claims = null
    where attempt_id = ${attemptId} and (redeemed_at is not null or result_expires_at <= business_now())
  `;
}

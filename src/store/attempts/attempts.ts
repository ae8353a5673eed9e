import { z } from 'zod';
import {
  ATTEMPT_STATUSES,
  CAPABILITIES,
  type Capability,
  OVERTAKEN_ATTEMPT,
  PROVIDER_NAMES,
  type ProviderName,
  UNFINISHED_ATTEMPT,
} from '../../basics/codes.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
import { AppId, AttemptId, ConnectionId, CorrelationId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { AnswerCause } from '../answer-cause.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { notify } from '../notifications.ts';
import { listOf } from '../rows.ts';
import { type AskedOfScope, createScopeRead } from '../scope-reads.ts';
import { sourcesOf } from '../transitions.ts';
import { setCause } from './attempt-causes.ts';
import { createBrowserAttempts } from './browser-attempts.ts';

const provider = z.enum(PROVIDER_NAMES);
const Attempt = z.object({
  attemptId: AttemptId,
  scopeId: ScopeId,
  appId: AppId,
  provider,
  registrationId: RegistrationId,
  capabilities: z.array(z.enum(CAPABILITIES)),
  returnUrl: z.string(),
  reconnectConnectionId: ConnectionId.nullable(),
  /** The stored status; `expired`: whether the deadline has passed since. */
  status: z.enum(ATTEMPT_STATUSES),
  expired: z.boolean(),
  resultCode: z.string().nullable(),
  connectionId: ConnectionId.nullable(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  browserSha256: z.instanceof(Buffer).nullable(),
  sealedCodeVerifier: z.string().nullable(),
  sealedCode: z.string().nullable(),
  exchangeClaimedAt: z.date().nullable(),
  /** The platform's answer to the last failed try, as operators see it; null without one. */
  lastAnswer: z.string().nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  expiresAt: z.date(),
  resultExpiresAt: z.date(),
});
export type Attempt = z.infer<typeof Attempt>;

/** Selects attempts without a result. */
export const isUnfinished = (sql: Sql) => sql`status in ${listOf(sql, UNFINISHED_ATTEMPT)}`;

const isExpired = (sql: Sql) => sql`${isUnfinished(sql)} and expires_at <= business_now()`;

const columns = (sql: Sql) => sql`
  attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, reconnect_connection_id, status,
  ${isExpired(sql)} as expired, result_code, connection_id,
  creator_action, browser_sha256, sealed_code_verifier, sealed_code, exchange_claimed_at, last_answer, correlation_id,
  created_at, expires_at, result_expires_at
`;

export const connectAttempts = createBrowserAttempts<Attempt, Pick<Attempt, 'sealedCodeVerifier'>>({
  table: (sql) => sql`connect_attempt`,
  stage: (sql) => sql`status`,
  isUnfinished,
  isAt: (sql, stages) => sql`status = any(${[...stages]})`,
  columns,
  parse: (row) => Attempt.parse(row),
  setSecrets: (sql, { sealedCodeVerifier }) => sql`sealed_code_verifier = ${sealedCodeVerifier}`,
  setUnanswered: (sql) => sql`status = 'EXPIRED', result_code = 'EXPIRED', sealed_code_verifier = null`,
});

interface NewAttempt {
  readonly attemptId: AttemptId;
  readonly scopeId: ScopeId;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  readonly capabilities: readonly Capability[];
  readonly returnUrl: string;
  readonly reconnectConnectionId: ConnectionId | null;
  readonly launchTokenSha256: Buffer;
  readonly correlationId: CorrelationId;
}

/** Deadlines are 10 minutes and 24 hours from now. */
export async function insertAttempt(tx: Transaction, attempt: NewAttempt): Promise<Attempt> {
  const [row] = await tx`
    insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url,
      reconnect_connection_id, launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
    values (${attempt.attemptId}, ${attempt.scopeId}, ${attempt.appId}, ${attempt.provider}, ${attempt.registrationId},
      ${[...attempt.capabilities]}, ${attempt.returnUrl}, ${attempt.reconnectConnectionId}, ${attempt.launchTokenSha256},
      ${attempt.correlationId}, business_now(), business_now() + interval '10 minutes', business_now() + interval '24 hours')
    returning ${columns(tx)}
  `;
  return Attempt.parse(row);
}

/**
 * Inserts an attempt whose exchange another system has done. No browser and no caller knows it: it has no return URL, and
 * no known launch token. It can be completed for 24 hours; afterwards its grant is revoked like any other
 * unused one.
 */
export async function insertImportedAttempt(
  tx: Transaction,
  attempt: Omit<NewAttempt, 'returnUrl' | 'reconnectConnectionId'>,
): Promise<void> {
  await tx`
    insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status,
      launch_token_sha256, exchange_claimed_at, correlation_id, created_at, expires_at, result_expires_at)
    values (${attempt.attemptId}, ${attempt.scopeId}, ${attempt.appId}, ${attempt.provider}, ${attempt.registrationId},
      ${[...attempt.capabilities]}, '', 'EXCHANGING', ${attempt.launchTokenSha256}, business_now(),
      ${attempt.correlationId}, business_now(), business_now() + interval '24 hours', business_now() + interval '24 hours')
  `;
}

const AttemptResult = Attempt.pick({
  attemptId: true,
  provider: true,
  status: true,
  expired: true,
  resultCode: true,
  connectionId: true,
  creatorAction: true,
  expiresAt: true,
  resultExpiresAt: true,
});
export type AttemptResult = z.infer<typeof AttemptResult>;

interface FoundResult {
  readonly tenantRegistered: boolean;
  readonly attempt: AttemptResult | undefined;
}

/**
 * Reads an attempt whose result its scope may still read. An attempt that looks expired is read again after every
 * transaction that may have ended it just before its deadline: no caller reads EXPIRED and later another end.
 */
export async function findAttemptResult(sql: Sql, asked: AskedOfScope): Promise<FoundResult> {
  const found = await readAttemptResult(sql, asked);
  if (found.attempt?.expired !== true) return found;
  // All ends hold this lock. One that takes it from now on sees that the deadline has passed.
  await sql`
    select from scope where scope_id = (select scope_id from connect_attempt where attempt_id = ${found.attempt.attemptId})
    for share
  `;
  return await readAttemptResult(sql, asked);
}

const readAttemptResult = createScopeRead<AskedOfScope, FoundResult>({
  select: (sql) => sql`
    select attempt_id, provider, status, ${isExpired(sql)} as expired, result_code, connection_id, creator_action,
      expires_at, result_expires_at
    from connect_attempt a join scope s using (scope_id)
    where attempt_id = asked.id and result_expires_at > business_now() and s.app_id = asked.app_id
      and s.tenant_key = asked.tenant_key and s.external_subject_id = asked.external_subject_id
    limit 1
  `,
  toAnswer: (tenantRegistered, row) => ({
    tenantRegistered,
    attempt: row.attemptId ? AttemptResult.parse(row) : undefined,
  }),
});

/** The provider refused the code, so no grant can exist, even if the attempt has ended. */
export async function unclaimExchange(sql: Sql, attemptId: AttemptId): Promise<void> {
  await sql`
    update connect_attempt set exchange_claimed_at = null where attempt_id = ${attemptId}
  `;
}

export type AttemptEnd =
  | {
      readonly status: 'COMPLETED';
      readonly resultCode: 'PARTIAL_PERMISSION' | null;
      readonly connectionId: ConnectionId;
    }
  | {
      readonly status: 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED';
      readonly resultCode: ResultCode;
      readonly creatorAction?: 'REMOVE_APP_AT_PROVIDER' | null;
      /** The cause, if it is not stored yet. */
      readonly cause?: AnswerCause | undefined;
    };

/**
 * Ends an attempt and deletes its code and verifier. By the database's clock it ends EXPIRED after its deadline, regardless of the
 * requested end, because callers may have read that, and never before: a timer only wakes. COMPLETED is refused after the
 * deadline. Hold the scope's lock: `findAttemptResult` relies on it.
 * @returns false if it had ended before, or ended otherwise than requested.
 */
export async function moveAttemptToEnd(tx: Sql, attemptId: AttemptId, end: AttemptEnd): Promise<boolean> {
  const connectionId = end.status === 'COMPLETED' ? end.connectionId : null;
  const creatorAction = end.status === 'COMPLETED' ? null : (end.creatorAction ?? null);
  const cause = end.status === 'COMPLETED' ? { answer: null, code: null } : end.cause;
  const rows = await tx`
    with ended as (
      update connect_attempt set
        status = case when expires_at <= business_now() then 'EXPIRED' else ${end.status} end,
        result_code = case when expires_at <= business_now() then 'EXPIRED' else ${end.resultCode} end,
        connection_id = ${connectionId}, creator_action = ${creatorAction}, sealed_code = null,
        sealed_code_verifier = null, finished_at = business_now()
        ${cause === undefined ? tx`` : tx`, ${setCause(tx, cause)}`}
      from ${before(tx, tx`attempt_id = ${attemptId}`)}
      where attempt_id = id_before and status = any(${[...sourcesOf('attempt', end.status)]})
        and (${end.status} <> 'COMPLETED' or expires_at > business_now())
        and (${end.status} <> 'EXPIRED' or expires_at <= business_now())
      returning attempt_id, status, status_before
    )
    select status, ${notifyWaiting(tx)} from ended
  `;
  return rows[0]?.status === end.status;
}

/**
 * Notes for each attempt in its exchange that a platform reports a removed app: whose account its grant is may not be known yet.
 * Waits for those that complete now.
 */
export async function noteDuringExchange(tx: Transaction, registrationId: RegistrationId): Promise<void> {
  await tx`
    update connect_attempt set noticed_at = business_now()
    where registration_id = ${registrationId} and status = 'EXCHANGING' and expires_at > business_now()
      and noticed_at is null -- Once is enough: thousands of exchanges may wait, and each notice would write them all.
  `;
}

/** Whether a platform has reported a removed app during the attempt's exchange. */
export async function isNoticedDuringExchange(tx: Transaction, attemptId: AttemptId): Promise<boolean> {
  const rows = await tx`select from connect_attempt where attempt_id = ${attemptId} and noticed_at is not null`;
  return rows.length > 0;
}

/** The attempts that an update changes: locked first, so that no other change comes between. */
const before = (sql: Sql, where: Fragment) => sql`(
  select attempt_id as id_before, status as status_before from connect_attempt where ${where} for no key update
) as before`;

/** Only the browser of an accepted callback waits for the end. */
const notifyWaiting = (sql: Sql) =>
  sql`case status_before when 'EXCHANGING' then ${notify(sql, 'attempt_ended', sql`attempt_id`)} end`;

/**
 * Asks the person to remove the app, if a grant may remain after an attempt that ended during its exchange. Nothing
 * else in its result changes.
 */
export async function updateCreatorAction(tx: Transaction, attemptId: AttemptId): Promise<void> {
  await tx`
    update connect_attempt set creator_action = 'REMOVE_APP_AT_PROVIDER'
    where attempt_id = ${attemptId} and status in ${listOf(tx, OVERTAKEN_ATTEMPT)}
  `;
}

/**
 * Cancels the attempts to renew a connection, except expired ones: all of them, or those that began before the one that has
 * completed, since the newest consent wins. @returns their ids.
 */
export async function cancelReconnects(
  tx: Transaction,
  connectionId: ConnectionId,
  completed: Pick<Attempt, 'attemptId' | 'createdAt'> | null,
): Promise<AttemptId[]> {
  const isOlder =
    completed === null ? tx`true` : tx`attempt_id <> ${completed.attemptId} and created_at <= ${completed.createdAt}`;
  const rows = await tx`
    with ended as (
      update connect_attempt set status = 'CANCELED', result_code = 'CANCELED', sealed_code = null,
        sealed_code_verifier = null, finished_at = business_now()
      from ${before(tx, tx`reconnect_connection_id = ${connectionId} and status = any(${[...sourcesOf('attempt', 'CANCELED')]})`)}
      where attempt_id = id_before
        and ${isOlder} and expires_at > business_now()
      returning attempt_id, status_before
    )
    select attempt_id, ${notifyWaiting(tx)} from ended
  `;
  return rows.map((row) => AttemptId.parse(row.attemptId));
}

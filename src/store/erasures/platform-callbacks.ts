import { z } from 'zod';
import { LIVE_CONNECTION, PROVIDER_NAMES, REVOKE_KINDS } from '../../basics/codes.ts';
import { AppId, CallbackSecretId, ConnectionId, CorrelationId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { type DuePage, pageClause } from '../due.ts';
import { findRow, findValue, getValue, hasRows, listOf, listRows } from '../rows.ts';

const Secret = z.object({
  secretId: CallbackSecretId,
  sealedSecret: z.string(),
});
const CallbackRegistration = z.object({
  registrationId: RegistrationId,
  provider: z.enum(PROVIDER_NAMES),
  clientId: z.string(),
  /** Sealed, the newest first. */
  secrets: z.array(Secret),
  /** The clock to compare time stamps with. */
  now: z.date(),
});
/** The registration of a platform's callback, with the secrets that may sign it. */
export type CallbackRegistration = z.infer<typeof CallbackRegistration>;

export async function findCallbackRegistration(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<CallbackRegistration | undefined> {
  return await findRow(sql, CallbackRegistration)`
    select registration_id, provider, client_id, business_now() as now,
      (select coalesce(jsonb_agg(jsonb_build_object('secretId', secret_id, 'sealedSecret', sealed_secret)
          order by created_at desc, secret_id), '[]')
        from platform_callback_secret s where s.registration_id = r.registration_id) as secrets
    from registration r where registration_id = ${registrationId}
  `;
}

/** @returns false if the registration is missing. */
export async function insertCallbackSecret(
  sql: Sql,
  secret: { secretId: CallbackSecretId; registrationId: RegistrationId; sealedSecret: string },
): Promise<boolean> {
  return await hasRows(sql)`
    insert into platform_callback_secret (secret_id, registration_id, sealed_secret)
    select ${secret.secretId}, registration_id, ${secret.sealedSecret}
    from registration where registration_id = ${secret.registrationId}
  `;
}

/** @returns the secret's registration; undefined if the secret is missing. */
export async function deleteCallbackSecret(sql: Sql, secretId: CallbackSecretId): Promise<RegistrationId | undefined> {
  return await findValue(sql, RegistrationId)`
    delete from platform_callback_secret where secret_id = ${secretId} returning registration_id
  `;
}

const NamedConnection = z.object({
  connectionId: ConnectionId,
  appId: AppId,
});
/** A connection to the account that a callback names. */
type NamedConnection = z.infer<typeof NamedConnection>;

export interface NamedAccount {
  readonly registrationId: RegistrationId;
  /** The account's keyed hashes, with every key in use. */
  readonly accountMacs: readonly Buffer[];
  /** To the second. The callback does not concern later grants. */
  readonly happenedAt: Date;
}

const PAGE = 500;

/**
 * Selects connections of the account whose last grant is older than the callback, in a query over `account_grant g join
 * connection c using (connection_id)`.
 */
const isNamed = (sql: Sql, { registrationId, accountMacs, happenedAt }: NamedAccount) => sql`
  g.registration_id = ${registrationId} and g.account_macs && ${byteaArray(sql, accountMacs)}
    and g.obtained_at < ${happenedAt}::timestamptz + interval '1 second'
    and not exists (
      select from account_grant later where later.connection_id = g.connection_id and later.obtained_at > g.obtained_at
    )
`;

/** Lists those with a live grant, in pages, because one account can be connected in any number of scopes. */
export async function* listNamedConnections(sql: Sql, named: NamedAccount): AsyncGenerator<readonly NamedConnection[]> {
  let after: ConnectionId | null = null;
  do {
    const page: NamedConnection[] = await readPage(sql, named, after);
    if (page.length > 0) yield page;
    after = page.length < PAGE ? null : (page.at(-1)?.connectionId ?? null);
  } while (after !== null);
}

async function readPage(sql: Sql, named: NamedAccount, after: ConnectionId | null): Promise<NamedConnection[]> {
  return await listRows(sql, NamedConnection)`
    select c.connection_id, c.app_id from account_grant g join connection c using (connection_id)
    where ${isNamed(sql, named)} and g.status = 'LIVE'
      ${after === null ? sql`` : sql`and c.connection_id > ${after}`}
    order by c.connection_id limit ${PAGE}
  `;
}

/** Counts them in every status, also those that are being disconnected. */
export async function countNamedConnections(sql: Sql, named: NamedAccount): Promise<number> {
  return await getValue(sql, z.number())`
    select count(distinct c.connection_id)::int as count from account_grant g join connection c using (connection_id)
    where ${isNamed(sql, named)}
  `;
}

/** Whether we asked the platform to revoke a grant of this principal, as long as the receipt exists. */
export async function hasOwnRevoke(
  sql: Sql,
  registrationId: RegistrationId,
  principalMacs: readonly Buffer[],
): Promise<boolean> {
  return await hasRows(sql)`
    select from disconnect_job
    where registration_id = ${registrationId} and principal_mac = any(${byteaArray(sql, principalMacs)})
      and kind in ${listOf(sql, REVOKE_KINDS)} and started_at is not null
    limit 1
  `;
}

/** Stores the results of a deletion request. A repeated request, after the erase, finds less: the first answer stays. */
export async function updateDeletionRequest(
  tx: Transaction,
  code: string,
  count: number,
  { registrationId, accountMacs, happenedAt }: NamedAccount,
): Promise<void> {
  await tx`
    update deletion_request set found_count = greatest(found_count, ${count}),
      spared_newer = coalesce(spared_newer, false) or exists (
        select from account_grant g
        where g.registration_id = ${registrationId} and g.account_macs && ${byteaArray(tx, accountMacs)} and g.status = 'LIVE'
          and g.obtained_at >= ${happenedAt}::timestamptz + interval '1 second'
      )
    where code = ${code}
  `;
}

/** Stores a deletion request under the first of `codes`, unless it exists under one of them. @returns its code. */
export async function insertDeletionRequest(tx: Transaction, codes: readonly string[]): Promise<string> {
  const [known] = await tx`select code from deletion_request where code = any(${[...codes]})`;
  if (known) return String(known.code);
  const [code] = codes;
  if (code === undefined) throw new Error('A deletion request needs a code.');
  await tx`insert into deletion_request (code) values (${code}) on conflict do nothing`;
  return code;
}

/**
 * Records all connections that a deletion request names, including disconnected ones. The request is complete when they
 * are gone.
 * @returns the number of connections.
 */
export async function insertDeletionRequestConnections(
  tx: Transaction,
  code: string,
  named: NamedAccount,
  correlationId: CorrelationId,
): Promise<number> {
  return await getValue(tx, z.number())`
    with named as (
      select c.connection_id from account_grant g join connection c using (connection_id)
      where ${isNamed(tx, named)} order by c.connection_id for key share of c
    ), added as (
      insert into deletion_request_connection (code, connection_id, correlation_id)
      select ${code}, connection_id, ${correlationId}::uuid from named
      on conflict do nothing
    )
    select count(distinct connection_id)::int as count from named
  `;
}

const ConnectionToDelete = NamedConnection.extend({
  /** The connection's id. */
  id: z.string(),
  dueAt: z.date(),
  scopeId: ScopeId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  correlationId: CorrelationId,
});
/** A connection that a deletion request names and that is not disconnected yet. */
export type ConnectionToDelete = z.infer<typeof ConnectionToDelete>;

/** Oldest request first. */
export async function listConnectionsToDelete(sql: Sql, page: DuePage): Promise<ConnectionToDelete[]> {
  return await listRows(sql, ConnectionToDelete)`
    select c.connection_id as id, r.requested_at as due_at, c.connection_id, c.scope_id, c.app_id, c.provider,
      c.registration_id, s.tenant_key, s.external_subject_id, d.correlation_id
    from deletion_request r join deletion_request_connection d using (code) join connection c using (connection_id)
      join scope s on s.scope_id = c.scope_id
    where c.status = any(${[...LIVE_CONNECTION]})
      ${pageClause(sql, sql`r.requested_at`, sql`c.connection_id`, page)}
  `;
}

/**
 * Whether a deletion request still names the connection. Removes it from requests made before the person connected it
 * again. Exact while the caller holds the scope's lock.
 */
export async function isDeletionRequested(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  await tx`
    delete from deletion_request_connection d using deletion_request r
    where d.connection_id = ${connectionId} and r.code = d.code and exists (
      select from account_grant g
      where g.connection_id = d.connection_id and g.status = 'LIVE' and g.obtained_at > r.requested_at
    )
  `;
  return await hasRows(tx)`select from deletion_request_connection where connection_id = ${connectionId} limit 1`;
}

const DeletionRequest = z.object({
  requestedAt: z.date(),
  met: z.boolean(),
  /** How many connections it named; null if an older version received it. */
  foundCount: z.number().nullable(),
  /** Whether the account had a newer consent, which the request does not concern. */
  sparedNewer: z.boolean(),
});
export type DeletionRequest = z.infer<typeof DeletionRequest>;

/** The part of a deletion request that its person may see. */
export async function findDeletionRequest(sql: Sql, code: string): Promise<DeletionRequest | undefined> {
  return await findRow(sql, DeletionRequest)`
    select requested_at, not exists (select from deletion_request_connection c where c.code = r.code) as met,
      found_count, coalesce(spared_newer, false) as spared_newer
    from deletion_request r where code = ${code}
  `;
}

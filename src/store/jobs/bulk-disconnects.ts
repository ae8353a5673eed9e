import { z } from 'zod';
import { LIVE_CONNECTION, OPEN_JOB, PROVIDER_NAMES } from '../../basics/codes.ts';
import {
  AppId,
  BulkDisconnectId,
  ConnectionId,
  CorrelationId,
  type JobId,
  newId,
  RegistrationId,
  ScopeId,
} from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { GrantEnd, selectGrantEnd } from '../grants/grant-end.ts';
import { columnsOf, findRow, listRows, listValues } from '../rows.ts';

/** All connections of a tenant, or of a registration. */
export type BulkTarget =
  | { readonly appId: AppId; readonly tenantKey: string }
  | { readonly registrationId: RegistrationId };

const Bulk = z.object({
  bulkDisconnectId: BulkDisconnectId,
  appId: AppId.nullable(),
  appName: z.string().nullable(),
  tenantKey: z.string().nullable(),
  registrationId: RegistrationId.nullable(),
  registrationLabel: z.string().nullable(),
  total: z.number(),
  disconnected: z.number(),
  unsettled: z.number(),
  revokesFailed: z.number(),
  correlationId: CorrelationId,
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
});
/** A bulk disconnect and its progress. */
export type BulkDisconnect = z.infer<typeof Bulk>;

const columns = columnsOf('b', Bulk, {
  appName: (sql) => sql`(select name from app where app.app_id = b.app_id)`,
  registrationLabel: (sql) => sql`(select label from registration r where r.registration_id = b.registration_id)`,
  unsettled: (sql) => sql`(
    select count(*)::int from disconnect_job j
    where j.bulk_disconnect_id = b.bulk_disconnect_id and kind = 'ERASE' and status = any(${[...OPEN_JOB]})
  )`,
  revokesFailed: (sql) => sql`(
    select count(*)::int from disconnect_job j
    where j.bulk_disconnect_id = b.bulk_disconnect_id and kind = 'REVOKE' and status = 'FAILED'
  )`,
});

/** Selects the target's live connections in a query over `connection c join scope s using (scope_id)`. */
const ofTarget = (sql: Sql, target: BulkTarget) =>
  'registrationId' in target
    ? sql`c.registration_id = ${target.registrationId} and c.status = any(${[...LIVE_CONNECTION]})`
    : sql`s.app_id = ${target.appId} and s.tenant_key = ${target.tenantKey} and c.status = any(${[...LIVE_CONNECTION]})`;

const ProviderCount = z.object({ provider: z.enum(PROVIDER_NAMES), grantEnd: GrantEnd, count: z.number() });

/** By provider, and by the end of their grant. */
export async function countLiveConnections(sql: Sql, target: BulkTarget): Promise<z.infer<typeof ProviderCount>[]> {
  return await listRows(sql, ProviderCount)`
    select c.provider, ${selectGrantEnd(sql, 'g')}, count(*)::int as count
    from connection c join scope s using (scope_id)
      left join account_grant g on g.connection_id = c.connection_id and g.status = 'LIVE'
    where ${ofTarget(sql, target)}
    group by 1, 2 order by 1, 2
  `;
}

/** @returns the run in progress over the same connections, otherwise a new one. */
export async function insertBulkDisconnect(
  tx: Transaction,
  target: BulkTarget,
  total: number,
  correlationId: CorrelationId,
): Promise<{ bulkDisconnectId: BulkDisconnectId; isNew: boolean }> {
  const {
    appId = null,
    tenantKey = null,
    registrationId = null,
  } = { ...target } as Partial<Record<'appId' | 'tenantKey' | 'registrationId', string>>;
  const bulkDisconnectId = newId<BulkDisconnectId>();
  const made = await tx`
    insert into bulk_disconnect (bulk_disconnect_id, app_id, tenant_key, registration_id, total, correlation_id)
    values (${bulkDisconnectId}, ${appId}, ${tenantKey}, ${registrationId}, ${total}, ${correlationId})
    on conflict do nothing returning bulk_disconnect_id
  `;
  if (made.length > 0) return { bulkDisconnectId, isNew: true };
  const [row] = await tx`
    select bulk_disconnect_id from bulk_disconnect
    where finished_at is null and app_id is not distinct from ${appId}
      and tenant_key is not distinct from ${tenantKey} and registration_id is not distinct from ${registrationId}
  `;
  if (!row) throw new Error('A bulk disconnect ended while another one started.');
  return { bulkDisconnectId: BulkDisconnectId.parse(row.bulkDisconnectId), isNew: false };
}

export async function findBulkDisconnect(sql: Sql, id: BulkDisconnectId): Promise<BulkDisconnect | undefined> {
  return await findRow(sql, Bulk)`select ${columns(sql)} from bulk_disconnect b where bulk_disconnect_id = ${id}`;
}

const Outcome = z.object({ revoked: z.number(), ended: z.number(), leftToPerson: z.number(), erased: z.number() });
export type BulkOutcome = z.infer<typeof Outcome>;

/** The state of its receipts. Undefined from seven days after its start, when retention deletes them. Reads all of them. */
export async function findBulkOutcome(sql: Sql, id: BulkDisconnectId): Promise<BulkOutcome | undefined> {
  return await findRow(sql, Outcome)`
    select
      count(*) filter (where kind <> 'ERASE' and status = 'SUCCEEDED' and creator_action is null and grant_id is not null)::int as revoked,
      count(*) filter (where kind <> 'ERASE' and status = 'SUCCEEDED' and creator_action is null and grant_id is null)::int as ended,
      count(*) filter (where kind <> 'ERASE' and creator_action is not null)::int as left_to_person,
      count(*) filter (where kind = 'ERASE' and status = 'SUCCEEDED')::int as erased
    from bulk_disconnect b left join disconnect_job j using (bulk_disconnect_id)
    where b.bulk_disconnect_id = ${id} and b.started_at > business_now() - interval '7 days'
    group by b.bulk_disconnect_id
  `;
}

/** The newest 50, newest first. */
export async function listBulkDisconnects(sql: Sql): Promise<BulkDisconnect[]> {
  return await listRows(sql, Bulk)`
    select ${columns(sql)} from bulk_disconnect b order by started_at desc, bulk_disconnect_id limit 50
  `;
}

const Member = z.object({
  connectionId: ConnectionId,
  scopeId: ScopeId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  tenantKey: z.string(),
  externalSubjectId: z.string(),
});
/** A connection with the facts that a disconnect needs. */
type Disconnectable = z.infer<typeof Member>;

const member = (sql: Sql) => sql`
  select c.connection_id, c.scope_id, c.app_id, c.provider, c.registration_id, s.tenant_key, s.external_subject_id
  from connection c join scope s using (scope_id)
`;

/** Lists connections of the target that are not disconnected yet. */
export async function listLiveConnections(sql: Sql, target: BulkTarget, limit: number): Promise<Disconnectable[]> {
  return await listRows(sql, Member)`
    ${member(sql)} where ${ofTarget(sql, target)} order by c.created_at, c.connection_id limit ${limit}
  `;
}

export async function findDisconnectable(sql: Sql, connectionId: ConnectionId): Promise<Disconnectable | undefined> {
  return await findRow(sql, Member)`${member(sql)} where c.connection_id = ${connectionId}`;
}

/** Lists all connections of a scope, in any status. */
export async function listConnectionsOfScope(sql: Sql, scopeId: ScopeId): Promise<Disconnectable[]> {
  return await listRows(sql, Member)`
    ${member(sql)} where c.scope_id = ${scopeId} order by c.created_at, c.connection_id
  `;
}

/** Adds one to the number of disconnected connections. */
export async function updateDisconnectedCount(sql: Sql, id: BulkDisconnectId): Promise<void> {
  await sql`
    update bulk_disconnect set disconnected = disconnected + 1, total = greatest(total, disconnected + 1)
    where bulk_disconnect_id = ${id}
  `;
}

export async function finishBulkDisconnect(sql: Sql, id: BulkDisconnectId): Promise<void> {
  await sql`
    update bulk_disconnect set finished_at = business_now() where bulk_disconnect_id = ${id} and finished_at is null
  `;
}

/** Lists the ids of the bulk disconnects and erasures that a connection's disconnect belongs to. */
export async function listParentIds(sql: Sql, connectionId: ConnectionId): Promise<string[]> {
  return await listValues(sql, z.string())`
    select distinct id from disconnect_job cross join lateral unnest(array[bulk_disconnect_id, erasure_id]) as id
    where connection_id = ${connectionId} and id is not null
  `;
}

/** Makes jobs count towards a bulk disconnect. */
export async function assignJobsToBulk(
  sql: Sql,
  bulkDisconnectId: BulkDisconnectId,
  jobIds: readonly JobId[],
): Promise<void> {
  await sql`
    update disconnect_job set bulk_disconnect_id = ${bulkDisconnectId} where job_id = any(${[...jobIds]}::uuid[])
  `;
}

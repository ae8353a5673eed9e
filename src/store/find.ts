import { z } from 'zod';
import { AppId } from '../basics/ids.ts';
import type { Fragment, Sql } from './driver/sql.ts';
import { listRows } from './rows.ts';

const FOUND_KINDS = [
  'CONNECTION',
  'JOB',
  'ATTEMPT',
  'APP',
  'TENANT',
  'REGISTRATION',
  'KEY',
  'ISSUER',
  'BULK_DISCONNECT',
  'ERASURE',
  'AUDIT_ENTRY',
] as const;

const Found = z.object({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  appId: AppId.nullable(),
  label: z.string().nullable(),
});
/** A thing that an operator can open. */
export type Found = z.infer<typeof Found>;

/** The first and the last id that begin with a short id. The same twice for a whole id. */
export interface IdRange {
  readonly low: string;
  readonly high: string;
}

/** The most of each kind that a short id or a correlation id finds. */
const MAX_OF_KIND = 10;

/** Finds things by their id, or by the id of the request that created them, each by index. */
export async function findById(sql: Sql, { low, high }: IdRange): Promise<Found[]> {
  const within = (column: string) => sql`${sql(column)} between ${low}::uuid and ${high}::uuid`;
  const part = (kind: (typeof FOUND_KINDS)[number], id: string, table: string, appId: Fragment, label: Fragment) => sql`
    (select ${kind} as kind, ${sql(id)}::text as id, ${appId} as app_id, ${label} as label
    from ${sql(table)} where ${within(id)} limit ${MAX_OF_KIND})`;
  const ofRequest = (kind: (typeof FOUND_KINDS)[number], id: string, table: string) => sql`
    (select ${kind} as kind, ${sql(id)}::text as id, app_id, 'of this request' as label
    from ${sql(table)} where ${within('correlation_id')} limit ${MAX_OF_KIND})`;
  const app = sql`app_id`;
  const none = sql`null::text`;
  return await listRows(sql, Found)`
    ${part('CONNECTION', 'connection_id', 'connection', app, sql`provider || ', ' || status`)}
    union all
    (select 'CONNECTION', connection_id::text, app_id, 'receipts of a disconnect'
      from disconnect_job where ${within('connection_id')} and kind = 'ERASE'
        and not exists (select from connection c where c.connection_id = disconnect_job.connection_id)
      limit ${MAX_OF_KIND})
    union all ${part('JOB', 'job_id', 'read_job', app, sql`kind || ', ' || status`)}
    union all ${part('JOB', 'job_id', 'disconnect_job', app, sql`kind || ', ' || status`)}
    union all ${part('ATTEMPT', 'attempt_id', 'connect_attempt', app, sql`provider || ', ' || status`)}
    union all ${part('APP', 'app_id', 'app', app, sql`name`)}
    union all ${part('REGISTRATION', 'registration_id', 'registration', sql`null::uuid`, sql`label`)}
    union all ${part('KEY', 'key_id', 'app_key', app, none)}
    union all ${part('ISSUER', 'issuer_id', 'identity_issuer', sql`null::uuid`, sql`issuer`)}
    union all ${part('BULK_DISCONNECT', 'bulk_disconnect_id', 'bulk_disconnect', app, none)}
    union all ${part('ERASURE', 'erasure_id', 'erasure', app, none)}
    union all ${ofRequest('ATTEMPT', 'attempt_id', 'connect_attempt')}
    union all ${ofRequest('JOB', 'job_id', 'read_job')}
    union all ${ofRequest('JOB', 'job_id', 'disconnect_job')}
    union all
    (select 'AUDIT_ENTRY', correlation_id::text, null::uuid, action from audit_log
      where ${within('correlation_id')} limit ${MAX_OF_KIND})
  `;
}

/** Finds the tenants with exactly this key, of any app. */
export async function findTenantsByKey(sql: Sql, tenantKey: string): Promise<Found[]> {
  return await listRows(sql, Found)`
    select 'TENANT' as kind, t.tenant_key as id, app.app_id, app.name as label
    from app cross join lateral (
      select tenant_key from tenant where tenant.app_id = app.app_id and tenant_key = ${tenantKey}
    ) t
    order by app.created_at desc limit ${MAX_OF_KIND}
  `;
}

/** Finds an entry of the audit log by its number, or entries that name an id of something else, such as a token. */
export async function findAuditEntries(sql: Sql, { low, high }: IdRange): Promise<Found[]> {
  if (low !== high) return [];
  return await listRows(sql, Found)`
    select 'AUDIT_ENTRY' as kind, ${low} as id, null::uuid as app_id, 'entries that name it' as label
    where exists (select from audit_log where target = ${low} or related && ${[low]}::text[])
  `;
}

import { z } from 'zod';
import { AppId } from '../basics/ids.ts';
import { nameAccount } from './connections/account-names.ts';
import type { Fragment, Sql } from './driver/sql.ts';
import { listRows } from './rows.ts';

const FOUND_KINDS = [
  'CONNECTION',
  'JOB',
  'ATTEMPT',
  'SIGN_IN',
  'PERSON',
  'APP',
  'TENANT',
  'REGISTRATION',
  'KEY',
  'ADMIN_TOKEN',
  'ISSUER',
  'WEBHOOK_ENDPOINT',
  'WEBHOOK_DELIVERY',
  'BULK_DISCONNECT',
  'ERASURE',
  'AUDIT_ENTRY',
] as const;
type FoundKind = (typeof FOUND_KINDS)[number];

const Found = z.object({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  appId: AppId.nullable(),
  tenantKey: z.string().nullable().default(null),
  label: z.string().nullable(),
});
/** A thing that an operator can open. */
export type Found = z.infer<typeof Found>;

/** The first and the last id that begin with a short id. The same twice for a whole id. */
export interface IdRange {
  readonly low: string;
  readonly high: string;
}

/** The most of each kind that a short id, a correlation id or a name finds. */
const MAX_OF_KIND = 10;

const app = (sql: Sql) => sql`app_id`;
const noApp = (sql: Sql) => sql`null::uuid`;

/** Finds things by their id, or by an id that belongs to them, each by index. */
export async function findById(sql: Sql, { low, high }: IdRange): Promise<Found[]> {
  const within = (column: string) => sql`${sql(column)} between ${low}::uuid and ${high}::uuid`;
  const part = (kind: FoundKind, id: string, table: string, appId: Fragment, label: Fragment) => sql`
    (select ${kind} as kind, ${sql(id)}::text as id, ${appId} as app_id, ${label} as label
    from ${sql(table)} where ${within(id)} limit ${MAX_OF_KIND})`;
  const ofRequest = (kind: FoundKind, id: string, table: string) => sql`
    (select ${kind} as kind, ${sql(id)}::text as id, app_id, 'of this request' as label
    from ${sql(table)} where ${within('correlation_id')} limit ${MAX_OF_KIND})`;
  const none = sql`null::text`;
  return await listRows(sql, Found)`
    ${part('CONNECTION', 'connection_id', 'connection', app(sql), sql`provider || ', ' || status`)}
    union all
    (select 'CONNECTION', connection_id::text, app_id, 'receipts of a disconnect'
      from disconnect_job where ${within('connection_id')} and kind = 'ERASE'
        and not exists (select from connection c where c.connection_id = disconnect_job.connection_id)
      limit ${MAX_OF_KIND})
    union all
    (select 'CONNECTION', connection_id::text, app_id, 'has this grant'
      from account_grant g join scope using (scope_id) where ${within('grant_id')} and connection_id is not null
      limit ${MAX_OF_KIND})
    union all
    (select 'ATTEMPT', attempt_id::text, app_id, 'has this grant'
      from account_grant g join scope using (scope_id) where ${within('grant_id')} and connection_id is null
      limit ${MAX_OF_KIND})
    union all
    (select 'JOB', job_id::text, app_id, 'revokes this grant'
      from disconnect_job where grant_id between ${low}::uuid and ${high}::uuid
        and not exists (select from account_grant g where g.grant_id = disconnect_job.grant_id)
      limit ${MAX_OF_KIND})
    union all
    (select 'CONNECTION', connection_id::text, app_id, 'has this post'
      from content_item join connection using (connection_id) where ${within('content_item_id')} limit ${MAX_OF_KIND})
    union all ${part('JOB', 'job_id', 'read_job', app(sql), sql`kind || ', ' || status`)}
    union all ${part('JOB', 'job_id', 'disconnect_job', app(sql), sql`kind || ', ' || status`)}
    union all ${part('ATTEMPT', 'attempt_id', 'connect_attempt', app(sql), sql`provider || ', ' || status`)}
    union all ${part('SIGN_IN', 'attempt_id', 'identity_attempt', app(sql), sql`status`)}
    union all ${part('APP', 'app_id', 'app', app(sql), sql`name`)}
    union all ${part('REGISTRATION', 'registration_id', 'registration', noApp(sql), sql`label`)}
    union all ${part('KEY', 'key_id', 'app_key', app(sql), sql`label`)}
    union all ${part('ADMIN_TOKEN', 'token_id', 'admin_token', noApp(sql), sql`label`)}
    union all ${part('ISSUER', 'issuer_id', 'identity_issuer', noApp(sql), sql`issuer`)}
    union all ${part('WEBHOOK_ENDPOINT', 'endpoint_id', 'webhook_endpoint', app(sql), none)}
    union all ${part('WEBHOOK_DELIVERY', 'delivery_id', 'webhook_delivery', app(sql), sql`event_type || ', ' || status`)}
    union all
    (select 'WEBHOOK_DELIVERY', delivery_id::text, app_id, event_type || ', ' || status || ', of this event'
      from webhook_delivery where ${within('event_id')} limit ${MAX_OF_KIND})
    union all ${part('BULK_DISCONNECT', 'bulk_disconnect_id', 'bulk_disconnect', app(sql), none)}
    union all ${part('ERASURE', 'erasure_id', 'erasure', app(sql), none)}
    union all ${ofRequest('ATTEMPT', 'attempt_id', 'connect_attempt')}
    union all ${ofRequest('SIGN_IN', 'attempt_id', 'identity_attempt')}
    union all ${ofRequest('JOB', 'job_id', 'read_job')}
    union all ${ofRequest('JOB', 'job_id', 'disconnect_job')}
    union all
    (select 'AUDIT_ENTRY', correlation_id::text, null::uuid, action from audit_log
      where ${within('correlation_id')} limit ${MAX_OF_KIND})
  `;
}

/** Finds things by a name that callers or persons chose, exactly: tenants, persons, accounts (or a profile's URL), clients and apps. */
export async function findByName(sql: Sql, name: string): Promise<Found[]> {
  const { byId, byHandle, byDisplayName } = nameAccount(sql, name);
  const account = (condition: Fragment, label: string) => sql`
    (select 'CONNECTION', connection_id::text, app_id, provider || ${`, has this ${label}`}, null
    from connection where ${condition} limit ${MAX_OF_KIND})`;
  return await listRows(sql, Found)`
    (select 'TENANT' as kind, t.tenant_key as id, app.app_id, app.name as label, null::text as tenant_key
      from app cross join lateral (
        select tenant_key from tenant where tenant.app_id = app.app_id and tenant_key = ${name}
      ) t
      order by app.created_at desc limit ${MAX_OF_KIND})
    union all
    (select 'PERSON', external_subject_id, app_id, (select name from app where app.app_id = scope.app_id), tenant_key
      from scope where external_subject_id = ${name} limit ${MAX_OF_KIND})
    union all
    ${account(byId, 'account')}
    union all
    ${account(byHandle, 'handle')}
    union all
    ${account(byDisplayName, 'name')}
    union all
    (select 'REGISTRATION', registration_id::text, null, label, null
      from registration where client_id = ${name} or lower(label collate "default") = lower(${name}) limit ${MAX_OF_KIND})
    union all
    (select 'ISSUER', issuer_id::text, null, issuer, null
      from identity_issuer where client_id = ${name} or issuer = ${name} limit ${MAX_OF_KIND})
    union all
    (select 'APP', app_id::text, app_id, name, null
      from app where lower(name collate "default") = lower(${name}) order by created_at desc limit ${MAX_OF_KIND})
  `;
}

/** A person whose subject begins and ends so. Looks at no more rows than these with the same beginning. */
const MOST_WITH_BEGINNING = 1_000;
/** Behind all characters in the order of the index. */
const LAST = '\u{10FFFF}';

/** Finds persons by their shortened subjects. */
export async function findByShortSubject(
  sql: Sql,
  { begin, end }: { readonly begin: string; readonly end: string },
): Promise<Found[]> {
  return await listRows(sql, Found)`
    select 'PERSON' as kind, external_subject_id as id, app_id, tenant_key,
      (select name from app where app.app_id = found.app_id) as label
    from (
      select external_subject_id, app_id, tenant_key from scope
      where external_subject_id >= ${begin} and external_subject_id < ${begin + LAST} limit ${MOST_WITH_BEGINNING}
    ) as found
    where right(external_subject_id, ${end.length}) = ${end} limit ${MAX_OF_KIND}
  `;
}

/** How a platform names a post: by its id, or by the code in its URL. */
export type PostName = { readonly id: string } | { readonly code: string };

/** Finds the connections that hold a post. */
export async function findByPost(sql: Sql, post: PostName): Promise<Found[]> {
  const named = 'id' in post ? sql`provider_content_id = ${post.id}` : sql`code_in_url(canonical_url) = ${post.code}`;
  return await listRows(sql, Found)`
    select 'CONNECTION' as kind, connection_id::text as id, app_id, provider || ', has this post' as label
    from content_item join connection using (connection_id) where ${named} limit ${MAX_OF_KIND}
  `;
}

/** Finds an entry of the audit log by its number, or entries that name an id of something else. */
export async function findAuditEntries(sql: Sql, { low, high }: IdRange): Promise<Found[]> {
  if (low !== high) return [];
  return await listRows(sql, Found)`
    select 'AUDIT_ENTRY' as kind, ${low} as id, null::uuid as app_id, 'entries that name it' as label
    where exists (select from audit_log where target = ${low} or related && ${[low]}::text[])
  `;
}

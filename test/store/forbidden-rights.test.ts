import { expect } from 'vitest';
import { type Database, type Sql, test } from '../kit/postgres.ts';

const ROLES = ['api', 'worker', 'maintenance', 'readonly'] as const;

/**
 * Who must never read a sealed, secret or personal column. `ops/postgres/roles.sql` has the rights of each role: if a right is
 * missing, a test that runs as that role fails.
 */
const NEVER_READS = `
account_grant.account_macs                  readonly
account_grant.import_mac                    api worker readonly
account_grant.principal_mac                 readonly
account_grant.profile                       readonly
account_grant.provider_account_id           readonly
account_grant.sealed_tokens                 api readonly
admin_idempotency.idempotency_key           worker maintenance readonly
admin_idempotency.request_mac               worker maintenance readonly
admin_session.session_sha256                worker maintenance readonly
admin_token.label                           worker maintenance readonly
admin_token.openid_sub                      maintenance readonly
admin_token.secret_sha256                   worker maintenance readonly
app_key.secret_sha256                       worker maintenance readonly
audit_log.actor                             worker maintenance readonly
audit_log.target                            worker maintenance readonly
bulk_disconnect.tenant_key                  maintenance readonly
connect_attempt.browser_sha256              maintenance readonly
connect_attempt.launch_token_sha256         worker maintenance readonly
connect_attempt.sealed_code                 readonly
connect_attempt.sealed_code_verifier        readonly
connect_attempt.state_sha256                worker maintenance readonly
connection.profile                          readonly
connection.provider_account_id              readonly
content_item.canonical_url                  maintenance readonly
content_item.content_mac                    readonly
content_item.details                        maintenance readonly
content_item.provider_content_id            maintenance readonly
deletion_request.code                       maintenance readonly
deletion_request_connection.code            maintenance readonly
disconnect_job.account_macs                 readonly
disconnect_job.principal_mac                readonly
disconnect_job.scope_mac                    readonly
disconnect_job.sealed_tokens                api readonly
erasure.scope_mac                           worker maintenance readonly
identity_attempt.browser_sha256             maintenance readonly
identity_attempt.launch_token_sha256        worker maintenance readonly
identity_attempt.result_proof_sha256        worker maintenance readonly
identity_attempt.sealed_claims              worker readonly
identity_attempt.sealed_code                readonly
identity_attempt.sealed_code_verifier       readonly
identity_attempt.sealed_nonce               readonly
identity_attempt.state_sha256               worker maintenance readonly
identity_attempt.tenant_key                 maintenance readonly
identity_issuer.sealed_client_secret        readonly
imported_token.import_mac                   api readonly
platform_callback_secret.sealed_secret      worker readonly
read_job.provider_content_id                maintenance readonly
read_job.provider_cursor                    maintenance readonly
read_job.result_provider_content_id         maintenance readonly
read_job.url                                maintenance readonly
read_job.url_sha256                         worker maintenance readonly
registration.sealed_client_secret           readonly
scope.external_subject_id                   readonly
scope.tenant_key                            readonly
tenant.tenant_key                           maintenance readonly
webhook_endpoint.url                        maintenance readonly
webhook_secret.sealed_secret                api readonly
`;

/** Columns that may hold one of these, by their name. Each needs a line above. */
const SENSITIVE = /^sealed_|_sha256$|_macs?$|^profile$|account_id$|subject_id$|tenant_key|content_id$|^url$|cursor$/;

/** The roles that must never change access rules, proofs, or columns that only triggers write. `readonly` changes nothing. */
const NEVER_WRITES = `
insert account_grant                        api maintenance
insert admin_token                          worker maintenance
insert app_key                              worker maintenance
insert audit_log.happened_at                api worker maintenance
insert connection                           api maintenance
insert journal_entry                        api worker maintenance
insert return_url                           worker maintenance
insert webhook_endpoint                     worker maintenance
update admin_token.expires_at               api worker maintenance
update admin_token.role                     api worker maintenance
update admin_token.secret_sha256            api worker maintenance
update app_key.secret_sha256                api worker maintenance
update audit_log                            api worker maintenance
update connection.scope_id                  api worker maintenance
update journal_entry                        api worker maintenance
update journal_state                        api
update schema_migration                     api worker maintenance
update webhook_endpoint.url                 worker maintenance
delete account_grant                        api maintenance
delete admin_token                          api maintenance
delete audit_log                            api maintenance
delete connection                           api maintenance
delete disconnect_job                       api maintenance
delete journal_entry                        api maintenance
delete schema_migration                     api worker maintenance
`;

const readList = (text: string, verb: string): string[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, name = '', roles = ''] = /^(.+?)\s{2,}(.+)$/.exec(line) ?? [];
      return roles.split(' ').map((role) => `${role}: ${verb}${name}`);
    });
const FORBIDDEN = [...readList(NEVER_READS, 'select '), ...readList(NEVER_WRITES, '')];

/** Every right of a role to a column, and to the rows of a table: its own, through another role, or through public. */
async function listGiven(sql: Sql, role: (typeof ROLES)[number]): Promise<string[]> {
  const rows = await sql`
    select lower(privilege) || ' ' || relname as own, attname as column
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped,
      unnest(array['SELECT', 'INSERT', 'UPDATE']) as privilege
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and has_column_privilege(${`accounts_${role}`}, pg_class.oid, attnum, privilege)
    union all
    select 'delete ' || relname, null from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and has_table_privilege(${`accounts_${role}`}, pg_class.oid, 'DELETE')
    union all
    select 'execute ' || proname, null from pg_proc
    where pronamespace = 'public'::regnamespace and has_function_privilege(${`accounts_${role}`}, pg_proc.oid, 'EXECUTE')
      and not has_function_privilege('public', pg_proc.oid, 'EXECUTE')
  `;
  return rows.map(({ own, column }) => (column === null ? String(own) : `${own}.${column}`)).sort();
}

/** Rights that are forbidden, and granted all the same. */
async function findForbidden(sql: Sql): Promise<string[]> {
  const found = new Set<string>();
  for (const role of ROLES) {
    for (const right of await listGiven(sql, role)) {
      const ofTable = right.replace(/\..*/, '');
      for (const name of [right, ofTable]) if (FORBIDDEN.includes(`${role}: ${name}`)) found.add(`${role}: ${right}`);
      if (role === 'readonly' && !right.startsWith('select ')) found.add(`${role}: ${right}`);
    }
  }
  return [...found];
}

const listColumns = async (sql: Database): Promise<string[]> =>
  (
    await sql`
      select relname || '.' || attname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
    `
  ).map((row) => String(row.name));

test('no role has a right that it must never have', async ({ sql }) => {
  expect(await findForbidden(sql)).toEqual([]);
});

test('each sealed, secret or personal column has a line, and each line a column', async ({ sql }) => {
  const columns = await listColumns(sql);
  const listed = NEVER_READS.trim()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
  const sensitive = columns.filter((name) => SENSITIVE.test(name.replace(/.*\./, '')));
  const withoutLine = sensitive.filter((name) => !listed.includes(name) && !NOT_SENSITIVE.includes(name));
  expect(withoutLine, 'say in NEVER_READS who must never read it').toEqual([]);
  expect([...listed, ...NOT_SENSITIVE].filter((name) => !columns.includes(name))).toEqual([]);
  const tables = new Set(columns.map((name) => name.replace(/\..*/, '')));
  const written = NEVER_WRITES.trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[1] ?? '');
  expect(written.filter((name) => !(name.includes('.') ? columns.includes(name) : tables.has(name)))).toEqual([]);
});

/** The app's own picture, which every browser sees. */
const NOT_SENSITIVE = ['app_logo.sha256', 'return_url.url'];

test.for(ROLES)('%s has no other right to tables, sequences or the schema', async (role, { sql }) => {
  const name = `accounts_${role}`;
  const rows = await sql`
    select privilege || ' ' || relname as right from pg_class,
      unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER']
        || case when current_setting('server_version_num')::int >= 170000 then array['MAINTAIN'] end) as privilege
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and has_table_privilege(${name}, pg_class.oid, privilege)
    union all
    select privilege || ' ' || relname from pg_class, unnest(array['USAGE', 'SELECT', 'UPDATE']) as privilege
    where relnamespace = 'public'::regnamespace and relkind = 'S' and has_sequence_privilege(${name}, pg_class.oid, privilege)
    union all
    select 'CREATE public' where has_schema_privilege(${name}, 'public', 'CREATE')
  `;
  expect(rows.map((row) => row.right)).toEqual([]);
});

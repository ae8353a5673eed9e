import type { Sql } from './sql.ts';

/** A kind of process, each with a role of its own in the database. */
type Process = 'api' | 'worker';

interface Rights {
  readonly to: readonly ('SELECT' | 'INSERT' | 'UPDATE' | 'DELETE')[];
  readonly of: readonly string[];
  /** Without any, the whole table is meant. */
  readonly columns?: readonly string[];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const SHARED = words(`
  app app_key tenant return_url launch_origin app_policy registration registration_app identity_issuer app_identity
  scope connection connect_attempt identity_attempt read_job outbox platform_callback_secret deletion_request
  deletion_request_connection registration_usage admin_token admin_session admin_idempotency bulk_disconnect erasure
  admin_job
`);

/** Of tables that hold sealed tokens: all columns but those. */
const GRANT_COLUMNS = words(`
  grant_id attempt_id scope_id provider registration_id connection_id status principal_mac account_macs permissions
  access_expires_at refresh_expires_at generation refresh_claim refresh_claimed_at provider_account_id profile
  profile_observed_at obtained_at
`);
const JOB_COLUMNS = words(`
  job_id kind status connection_id grant_id attempt_id app_id provider registration_id scope_mac scope_id
  principal_mac creator_action error_code run tries last_failure first_failed_at next_retry_at give_up_at
  correlation_id created_at started_at finished_at bulk_disconnect_id erasure_id refresh_claim refresh_claimed_at keeps_tokens
`);

/**
 * What each process needs, as `ops/postgres/roles.sql` gives it. By name: a table or column that only a newer version knows
 * is not missed by an older one that goes on beside it.
 */
export const RIGHTS: Readonly<Record<Process, readonly Rights[]>> = {
  worker: [
    {
      to: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
      of: [...SHARED, 'account_grant', 'release_job', 'content_item', 'coverage', 'journal_entry', 'journal_state'],
    },
    { to: ['SELECT', 'INSERT'], of: ['audit_log'] },
    { to: ['SELECT'], of: ['schema_migration'] },
  ],
  api: [
    { to: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'], of: SHARED },
    { to: ['SELECT', 'INSERT'], of: ['audit_log', 'journal_entry'] },
    { to: ['SELECT'], of: ['content_item', 'coverage', 'journal_state', 'schema_migration'] },
    { to: ['INSERT', 'UPDATE'], of: ['release_job'] },
    { to: ['SELECT'], of: ['release_job'], columns: JOB_COLUMNS },
    {
      to: ['UPDATE'],
      of: ['account_grant'],
      columns: ['status', 'sealed_tokens', 'profile', 'provider_account_id'],
    },
    { to: ['SELECT'], of: ['account_grant'], columns: GRANT_COLUMNS },
  ],
};

/** How many are named: of a role that has nothing at all, the rest is as well left out. */
const NAMED = 5;

/**
 * Which rights the role that `sql` comes as lacks, in a sentence for whoever runs the service; undefined when it has all. Of
 * a table or column that is not there none is missed: its migration is pending.
 */
export async function describeLackingRights(sql: Sql, process: Process): Promise<string | undefined> {
  const needed = RIGHTS[process].flatMap(({ to, of, columns = [null] }) =>
    of.flatMap((table) => columns.flatMap((column) => to.map((privilege) => ({ table, column, privilege })))),
  );
  const [row] = await sql`
    select current_user as role, array(
      select concat(privilege, ' on ', "table", '.' || "column")
      from jsonb_to_recordset(${sql.json(needed)}) as needed ("table" text, "column" text, privilege text)
      join pg_class on pg_class.oid = to_regclass("table")
      left join pg_attribute on attrelid = pg_class.oid and attname = "column"
      where not case when "column" is null then has_table_privilege(pg_class.oid, privilege)
        else has_column_privilege(pg_class.oid, attnum, privilege) end
      order by "table", "column", privilege
    ) as lacking
  `;
  const lacking = row?.lacking as readonly string[];
  if (lacking.length === 0) return undefined;
  const rest = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
  return `the database role ${row?.role} lacks ${lacking.slice(0, NAMED).join(', ')}${rest}: run ops/postgres/roles.sql again`;
}

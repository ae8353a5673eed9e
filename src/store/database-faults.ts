import { RefusedDatabaseError } from '../basics/errors.ts';
import { describeDatabaseFailure } from './driver/database-failure.ts';
import { type Database, inTransaction, openBeside, SESSION_SETTINGS, type Sql, TIME_LIMITS } from './driver/sql.ts';
import { listPendingMigrations, refuseOldServer } from './migrate.ts';
import { describeMissingRights, type Process } from './rights.ts';

/** Each session must have the time limits that it asked for. A pooler may have dropped them. */
const LIMIT_NAMES = Object.keys(TIME_LIMITS).filter((name) => name.endsWith('_timeout'));

/** Lists why statements of this process would fail, or could run without end. @throws OldServerError */
async function listSessionFaults(sql: Database): Promise<string[]> {
  const [row] = await sql`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only,
      array(
        select name from unnest(${LIMIT_NAMES}::text[]) as name where current_setting(name) = '0'
      ) as without_limit,
      array(select name from (values
        ('TimeZone', current_setting('TimeZone') in ('UTC', 'Etc/UTC')),
        ('DateStyle', current_setting('DateStyle') like 'ISO%'),
        ('IntervalStyle', current_setting('IntervalStyle') = 'postgres'),
        ('bytea_output', current_setting('bytea_output') = 'hex'),
        ('search_path', current_schemas(false) = '{public}'),
        ('default_transaction_isolation', current_setting('default_transaction_isolation') = 'read committed'),
        ('standard_conforming_strings', current_setting('standard_conforming_strings') = 'on')
      ) as setting (name, is_ours) where not is_ours) as foreign_settings,
      current_setting('server_version_num')::int as version
  `;
  const { isReadOnly, withoutLimit, foreignSettings, version } = row as {
    isReadOnly: boolean;
    withoutLimit: string[];
    foreignSettings: (keyof typeof SESSION_SETTINGS)[];
    version: number;
  };
  refuseOldServer(version);
  if (isReadOnly) return ['the database is read-only'];
  if (withoutLimit.length > 0)
    return [
      `the connection to the database has no ${withoutLimit.join(', ')}: a pooler in between drops them. Set them for the role (alter role … set), or connect to Postgres directly`,
    ];
  return foreignSettings.map((name) =>
    name === 'search_path'
      ? 'the search_path of the session finds other schemas than public, or not public: the database lacks it, or a pooler drops the setting. Set it for the role (alter role … set search_path = public)'
      : `the session has not ${name} = '${SESSION_SETTINGS[name]}': a pooler in between drops it. Set it for the role (alter role … set ${name} = '${SESSION_SETTINGS[name]}')`,
  );
}

/**
 * Refuses a pooler that gives the session of one connection to another between two transactions: it drops notifications, and the
 * server refuses statements that another session has prepared. @throws RefusedDatabaseError
 */
export async function refuseSharedSessions(sql: Database): Promise<void> {
  const ask = async (connection: Sql) => (await connection`select pg_backend_pid() as session`)[0]?.session;
  // Not one that the pool reserves: if that is lost, the driver gives it to the next statement, which ends the process
  // (porsager/postgres 1208).
  const [one, other] = [openBeside(sql), openBeside(sql)];
  try {
    const session = await ask(one);
    // The first connection is still open: the pooler would give the other one the session that was last used.
    if ((await inTransaction(other, ask)) !== session) return;
  } finally {
    await Promise.all([one.end({ timeout: 0 }), other.end({ timeout: 0 })]);
  }
  throw new RefusedDatabaseError(
    'A pooler before the database shares sessions: set its pool_mode to session (docs/failover.md).',
  );
}

/**
 * Lists why a process cannot work with this database, as text for operators; empty if it can. Missing rights come
 * first, because a role without rights cannot see pending migrations.
 * @throws RefusedDatabaseError
 */
export async function listDatabaseFaults(sql: Database, process: Process): Promise<readonly string[]> {
  const faults = await listSessionFaults(sql);
  if (faults.length > 0) return faults;
  const lacking = await describeMissingRights(sql, process);
  if (lacking !== undefined) return [lacking];
  return (await listPendingMigrations(sql)).length === 0 ? [] : ['the database has migrations pending'];
}

const WITHIN_MS = 3_000;

/** The same in time, also if the database cannot be reached. Never throws. */
export async function listFaultsInTime(sql: Database, process: Process): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve(['the database does not answer in time']), WITHIN_MS).unref();
  });
  const asked = listDatabaseFaults(sql, process).catch((error: unknown) => [
    error instanceof RefusedDatabaseError ? error.message : describeUnreachable(error),
  ]);
  return await Promise.race([asked, late]);
}

const describeUnreachable = (error: unknown): string => {
  const outage = describeDatabaseFailure(error) ?? 'The database cannot be reached';
  return outage.charAt(0).toLowerCase() + outage.slice(1);
};

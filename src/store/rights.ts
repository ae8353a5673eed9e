import { BrokenBuildError, MissingRolesError } from '../basics/errors.ts';
import type { Database, Sql } from './driver/sql.ts';
import { ROLES_FILE, readSqlFile } from './sql-files.ts';

/** The database role of each process. */
const ROLES = { api: 'accounts_api', worker: 'accounts_worker', maintenance: 'accounts_maintenance' } as const;
export type Process = keyof typeof ROLES;

/** A right to the rows of a table, to one column, or to a function. */
export interface Right {
  readonly privilege: string;
  /** The function's name for `EXECUTE`. */
  readonly table: string;
  /** Null for `DELETE`, which concerns whole rows, and for `EXECUTE`. */
  readonly column: string | null;
}

const GRANT = /^grant\n((?: .*\n)+)on (\w+) to (\w+);$/gm;
const FUNCTION_GRANT = /^grant (execute) on function (\w+) to (\w+);$/gm;
const PRIVILEGE = /(\w+)(?:\s+\(([^)]*)\))?(?:,\s+|\s*$)/g;

/** A statement that neither pattern reads. */
const OTHER_GRANT = /^grant(?! usage on schema).*$/m;

/** Reads this build's `ops/postgres/roles.sql`. @throws BrokenBuildError also if a grant in it cannot be checked */
function readRoles(): string {
  const statements = readSqlFile(ROLES_FILE);
  const unread = OTHER_GRANT.exec(statements.replace(GRANT, '').replace(FUNCTION_GRANT, ''));
  if (unread === null && Object.values(ROLES).every((role) => statements.includes(` to ${role};`))) return statements;
  throw new BrokenBuildError('ops/postgres/roles.sql is damaged: install this version again');
}

/**
 * Lists the rights of a process from this build's `ops/postgres/roles.sql`. An older version does not miss tables and
 * columns that only a newer one knows.
 * @throws BrokenBuildError
 * @internal
 */
export function listRights(process: Process): Right[] {
  const statements = readRoles();
  const grants = [...statements.matchAll(GRANT), ...statements.matchAll(FUNCTION_GRANT)];
  return grants.flatMap(([, privileges = '', table = '', role]) =>
    role === ROLES[process] ? rightsIn(privileges.trim(), table) : [],
  );
}

const rightsIn = (privileges: string, table: string): Right[] =>
  [...privileges.matchAll(PRIVILEGE)].flatMap(([, name = '', columns]) =>
    (columns?.split(/,\s+/) ?? [null]).map((column) => ({ privilege: name.toUpperCase(), table, column })),
  );

/** The most rights in one message. If a role has none at all, a few are enough. */
const NAMED = 5;

/**
 * Describes the rights that the role of `sql` lacks, as a sentence for operators; undefined if it has all. A missing
 * table or column is skipped, because its migration is pending.
 * @throws BrokenBuildError
 */
export async function describeMissingRights(sql: Sql, process: Process): Promise<string | undefined> {
  const [row] = await sql`
    select current_user as role, array(
      select concat(privilege, ' on ', "table", '.' || "column")
      from jsonb_to_recordset(${sql.json(listRights(process) as never)}) as needed ("table" text, "column" text, privilege text)
      left join pg_class on pg_class.oid = to_regclass("table")
      left join pg_attribute on attrelid = pg_class.oid and attname = "column"
      where not case when privilege = 'EXECUTE' then has_function_privilege(to_regproc("table"), privilege)
        when "column" is null then has_table_privilege(pg_class.oid, privilege)
        else has_column_privilege(pg_class.oid, attnum, privilege) end -- Null if there is no such thing.
      order by "table", "column", privilege
    ) as lacking
  `;
  const lacking = row?.lacking as readonly string[];
  if (lacking.length === 0) return undefined;
  const rest = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
  return `the database role ${row?.role} lacks ${lacking.slice(0, NAMED).join(', ')}${rest}: run migrate again`;
}

/** Any number of our own: two processes that grant rights at once would disturb each other. */
const LOCK = 7_205_115;

/**
 * Creates the service's roles if they are missing, and gives them exactly the rights of `ops/postgres/roles.sql`. Requires
 * the role that owns the tables. A second run changes nothing.
 * @throws MissingRolesError when that role may not create the others; BrokenBuildError
 */
export async function grantRights(sql: Database, statements: string = readRoles()): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${LOCK})`;
    await requireRoles(connection as unknown as Database, statements);
    await connection.unsafe(statements).catch(async (error: unknown) => {
      await connection`rollback`;
      throw error;
    });
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`;
    connection.release();
  }
}

async function requireRoles(sql: Database, statements: string): Promise<void> {
  const names = [...new Set([...statements.matchAll(/ to (\w+);$/gm)].map(([, name]) => String(name)))];
  const [row] = await sql`
    select current_user as role, (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as can_create,
      array(select name from unnest(${names}::text[]) as name where not exists (select from pg_roles where rolname = name) order by name)
        as missing
  `;
  const missing = row?.missing as readonly string[];
  if (missing.length === 0 || row?.canCreate) return;
  throw new MissingRolesError(
    `The database roles ${missing.join(', ')} do not exist, and ${row?.role} may not create them: create them as an administrator of the database (\`create role …\`), then run migrate again.`,
  );
}

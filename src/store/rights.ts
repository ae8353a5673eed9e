import { BrokenBuildError, ForeignRightsError, MissingRolesError } from '../basics/errors.ts';
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
 * The statements of `ops/postgres/roles.sql`.
 * @param prefix of the roles' names. Roles belong to the whole server: two installations on one server need different ones.
 */
export const readRoleStatements = (prefix = 'accounts'): string =>
  readRoles().replaceAll(/\baccounts_(?=(api|worker|maintenance|readonly)\b)/g, `${prefix}_`);

const listRoles = (statements: string): string[] => [
  ...new Set([...statements.matchAll(/ to (\w+);$/gm)].map(([, name]) => String(name))),
];

/**
 * Creates the service's roles if they are missing, and gives them exactly the rights of `ops/postgres/roles.sql`. Requires
 * the role that owns the tables. A second run changes nothing.
 * @throws MissingRolesError when that role may not create the others; ForeignRightsError when the rights are not as the file has them;
 * BrokenBuildError
 */
export async function grantRights(sql: Database, statements: string = readRoleStatements()): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${LOCK})`;
    await requireRoles(connection as unknown as Database, statements);
    await connection.unsafe(statements).catch(async (error: unknown) => {
      await connection`rollback`;
      throw error;
    });
    await requireEffect(connection as unknown as Database, listRoles(statements));
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`;
    connection.release();
  }
}

/** Postgres only warns about a grant or a revoke without effect. */
async function requireEffect(sql: Database, roles: readonly string[]): Promise<void> {
  const [row] = await sql`
    select array(select name from unnest(${[...roles]}::text[]) as name
        where not has_schema_privilege(name, 'public', 'usage') or not has_database_privilege(name, current_database(), 'connect')) as without,
      exists (select from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
        where datname = current_database() and grantee = 0)
      or exists (select from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
        where nspname = 'public' and grantee = 0) as is_open
  `;
  const { without, isOpen } = row as { without: string[]; isOpen: boolean };
  if (without.length === 0 && !isOpen) return;
  throw new ForeignRightsError(
    `The rights of ${without.length > 0 ? without.join(', ') : 'other roles'} to the database or its schema public are not those of ops/postgres/roles.sql, because another role gave them: revoke them as that role, then run migrate again.`,
  );
}

/**
 * Checks that the role of `migrate` owns all that it changes: Postgres lets the owner alone give and take rights, and only warns others.
 * @param statements name the service's roles. A new database must not share them with another one on its server.
 * @throws ForeignRightsError with the remedy.
 */
export async function requireOwner(sql: Database, statements: string): Promise<void> {
  const roles = listRoles(statements);
  const [row] = await sql`
    select current_user as role, current_database() as database, pg_get_userbyid(datdba) as owner,
      pg_has_role(datdba, 'usage') as owns_database,
      (select case when pg_has_role(nspowner, 'usage') then null else pg_get_userbyid(nspowner) end
        from pg_namespace where nspname = 'public') as schema_owner,
      to_regnamespace('public') is null as lacks_schema,
      (select pg_get_userbyid(relowner) from pg_class
        where relnamespace = to_regnamespace('public') and relkind in ('r', 'v', 'S') and not pg_has_role(relowner, 'usage')
          and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1) as table_owner,
      to_regclass('public.schema_migration') is null as is_new,
      (select string_agg(distinct other.datname, ', ') from pg_shdepend
        join pg_database as other on other.oid = case when dbid = 0 and classid = 'pg_database'::regclass then objid else dbid end
        where refclassid = 'pg_authid'::regclass and deptype = 'a' and other.datname <> current_database()
          and refobjid in (select oid from pg_roles where rolname = any(${roles}))) as others
    from pg_database where datname = current_database()
  `;
  const found = row as Record<'role' | 'database' | 'owner' | 'schemaOwner' | 'tableOwner' | 'others', string | null> &
    Record<'ownsDatabase' | 'lacksSchema' | 'isNew', boolean>;
  const again = 'as an administrator of the database, then run migrate again.';
  if (!found.ownsDatabase)
    throw new ForeignRightsError(
      `The database ${found.database} belongs to ${found.owner}, not to ${found.role}: run \`alter database "${found.database}" owner to "${found.role}"\` ${again}`,
    );
  if (found.lacksSchema)
    throw new ForeignRightsError(
      'The database has no schema public: run `create schema public` as its owner, then run migrate again.',
    );
  if (found.schemaOwner !== null)
    throw new ForeignRightsError(
      `The schema public belongs to ${found.schemaOwner}, not to ${found.role}: run \`alter schema public owner to "${found.role}"\` ${again}`,
    );
  if (found.tableOwner !== null)
    throw new ForeignRightsError(
      `Tables of the schema public belong to ${found.tableOwner}, not to ${found.role}: run \`reassign owned by "${found.tableOwner}" to "${found.role}"\` in the database ${again}`,
    );
  if (found.isNew && found.others !== null)
    throw new ForeignRightsError(
      `The roles ${roles.join(', ')} already have rights in another database of this server (${found.others}), and their logins would have the same rights here: set DATABASE_ROLE_PREFIX to another name for this installation, and create its roles (docs/production.md).`,
    );
}

async function requireRoles(sql: Database, statements: string): Promise<void> {
  const names = listRoles(statements);
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

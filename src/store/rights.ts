import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from './sql.ts';

/** The database role of each process. */
const ROLES = { api: 'accounts_api', worker: 'accounts_worker', maintenance: 'accounts_maintenance' } as const;
export type Process = keyof typeof ROLES;

/** A right to the rows of a table, or to one column. */
export interface Right {
  readonly privilege: string;
  readonly table: string;
  /** Null for `DELETE`, which concerns whole rows. */
  readonly column: string | null;
}

/** Both the sources and the build lie one folder below the project's root. */
const FILE = path.join(import.meta.dirname, '..', '..', 'ops', 'postgres', 'roles.sql');
const GRANT = /^grant\n((?: .*\n)+)on (\w+) to (\w+);$/gm;
const PRIVILEGE = /(\w+)(?:\s+\(([^)]*)\))?(?:,\s+|\s*$)/g;

/**
 * Lists the rights of a process from this build's `ops/postgres/roles.sql`. An older version does not miss tables and
 * columns that only a newer one knows.
 * @internal
 */
export function listRights(process: Process): Right[] {
  const grants = [...readFileSync(FILE, 'utf8').matchAll(GRANT)];
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
 */
export async function describeMissingRights(sql: Sql, process: Process): Promise<string | undefined> {
  const [row] = await sql`
    select current_user as role, array(
      select concat(privilege, ' on ', "table", '.' || "column")
      from jsonb_to_recordset(${sql.json(listRights(process) as never)}) as needed ("table" text, "column" text, privilege text)
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

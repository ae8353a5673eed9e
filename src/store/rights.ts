import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from './sql.ts';

/** Who comes to the database with a role of its own. */
const ROLES = { api: 'accounts_api', worker: 'accounts_worker', maintenance: 'accounts_maintenance' } as const;
export type Process = keyof typeof ROLES;

/** A right to rows of a table, or to one column of theirs. */
export interface Right {
  readonly privilege: string;
  readonly table: string;
  /** Null for `DELETE`, which is of whole rows. */
  readonly column: string | null;
}

/** Beside the sources as beside the build: both lie one folder below the project's root. */
const FILE = path.join(import.meta.dirname, '..', '..', 'ops', 'postgres', 'roles.sql');
const GRANT = /^grant\n((?: .*\n)+)on (\w+) to (\w+);$/gm;
const PRIVILEGE = /(\w+)(?:\s+\(([^)]*)\))?(?:,\s+|\s*$)/g;

/**
 * What a process needs, as `ops/postgres/roles.sql` of this build gives it. A table or column that only a newer version
 * knows is not missed by an older one that goes on beside it.
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

/** How many are named: of a role that has nothing at all, the rest is as well left out. */
const NAMED = 5;

/**
 * Which rights the role that `sql` comes as lacks, in a sentence for whoever runs the service; undefined when it has all. Of
 * a table or column that is not there none is missed: its migration is pending.
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

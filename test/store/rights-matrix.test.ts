import { expect } from 'vitest';
import type { Database } from '../../src/store/driver/sql.ts';
import { listRights } from '../../src/store/rights.ts';
import { LOGINS } from '../kit/logins.ts';
import { test } from '../kit/postgres.ts';
import { RIGHTS_MATRIX } from './rights-matrix.ts';

const ROLES = ['accounts_api', 'accounts_worker', 'accounts_maintenance', 'accounts_readonly'] as const;
const LETTERS = { s: 'SELECT', i: 'INSERT', u: 'UPDATE', d: 'DELETE', x: 'EXECUTE' } as const;
const ROWS = '(rows)';
const CALL = '(call)';

interface Row {
  readonly table: string;
  readonly column: string;
  readonly letters: readonly string[];
}

/** The matrix, with a row for each column and one for the rows of each table. */
function readMatrix(): Row[] {
  let table = '';
  return RIGHTS_MATRIX.split('\n').flatMap((line) => {
    const [first = '', ...letters] = line.trim().split(/\s+/);
    if (first === '') return [];
    if (!line.startsWith(' ')) {
      table = first;
      return [];
    }
    if (letters.length !== ROLES.length)
      throw new Error(`${table}.${first} needs a word for each of ${ROLES.join(', ')}.`);
    return [{ table, column: first, letters }];
  });
}
const MATRIX = readMatrix();

const rightsOf = (role: (typeof ROLES)[number]): string[] =>
  MATRIX.flatMap(({ table, column, letters }) =>
    [...(letters[ROLES.indexOf(role)] ?? '').replace('-', '')].map(
      (letter) =>
        `${LETTERS[letter as keyof typeof LETTERS]} ${table}${column === ROWS || column === CALL ? '' : `.${column}`}`,
    ),
  ).sort();

/** Every table and view, with its columns. */
const listColumns = async (sql: Database): Promise<string[]> =>
  (
    await sql`
      select relname || '.' || attname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
      order by 1
    `
  ).map((row) => String(row.name));

/** The rights that Postgres grants a role: directly, through another role, or through public. */
const listGiven = async (sql: Database, role: string): Promise<string[]> =>
  (
    await sql`
      select privilege || ' ' || relname || case when privilege = 'DELETE' then '' else '.' || attname end as right
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped,
        unnest(array['SELECT', 'INSERT', 'UPDATE']) as privilege
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and has_column_privilege(${role}, pg_class.oid, attnum, privilege)
      union all
      select 'DELETE ' || relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and has_table_privilege(${role}, pg_class.oid, 'DELETE')
      union all
      select 'EXECUTE ' || proname from pg_proc
      where pronamespace = 'public'::regnamespace and has_function_privilege(${role}, pg_proc.oid, 'EXECUTE')
        and not has_function_privilege('public', pg_proc.oid, 'EXECUTE')
    `
  )
    .map((row) => String(row.right))
    .sort();

test('the matrix names every column of every table, and no other', async ({ database: { sql } }) => {
  const named = MATRIX.filter(({ column }) => column !== ROWS && column !== CALL).map(
    ({ table, column }) => `${table}.${column}`,
  );
  const missing = (await listColumns(sql)).filter((name) => !named.includes(name));
  expect(missing, 'not in test/store/rights-matrix.ts: say there what each process may do with it').toEqual([]);
  const there = await listColumns(sql);
  expect(
    named.filter((name) => !there.includes(name)),
    'in test/store/rights-matrix.ts, and in no table',
  ).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test.for(ROLES)('%s has the rights that its process needs, and no others', async (role, { database: { sql } }) => {
  const [given, needed] = [await listGiven(sql, role), rightsOf(role)];
  expect({
    lacking: needed.filter((right) => !given.includes(right)),
    beyond: given.filter((right) => !needed.includes(right)),
  }).toEqual({ lacking: [], beyond: [] });
});

test.for(ROLES)('%s has no other right to tables, sequences or the schema', async (role, { database: { sql } }) => {
  const rows = await sql`
    select privilege || ' ' || relname as right from pg_class,
      unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) as privilege
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and has_table_privilege(${role}, pg_class.oid, privilege)
    union all
    select privilege || ' ' || relname from pg_class, unnest(array['USAGE', 'SELECT', 'UPDATE']) as privilege
    where relnamespace = 'public'::regnamespace and relkind = 'S' and has_sequence_privilege(${role}, pg_class.oid, privilege)
    union all
    select 'CREATE public' where has_schema_privilege(${role}, 'public', 'CREATE')
  `;
  expect(rows.map((row) => row.right)).toEqual([]);
});

test('each login is a member of exactly its roles', async ({ database: { sql } }) => {
  for (const [login, role] of Object.entries(LOGINS)) {
    const rows = await sql`
      select rolname from pg_roles where rolname <> ${login} and pg_has_role(${login}, oid, 'member') and rolname like 'accounts_%'
    `;
    expect(rows.map((row) => row.rolname).sort()).toEqual(role.split(', ').sort());
  }
});

test.for(['api', 'worker', 'maintenance'] as const)('the %s checks exactly these rights when it starts', (process) => {
  const asked = listRights(process).map(({ privilege, table, column }) =>
    column === null ? `${privilege} ${table}` : `${privilege} ${table}.${column}`,
  );
  expect(asked.sort()).toEqual(rightsOf(`accounts_${process}`));
});

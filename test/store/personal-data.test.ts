import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { COLUMNS, KINDS, readGrants } from '../../scripts/data-page.mjs';
import { RETENTIONS } from '../../src/store/retention.ts';
import { type Database, test } from '../kit/postgres.ts';

async function listColumns(sql: Database): Promise<string[]> {
  const rows = await sql`
    select table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'test_clock'
  `;
  return rows.map(({ name }) => String(name)).sort();
}

/** Each column with its kind. `*` are the columns of the table that no other kind has. */
function classify(columns: readonly string[]) {
  return Object.entries(COLUMNS).flatMap(([table, kinds]) => {
    const listed = Object.values(kinds).flatMap((names) => names.split(' '));
    const others = columns
      .filter((name) => name.startsWith(`${table}.`))
      .map((name) => name.slice(table.length + 1))
      .filter((name) => !listed.includes(name));
    return Object.entries(kinds).flatMap(([kind, names]) =>
      (names === '*' ? others : names.split(' ')).map((column) => ({
        name: `${table}.${column}`,
        kind: kind as keyof typeof KINDS,
      })),
    );
  });
}

describe('docs/data.md', () => {
  test('has each column of the schema once', async ({ sql }) => {
    const columns = await listColumns(sql);
    const names = classify(columns).map(({ name }) => name);
    expect(names.sort()).toEqual(columns);
  });

  test('leaves only settings to be the other columns of a table', () => {
    const kinds = Object.values(COLUMNS).flatMap((table) => Object.entries(table));
    const others = new Set(kinds.flatMap(([kind, names]) => (names.includes('*') ? [`${kind} ${names}`] : [])));
    expect([...others]).toEqual(['settings *']);
  });

  test('states of each column whether it is sealed, hashed or plain, as its name does', async ({ sql }) => {
    const named = (name: string) => {
      if (/\.sealed_/.test(name)) return 'sealed';
      if (/_sha256$|_macs?$|\.request_mac$|\.idempotency_key$/.test(name)) return 'hashed';
      return 'plain';
    };
    // The end of an imported token stands with its hash.
    const besides = ['imported_token.expires_at'];
    const classified = classify(await listColumns(sql));
    const wrong = classified.filter(({ name, kind }) => KINDS[kind].form !== named(name) && !besides.includes(name));
    expect(wrong).toEqual([]);
  });

  test('has each step of retention once', () => {
    const steps = Object.values(KINDS).flatMap((kind) => kind.steps);
    expect(steps.sort()).toEqual(Object.keys(RETENTIONS).sort());
  });

  test('lists the rights of the database roles as they are', async ({ sql }) => {
    const grants = readGrants(readFileSync(new URL('../../ops/postgres/roles.sql', import.meta.url), 'utf8'));
    for (const [role, columns] of grants) {
      const rows = await sql`
        select table_name || '.' || column_name as name from information_schema.column_privileges
        where table_schema = 'public' and privilege_type = 'SELECT' and grantee = ${`accounts_${role}`}
      `;
      const ofTables = (names: readonly unknown[]) =>
        names.filter((name) => (String(name).split('.')[0] as string) in COLUMNS).sort(); // Not of views.
      expect(ofTables([...columns]), role).toEqual(ofTables(rows.map(({ name }) => name)));
    }
  });
});

import type { Database } from './postgres.ts';

/** Every row of every table, as `pg_dump` would write it. */
export async function readAllRows(sql: Database) {
  const tables = await sql`
    select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname
  `;
  const rows: { table: string; text: string; values: Readonly<Record<string, unknown>> }[] = [];
  for (const { relname } of tables) {
    const found = await sql`select t::text as text, to_jsonb(t) as values from ${sql(relname)} t order by 1`;
    rows.push(...found.map(({ text, values }) => ({ table: String(relname), text, values })));
  }
  return rows;
}

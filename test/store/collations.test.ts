import { describe, expect, onTestFinished } from 'vitest';
import { listTenants } from '../../src/store/apps/tenants.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createBlankDatabase, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

/** A migrated database of a server that sorts German, as many set-ups do. */
async function createGermanDatabase(): Promise<Database> {
  const database = await createBlankDatabase(`locale_provider icu icu_locale 'de-DE' locale 'C'`);
  onTestFinished(() => database.drop());
  await migrate(database.sql);
  return database.sql;
}

describe('text', () => {
  test('of every column and index compares by its bytes, also after a change of the C library', async ({ sql }) => {
    const others = await sql`
      select attrelid::regclass::text as relation, attname as name from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm', 'i') and not attisdropped
        and attcollation not in (0, 'pg_catalog."C"'::regcollation)
    `;
    expect(others.map(({ relation, name }) => `${relation}.${name} lacks collate "C"`)).toEqual([]);
  });

  test('is listed by its bytes, each once over all pages, on a server that sorts German', async () => {
    const sql = await createGermanDatabase();
    const [server] = await sql`select 'a' < 'B' and 'ä' < 'b' as sorts_german`;
    expect(server).toEqual({ sortsGerman: true });
    const { app } = await seedApp(sql);
    await sql`delete from tenant`;
    for (const key of ['b', 'ä', 'a', 'B', 'a-c', 'ab']) {
      await sql`insert into tenant (app_id, tenant_key) values (${app.appId}, ${key})`;
    }
    const listed: string[] = [];
    for (;;) {
      const [next] = await listTenants(sql, app.appId, { limit: 1, after: listed.at(-1) ?? null });
      if (next === undefined) break;
      listed.push(next.tenantKey);
    }
    expect(listed).toEqual(['B', 'a', 'a-c', 'ab', 'b', 'ä']);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { copyRows } from '../../bench/fill/copy.ts';
import { fill } from '../../bench/fill/fill.ts';
import { createQuickSeal } from '../../bench/fill/quick-seal.ts';
import { makeKeys } from '../../local/src/development-keys.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';

const SIZES = { connections: 600, posts: 5_000, jobs: 300, due: 40, seed: 1 };
const FEW = { ...SIZES, connections: 50, posts: 50 };

async function makeFillKeys() {
  const keys = await makeKeys();
  const grantKeys = JSON.parse(keys.VAULT_GRANT_KEYS);
  return {
    sealGrant: createQuickSeal(grantKeys),
    openGrant: await createOpen(grantKeys),
    sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
    mac: createMac(JSON.parse(keys.VAULT_MAC_KEYS)),
  };
}

describe('fill', () => {
  test('creates rows that satisfy every constraint, in the order of time, with tokens that open', async () => {
    const { sql, drop } = await createTestDatabase(); // It looks at whole tables.
    onTestFinished(drop);
    const keys = await makeFillKeys();
    const { rows } = await fill(sql, SIZES, keys);
    expect(rows).toMatchObject({ connection: 600, content_item: 5_000, account_grant: 640 });

    // The copy does not check references.
    const references = await sql`
      select conrelid::regclass::text as from_table, confrelid::regclass::text as to_table,
        (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as from_column,
        (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) as to_column
      from pg_constraint where contype = 'f' and cardinality(conkey) = 1
    `;
    expect(references.length).toBeGreaterThan(20);
    for (const { fromTable, toTable, fromColumn, toColumn } of references) {
      const dangling = await sql`
        select from ${sql(fromTable)} r where r.${sql(fromColumn)} is not null
          and not exists (select from ${sql(toTable)} t where t.${sql(toColumn)} = r.${sql(fromColumn)}) limit 1
      `;
      expect(dangling, `${fromTable}.${fromColumn}`).toHaveLength(0);
    }

    // Neighbors on disk belong to different connections, in the order of publication.
    const inOrder = await sql`
      select count(*) filter (where connection_id = next_connection)::int as together,
        count(*) filter (where published_at > next_published)::int as backwards
      from (
        select connection_id, published_at, lead(connection_id) over w as next_connection, lead(published_at) over w as next_published
        from content_item window w as (order by ctid)
      ) neighbor
    `;
    expect(inOrder).toEqual([{ together: 0, backwards: 0 }]);

    const [grant] = await sql`select grant_id, sealed_tokens from account_grant where status = 'LIVE' limit 1`;
    const opened = await keys.openGrant(grant?.sealedTokens, associatedData.tokens(grant?.grantId));
    expect(JSON.parse(opened.reveal())).toMatchObject({ accessToken: expect.stringMatching(/^access-\d+$/) });
  });

  test('a large copy keeps the rows, indexes and constraints that there are', async ({ sql }) => {
    await fill(sql, FEW, await makeFillKeys());
    const describeTables = async () => [
      ...(await sql`
        select tablename as name, indexdef as definition from pg_indexes where schemaname = 'public' order by 1, 2
      `),
      ...(await sql`
        select conrelid::regclass::text || '.' || conname as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where connamespace = 'public'::regnamespace order by 1
      `),
    ];
    const countRows = () => sql`
      select (select count(*)::int from scope) as scopes, (select count(*)::int from connection) as connections,
        (select count(*)::int from content_item) as posts, (select count(*)::int from audit_log) as entries
    `;
    const [described, counted] = [await describeTables(), await countRows()];
    const tables = await sql`
      select c.oid::regclass::text as name, attname as column from pg_class c
      join pg_attribute on attrelid = c.oid and attnum = 1 where relkind = 'r' and relnamespace = 'public'::regnamespace
    `;
    expect(tables.length).toBeGreaterThan(30);
    for (const { name, column } of tables) await copyRows(sql, name, [column], [], { isLarge: true });
    expect(await describeTables()).toEqual(described);
    expect(await countRows()).toEqual(counted);

    const end = [new Date(), randomUUID(), 'READ', 'SUCCEEDED'];
    for (const expected of [1, 2]) {
      await copyRows(sql, 'ended_work', ['hour', 'app_id', 'kind', 'outcome'], [end], { isLarge: true });
      expect(await sql`select count(*)::int as count from ended_work`).toEqual([{ count: expected }]);
    }
  });
});

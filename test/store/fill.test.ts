import { describe, expect } from 'vitest';
import { makeKeys } from '../../src/local/development-keys.ts';
import { fill } from '../../src/local/fill/fill.ts';
import { createQuickSeal } from '../../src/local/fill/quick-seal.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { test } from '../kit/postgres.ts';

const SIZES = { connections: 600, posts: 5_000, jobs: 300, due: 40, seed: 1 };

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

describe('fill', { timeout: 120_000 }, () => {
  test('creates rows that satisfy every constraint, in the order of time, with tokens that open', async ({
    database: { sql },
  }) => {
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

  test('adds to existing rows', async ({ database: { sql } }) => {
    const before = await sql`select count(*)::int as count from connection`;
    await fill(sql, { ...SIZES, connections: 50, posts: 50 }, await makeFillKeys());
    const [after] = await sql`select count(*)::int as count from connection`;
    expect(after?.count).toBe(Number(before[0]?.count) + 50);
  });
});

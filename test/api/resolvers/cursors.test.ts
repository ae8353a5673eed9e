import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Database } from '../../../src/store/driver/sql.ts';
import { createMac, type Mac } from '../../../src/vault/mac.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import type { Answer } from '../../kit/graphql.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

const NEWEST = Date.parse('2030-01-08T00:00:00Z');
const WINDOW = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-09T00:00:00Z' };
const REFUSED = { code: 'BAD_USER_INPUT' };

const newKey = (kid: string) => ({ kid, kty: 'oct', k: randomBytes(32).toString('base64url') });
const macOf = (...keys: ReturnType<typeof newKey>[]): Mac => createMac({ keys } as Parameters<typeof createMac>[0]);

async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const { deps } = await createDeps(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  /** The service with these keys. */
  const keyed = (mac: Mac) => {
    const call = callerOf({ deps: { ...deps, mac } }, seeded);
    return {
      call,
      connections: (variables: object = {}): Promise<Answer> => call('connections', { scope, ...variables }),
      content: (window: object = {}, id = connectionId): Promise<Answer> =>
        call('content', { scope, connectionId: id, window: { ...WINDOW, first: 2, ...window } }),
      refresh: (variables: object): Promise<Answer> => call('requestRefresh', { scope, connectionId, ...variables }),
      job: (id: string): Promise<Answer> => call('syncJob', { scope, connectionId, id }),
    };
  };
  return { seeded, deps, scope, connectionId, keyed };
}

describe('a cursor', () => {
  test('remains valid after a key rotation, until its key is removed', async ({ sql }) => {
    const { connectionId, keyed } = await open(sql);
    for (let n = 0; n < 3; n += 1) await seedContent(sql, connectionId, { publishedAt: new Date(NEWEST - n) });
    const [old, fresh] = [newKey('old'), newKey('fresh')];
    const before = keyed(macOf(old));
    const during = keyed(macOf(fresh, old));
    const afterwards = keyed(macOf(fresh));
    const after = (await before.content()).pageInfo.endCursor;
    expect((await during.content({ after })).items).toHaveLength(1);
    await expect(afterwards.content({ after })).rejects.toMatchObject(REFUSED);
    const listed = (await before.connections({ first: 1 })).pageInfo.endCursor;
    expect((await during.connections({ after: listed })).items).toEqual([]);
    await expect(afterwards.connections({ after: listed })).rejects.toMatchObject(REFUSED);
  });

  test('shows each post that existed at the first page once, while others are added and removed', async ({ sql }) => {
    const { connectionId, keyed } = await open(sql);
    const { content } = keyed(macOf(newKey('one')));
    const add = (id: string, ms: number) =>
      seedContent(sql, connectionId, { providerContentId: id, publishedAt: new Date(NEWEST + ms) });
    // Several share an instant, and pages end between them.
    const there = Array.from({ length: 12 }, (_, n) => `there-${n}`);
    for (const [n, id] of there.entries()) await add(id, -Math.floor(n / 5) * 1_000);
    const seen: string[] = [];
    let after: string | null = null;
    for (let pages = 0; ; pages += 1) {
      const page: Answer = await content({ after });
      seen.push(...page.items.map((item: { providerContentId: string }) => item.providerContentId));
      await add(`newer-${pages}`, 1_000);
      await add(`as-new-${pages}`, 0);
      const ofFirst = sql`connection_id = ${connectionId} and provider_content_id = ${seen[0] ?? ''}`;
      if (pages === 1) await sql`delete from content_item where ${ofFirst}`;
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(there));
    expect(seen.filter((id) => id.startsWith('newer-'))).toEqual([]);
  });

  test('pages through hundreds of connections, while new ones are created', async ({ sql }) => {
    const { seeded, scope, connectionId, keyed } = await open(sql);
    const { connections } = keyed(macOf(newKey('one')));
    const own = sql`select scope_id from connection where connection_id = ${connectionId}`;
    // Fifty share each instant.
    await sql`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities, created_at)
      select gen_random_uuid(), scope_id, app_id, provider, registration_id, 'account-' || n, 'DISCONNECTED', capabilities,
        created_at - (n / 50) * interval '1 millisecond'
      from connection, generate_series(1, 249) n where connection_id = ${connectionId}
    `;
    const rows = await sql`select connection_id from connection where scope_id = (${own})`;
    const all = new Set(rows.map((row) => row.connectionId as string));
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Answer = await connections({ first: 100, after });
      seen.push(...page.items.map((item: { id: string }) => item.id));
      if (!page.pageInfo.hasNextPage) break;
      all.add(await seedConnection(sql, seeded, { scope }));
      after = page.pageInfo.endCursor;
    }
    expect(seen).toHaveLength(all.size);
    expect(new Set(seen)).toEqual(all);
  });
});

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

  test('is accepted only for its own listing and unaltered', async ({ sql }) => {
    const { seeded, deps, scope, connectionId, keyed } = await open(sql);
    const mac = macOf(newKey('one'));
    const { connections, content, refresh, job } = keyed(mac);
    await seedContent(sql, connectionId, { publishedAt: new Date(NEWEST) });
    const scan = await refresh({ window: WINDOW });
    await sql`
      update read_job set status = 'SUCCEEDED', incomplete_reason = 'MAX_ITEMS', provider_cursor = 'next',
        chain_started_at = business_now(), read_before = published_before, finished_at = business_now()
      where job_id = ${scan.id}
    `;
    const cursors: Record<string, string> = {
      content: (await content()).pageInfo.endCursor,
      connections: (await connections({ first: 1 })).pageInfo.endCursor,
      continuation: (await job(scan.id)).continuationCursor,
    };
    const uses: Record<string, (cursor: string) => Promise<unknown>> = {
      content: (after) => content({ after }),
      connections: (after) => connections({ after }),
      continuation: (continuationCursor) => refresh({ continuationCursor }),
    };
    for (const [made, cursor] of Object.entries(cursors)) {
      const altered = [`${cursor}=`, cursor.slice(0, -2), `A${cursor}`, ` ${cursor}`, cursor.slice(44), ''];
      for (const [used, use] of Object.entries(uses)) {
        for (const wrong of made === used ? altered : [cursor, ...altered]) {
          await expect(use(wrong), `${made} as ${used}`).rejects.toMatchObject(REFUSED);
        }
      }
    }
    const after = cursors.content;
    await expect(content({ after }, await seedConnection(sql, seeded, { scope }))).rejects.toMatchObject(REFUSED);
    const others = [{ publishedAfter: '2030-01-01T00:00:00.001Z' }, { publishedBefore: '2030-01-08T23:59:59.999Z' }];
    for (const other of others) await expect(content({ ...other, after })).rejects.toMatchObject(REFUSED);
    // A different notation of the same instants is the same window.
    const inOtherWords = { publishedAfter: '2030-01-01T02:00:00+02:00', publishedBefore: '2030-01-08T19:00:00-05:00' };
    expect((await content({ ...inOtherWords, after })).items).toEqual([]);

    const stranger = { scope: seeded.newScope(), after: cursors.connections };
    await expect(connections(stranger)).rejects.toMatchObject(REFUSED);
    const other = await seedApp(sql);
    const theirs = callerOf({ deps: { ...deps, mac } }, other);
    const theirScope = { ...scope, tenantKey: other.tenantKey };
    const asked = theirs('connections', { scope: theirScope, after: cursors.connections });
    await expect(asked).rejects.toMatchObject(REFUSED);
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
      if (pages === 1) await sql`delete from content_item where provider_content_id = ${seen[0] ?? ''}`;
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

import { connect as connectTo, createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect } from 'vitest';
import type { RunningApi } from '../../../src/api/main.ts';
import { startTestApi } from '../../kit/api.ts';
import { stretch } from '../../kit/busy.ts';
import { test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp } from '../../kit/seed.ts';

/** Far more than an app may have in progress and waiting. */
const FLOOD = 500;
const MB = 1024 * 1024;

/** A way to a server that can be frozen: connections stay open, and nothing arrives any more. */
async function openDetour(target: URL) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const set = (socket: Socket) => (isFrozen ? socket.pause() : socket.resume());
  const server = createServer({ pauseOnConnect: true }, (from) => {
    const to = connectTo(Number(target.port), target.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', (bytes) => void other.write(bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      sockets.add(one);
      set(one);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  const freeze = (frozen: boolean) => {
    isFrozen = frozen;
    for (const socket of sockets) set(socket);
  };
  return {
    url: url.href,
    freeze: () => freeze(true),
    thaw: () => freeze(false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / MB;
}

describe('while Postgres hangs', () => {
  let detour: Awaited<ReturnType<typeof openDetour>>;
  let api: RunningApi;
  let seeded: SeededApp;
  afterAll(async () => {
    detour.thaw();
    await api.close();
    detour.close();
  });

  const ask = async (query: string, variables: object = {}) => {
    const askedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${api.port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${seeded.key}` },
      body: JSON.stringify({ query, variables }),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return { code: errors?.[0]?.extensions.code ?? 'answered', ms: performance.now() - askedAt };
  };
  const read = () =>
    ask('query ($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id } }', {
      scope: seeded.newScope(),
      id: seeded.registrations.PROVIDER_A, // The id of no connection.
    });

  const flood = () => Promise.all(Array.from({ length: FLOOD }, read));

  test('requests are refused soon and then at once; memory stays flat; all works again within seconds', async ({
    database: { sql, url },
  }) => {
    detour = await openDetour(new URL(url));
    api = await startTestApi(detour.url, { DATABASE_POOL_SIZE: '6' });
    seeded = await seedApp(sql);
    await sql`update app set requests_per_second = 100000 where app_id = ${seeded.app.appId}`;
    expect((await read()).code).toBe('NOT_FOUND');

    detour.freeze();
    const page = fetch(`http://127.0.0.1:${api.port}/api/connect/callback/provider-a?state=${'a'.repeat(43)}&code=c`, {
      headers: { cookie: `ss_connect_${seeded.keyId}=${'a'.repeat(43)}` },
    });
    const first = await flood();
    expect(new Set(first.map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
    expect((await page).status).toBe(503);
    const heaps: number[] = [];
    for (let wave = 0; wave < 4; wave += 1) {
      const refused = await flood();
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
      expect((await read()).ms).toBeLessThan(stretch(500));
      expect(await ask('{ status { ok } }')).toMatchObject({ code: 'answered' });
      heaps.push(heapMb());
    }
    expect((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)).toBeLessThan(5);

    detour.thaw();
    await expect.poll(async () => (await read()).code, { interval: 20 }).toBe('NOT_FOUND');
    const countSessions = async () =>
      (await sql`select from pg_stat_activity where datname = current_database() and application_name = 'api'`).length;
    // The pool, the listener for ended attempts, and the watch. The connections that the watch tried meanwhile end on their own.
    await expect.poll(countSessions).toBeLessThanOrEqual(6 + 2);
  });
});

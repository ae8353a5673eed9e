import { connect as connectTo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { openLink } from '../../src/store/driver/reconnecting-pool.ts';
import { inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';

const TIMES = { everyMs: 50, silentMs: 400, retryEveryMs: 100, answerWithinMs: 1_000 };

/** A way to Postgres. `vanish` acts like a host that loses power: its connections stay open, and nothing arrives any more. */
async function openWay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const ways = new Set<{ from: Socket; to: Socket }>();
  let isGone = false;
  const server = createServer({ pauseOnConnect: true }, (from) => {
    const to = connectTo(Number(target.port), target.hostname);
    const way = { from, to };
    ways.add(way);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', (bytes) => void (ways.has(way) && other.write(bytes)));
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    if (isGone) ways.delete(way);
    from.resume();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: Object.assign(new URL(databaseUrl), { port: String((server.address() as { port: number }).port) }).href,
    vanish: () => ways.clear(),
    /** New connections stay silent too. */
    setGone: (gone: boolean) => {
      isGone = gone;
    },
  };
}

function openPool(url: string) {
  const replaced = vi.fn();
  const open = (poolSize: number) => openDatabase(new Secret(url), { poolSize, applicationName: 'lasting' });
  const link = openLink(() => open(1), replaced, TIMES);
  const pool = link.openPool(() => open(2));
  onTestFinished(async () => {
    await pool.end({ timeout: 0 });
    await link.close();
  });
  return { pool, replaced };
}

describe('a pool whose connections get no answer any more', () => {
  test('is replaced if a new connection gets one, and fails the statements that wait', async ({
    database: { url },
  }) => {
    const way = await openWay(url);
    const { pool, replaced } = openPool(way.url);
    await Promise.all([pool`select pg_sleep(0.1)`, pool`select pg_sleep(0.1)`]);
    const inTime = inTransaction(pool, async (tx) => {
      await tx`select 1`;
      way.vanish();
      await tx`select 2`;
    });
    await expect(inTime).rejects.toThrow(/CONNECTION/);
    expect(await pool`select 3 as answer`).toEqual([{ answer: 3 }]);
    expect(replaced).toHaveBeenCalledOnce();
    await delay(2 * TIMES.silentMs);
    expect(await inTransaction(pool, (tx) => tx`select 4 as answer`)).toEqual([{ answer: 4 }]);
    expect(replaced).toHaveBeenCalledOnce();
  });

  test('stays while Postgres does not answer new connections either', async ({ database: { url } }) => {
    const way = await openWay(url);
    const { pool, replaced } = openPool(way.url);
    await pool`select 1`;
    way.setGone(true);
    way.vanish();
    const waiting = pool`select 2 as answer`.then(
      (rows) => rows,
      () => 'failed',
    );
    await delay(2 * (TIMES.silentMs + TIMES.answerWithinMs));
    expect(replaced).not.toHaveBeenCalled();
    way.setGone(false);
    expect(await waiting).toBe('failed');
    expect(await pool`select 3 as answer`).toEqual([{ answer: 3 }]);
    expect(replaced).toHaveBeenCalledOnce();
  });

  test('stays while its statements are only slow', async ({ database: { url } }) => {
    const { pool, replaced } = openPool(url);
    for (let round = 0; round < 5; round += 1)
      await Promise.all([pool`select pg_sleep(0.25)`, pool`select pg_sleep(0.25)`]);
    expect(replaced).not.toHaveBeenCalled();
  });
});

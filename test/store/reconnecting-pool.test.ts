import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { openLink } from '../../src/store/driver/reconnecting-pool.ts';
import { inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { openWay } from './way.ts';

const TIMES = { everyMs: 50, silentMs: 400, retryEveryMs: 100, answerWithinMs: 1_000 };

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

  test('stays while its statements are only slow', async ({ database: { url } }) => {
    const { pool, replaced } = openPool(url);
    for (let round = 0; round < 5; round += 1)
      await Promise.all([pool`select pg_sleep(0.25)`, pool`select pg_sleep(0.25)`]);
    expect(replaced).not.toHaveBeenCalled();
  });
});

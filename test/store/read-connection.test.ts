import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { type ConnectionId, type KeyId, newId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import { findKeyOwner } from '../../src/store/apps/keys.ts';
import { findConnectionOfScope } from '../../src/store/connections/connections.ts';
import { addReadConnection } from '../../src/store/driver/read-connection.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { findSyncJob } from '../../src/store/jobs/sync-jobs.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

/** A pool with a read connection. Their sessions have different names. */
function open(url: string, name = 'pool') {
  const pool = openDatabase(new Secret(url), { poolSize: 4, applicationName: name });
  const readConnection = openDatabase(new Secret(url), { poolSize: 1, applicationName: `${name}-readConnection` });
  addReadConnection(pool, readConnection);
  onTestFinished(async () => void (await Promise.all([pool.end(), readConnection.end()])));
  return pool;
}

describe('statements that answer several requests', () => {
  test('of all kinds leave through the one connection for them', async ({ database: { sql, url } }) => {
    const { app, newScope } = await seedApp(sql);
    const asked = { appId: app.appId, scope: newScope(), id: randomUUID() };
    // Again if the machine was so busy that the pool was asked as well.
    await vi.waitFor(async () => {
      const name = `pool-${randomUUID()}`;
      const pool = open(url, name);
      await Promise.all([findKeyOwner(pool, randomUUID() as KeyId), findConnectionOfScope(pool, asked)]);
      const sessions = await sql`
          select application_name from pg_stat_activity
          where datname = current_database() and application_name in (${name}, ${`${name}-readConnection`})
        `;
      expect(sessions.map(({ applicationName }) => applicationName)).toEqual([`${name}-readConnection`]);
    });
  });

  test('pass one that hangs', async ({ database: { sql, url } }) => {
    const pool = open(url);
    const { app, newScope } = await seedApp(sql);
    const key = () => findKeyOwner(pool, randomUUID() as KeyId);
    await key(); // Connected, so that only the lock delays.
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`lock table read_job in access exclusive mode`;
    let hasJob = false;
    const asked = { appId: app.appId, scope: newScope(), connectionId: newId<ConnectionId>() };
    const job = findSyncJob(pool, { ...asked, id: randomUUID(), isOfScope: () => false }).finally(() => {
      hasJob = true;
    });
    const behind = key(); // In the same packet.
    try {
      const waits = async () => {
        const [row] = await sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and application_name = 'pool-readConnection' and wait_event_type = 'Lock'
            and query_start < clock_timestamp() - interval '100 milliseconds'
        `;
        return row?.count;
      };
      await expect.poll(waits).toBe(1);
      expect([await behind, await key()]).toEqual([undefined, undefined]);
      expect(hasJob).toBe(false);
    } finally {
      await holder`rollback`;
      holder.release();
    }
    expect(await job).toMatchObject({ job: undefined });
  });
});

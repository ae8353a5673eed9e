import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { type ConnectionId, type KeyId, newId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import { findKeyOwner } from '../../src/store/apps/keys.ts';
import { findAttemptResult } from '../../src/store/attempts/attempts.ts';
import { findConnectionOfScope } from '../../src/store/connections/connections.ts';
import { readContentListing } from '../../src/store/content/listing.ts';
import { addReadConnection } from '../../src/store/driver/read-connection.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { findSyncJob } from '../../src/store/jobs/sync-jobs.ts';
import { test as databaseTest } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../kit/seed.ts';

const NUL = String.fromCharCode(0);

databaseTest('a value that Postgres refuses fails its own request only', async ({ sql, seeded }) => {
  const scope = seeded.newScope();
  const id = await seedConnection(sql, seeded, { scope });
  const { appId } = seeded.app;
  const odd = { tenantKey: `${scope.tenantKey}${NUL}`, externalSubjectId: 'x' };
  const asked = [scope, odd, scope].map((one) => findConnectionOfScope(sql, { appId, scope: one, id }));
  const [first, refused, last] = await Promise.allSettled(asked);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22P05' } });
  for (const found of [first, last]) {
    expect(found).toMatchObject({ status: 'fulfilled', value: { connection: { connectionId: id } } });
  }
});

databaseTest('requests of two apps in one statement get only what is theirs', async ({ sql }) => {
  const [own, foreign] = [await seedApp(sql), await seedApp(sql)];
  const scope = own.newScope();
  const id = await seedConnection(sql, own, { scope });
  const published = new Date();
  await seedContent(sql, id, { publishedAt: published, title: 'private' });
  const window = {
    publishedAfter: new Date(published.getTime() - 1_000),
    publishedBefore: new Date(published.getTime() + 1_000),
    after: null,
  };
  const asOwner = { appId: own.app.appId, scope, id };
  const asOther = { appId: foreign.app.appId, scope, id };
  const otherScope = { appId: own.app.appId, scope: own.newScope(), id };
  const missing = { ...asOwner, id: randomUUID() };
  const odd = { ...asOwner, id: undefined };
  const everybody = [asOther, asOwner, otherScope, missing, odd, asOwner];
  const hasIt = everybody.map((one) => one === asOwner);

  const connections = await Promise.all(everybody.map((one) => findConnectionOfScope(sql, one)));
  expect(connections.map(({ connection }) => connection?.connectionId === id)).toEqual(hasIt);
  // Pages of different sizes are different statements.
  const pages = await Promise.all(
    everybody.map((one, index) => readContentListing(sql, { ...one, ...window, limit: 1 + (index % 2) })),
  );
  expect(pages.map(({ items }) => items.map(({ title }) => title))).toEqual(
    hasIt.map((has) => (has ? ['private'] : [])),
  );
  expect(pages.map(({ connection }) => connection?.connectionId === id)).toEqual(hasIt);
  const attempts = await Promise.all(everybody.map((one) => findAttemptResult(sql, one)));
  expect(attempts.map(({ attempt }) => attempt)).toEqual(everybody.map(() => undefined));
  const jobs = await Promise.all(
    everybody.map((one) => findSyncJob(sql, { ...one, isOfScope: () => false, connectionId: id })),
  );
  expect(jobs.map(({ job }) => job)).toEqual(everybody.map(() => undefined));
});

/** A pool with a read connection. Their sessions have different names. */
function openWithReadConnection(url: string, name = 'pool') {
  const pool = openDatabase(new Secret(url), { poolSize: 4, applicationName: name });
  const readConnection = openDatabase(new Secret(url), { poolSize: 1, applicationName: `${name}-readConnection` });
  addReadConnection(pool, readConnection);
  onTestFinished(async () => void (await Promise.all([pool.end(), readConnection.end()])));
  return pool;
}

describe('statements that answer several requests', () => {
  databaseTest('pass one that hangs', async ({ database: { sql, url } }) => {
    const pool = openWithReadConnection(url);
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

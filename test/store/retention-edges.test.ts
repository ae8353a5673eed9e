import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { insertLookup } from '../../src/store/jobs/new-reads.ts';
import { moveReadJobToEnd } from '../../src/store/jobs/read-jobs.ts';
import { insertAdminSession, insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { RETENTION } from '../../src/store/retention.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

const PAGE = { after: null, limit: 10 };

/** A database of its own: retention acts on all rows. */
async function createDatabase(): Promise<{ sql: Database; now: Date }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { sql, now: await businessNow(sql) };
}

test('a row is due at the very end of its life, and only rows that were listed are deleted', async () => {
  const { sql, now } = await createDatabase();
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const of = { connectionId, appId: seeded.app.appId, provider: 'PROVIDER_B', requestedBy: 'CALLER' } as const;
  const jobIds: string[] = [];
  for (const ms of [0, 1]) {
    const url = `https://platform.example/${ms}`;
    const asked = { ...of, url, urlSha256: createHash('sha256').update(url).digest() };
    const { jobId } = await insertLookup(sql, { ...asked, correlationId: newId<CorrelationId>() });
    await at(sql, now, ms, () => moveReadJobToEnd(sql, jobId, { status: 'CANCELED' }));
    jobIds.push(jobId);
  }
  const list = (ms: number) =>
    at(sql, now, 7 * DAY_MS + ms, () => RETENTION.oldReadJobs.list(asWorker(sql), { after: null, limit: 1 }));
  expect(await list(-1)).toEqual([]);
  const due = await list(0);
  expect(due.map(({ id }) => id)).toEqual(jobIds.slice(0, 1));
  expect(await at(sql, now, 8 * DAY_MS, () => RETENTION.oldReadJobs.take(asWorker(sql), due))).toBe(1);
  expect((await list(1)).map(({ id }) => id)).toEqual(jobIds.slice(1));
});

test('the token of a session remains as long as a session has it', async () => {
  const { sql, now } = await createDatabase();
  const insert = async (openidSub: string) =>
    (
      await insertAdminToken(sql, {
        label: openidSub,
        role: 'VIEWER',
        expiresAt: new Date(now.getTime() + 1),
        openidSub,
      })
    ).tokenId;
  const [used, unused] = [await insert('rowan'), await insert('sam')];
  await insertAdminSession(sql, { tokenId: used, sessionSha256: randomBytes(32), isProven: false });
  const due = await at(sql, now, 2 * DAY_MS, () => RETENTION.oldSessionTokens.list(asWorker(sql), PAGE));
  expect(due.map(({ id }) => id)).toEqual([unused]);
});

test('with the last event of a connection its number ends, and that of no other', async () => {
  const { sql, now } = await createDatabase();
  const seeded = await seedApp(sql);
  const endpointId = await seedEndpoint(sql, seeded.app.appId);
  const connect = () => at(sql, now, 0, () => seedConnection(sql, seeded, { scope: seeded.newScope() }));
  const [ended, going] = [await connect(), await connect()];
  for (const connectionId of [ended, going])
    await at(sql, now, 0, () => moveConnection(asWorker(sql), connectionId, 'SUSPENDED'));
  const ahead = (now.getTime() + 365 * DAY_MS) * 1_000; // A server whose clock was ahead gave it.
  await at(sql, now, 0, () => writeCorrections(asWorker(sql), endpointId, [[ended, ahead]]));
  await at(sql, now, DAY_MS, () => moveConnection(asWorker(sql), going, 'CONNECTED'));
  await at(sql, now, 30 * DAY_MS, async () => {
    const due = await RETENTION.oldWebhookEvents.list(asWorker(sql), PAGE);
    expect(await RETENTION.oldWebhookEvents.take(asWorker(sql), due)).toBe(due.length);
  });
  expect(await sql`select connection_id from webhook_sequence`).toEqual([{ connectionId: going }]);
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect } from 'vitest';
import type { ConnectionId, JobId } from '../../../src/basics/ids.ts';
import { newId } from '../../../src/basics/ids.ts';
import { endReadJob } from '../../../src/domain/reading/end-read-job.ts';
import { lockConnectionById } from '../../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../../src/store/driver/sql.ts';
import { insertScan, moveReadJobToRunning } from '../../../src/store/jobs/read-jobs.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import {
  available,
  freezeClock,
  releaseClock,
  type SeededApp,
  seedApp,
  seedConnection,
  seedContent,
  seedLookups,
} from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();
const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW) };
const OTHER = { publishedAfter: iso(NOW - 20 * DAY), publishedBefore: iso(NOW) };

async function start(sql: Database) {
  const seeded = await seedApp(sql);
  const kit = await createDeps(sql);
  const call = callerOf(kit, seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const refresh = (args: object = {}) => call('requestRefresh', { scope, connectionId, ...args });
  const readJob = (id: string) => call('syncJob', { scope, connectionId, id });
  return { seeded, kit, call, scope, connectionId, refresh, readJob };
}

const rowOf = async (sql: Database, jobId: string) => {
  const [row] = await sql`select * from read_job where job_id = ${jobId}`;
  return row;
};

/** A scan that no caller requested, such as the first of a new connection. */
const ownScan = (sql: Database, { app }: SeededApp, connectionId: ConnectionId, window: typeof WINDOW | null) =>
  insertScan(sql, {
    connectionId,
    appId: app.appId,
    provider: 'PROVIDER_B',
    requestedBy: 'SERVICE',
    correlationId: newId(),
    window: window && {
      publishedAfter: new Date(window.publishedAfter),
      publishedBefore: new Date(window.publishedBefore),
    },
    maxItems: 100,
    continues: null,
  });

/** Ends a scan before the end of its window, so that it can be continued. */
async function endIncomplete(sql: Database, jobId: string): Promise<void> {
  await moveReadJobToRunning(sql, jobId as JobId);
  await sql`update read_job set provider_cursor = 'page-2', item_count = 100 where job_id = ${jobId}`;
  await endReadJob(sql, jobId as JobId, { status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS' });
}

describe('requestRefresh of a window', () => {
  test('queues a scan with its dispatch', async ({ sql }) => {
    const { refresh, kit, connectionId } = await start(sql);
    const job = await refresh({ window: { ...WINDOW, maxItems: 7 } });
    expect(job).toMatchObject({
      status: 'QUEUED',
      completeForWindow: null,
      incompleteReason: null,
      continuationCursor: null,
    });
    expect(await rowOf(sql, job.id)).toMatchObject({
      kind: 'SCAN',
      connectionId,
      requestedBy: 'CALLER',
      publishedAfter: new Date(WINDOW.publishedAfter),
      publishedBefore: new Date(WINDOW.publishedBefore),
      maxItems: 7,
      windowOmitted: false,
    });
    expect(await sql`select workflow_type from outbox where workflow_id = ${`scan/${job.id}`}`).toHaveLength(1);
    expect(kit.deliveryRequests()).toBe(1);
  });

  test('defaults to the last 7 days and 100 posts', async ({ sql }) => {
    await freezeClock(sql, new Date(NOW));
    const { refresh } = await start(sql);
    const { id } = await refresh();
    expect(await rowOf(sql, id)).toMatchObject({
      publishedAfter: new Date(NOW - 7 * DAY),
      publishedBefore: new Date(NOW),
      maxItems: 100,
      windowOmitted: true,
    });
    await freezeClock(sql, new Date(NOW + 60_000));
    expect((await refresh()).id).toBe(id);
    const spelledOut = { publishedAfter: iso(NOW - 7 * DAY), publishedBefore: iso(NOW) };
    expect((await refresh({ window: spelledOut })).id).toBe(id);
  });

  test('returns one job to 50 simultaneous requests', async ({ sql }) => {
    const { refresh, connectionId, kit } = await start(sql);
    const jobs = await Promise.all(Array.from({ length: 50 }, () => refresh({ window: WINDOW })));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await sql`select from read_job where connection_id = ${connectionId}`).toHaveLength(1);
    expect(await sql`select from outbox where workflow_id = ${`scan/${jobs[0].id}`}`).toHaveLength(1);
    expect(kit.deliveryRequests()).toBe(1);
  });

  test('refuses another window until the current one has ended', async ({ sql }) => {
    const { refresh } = await start(sql);
    const outcomes = await Promise.allSettled([refresh({ window: WINDOW }), refresh({ window: OTHER })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [first] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(await refusalOf(refresh())).toMatchObject({ code: 'SYNC_WINDOW_BUSY', jobId: first.id });
    await endReadJob(sql, first.id, { status: 'CANCELED' });
    await expect(refresh()).resolves.toBeDefined();
    expect((await refusalOf(refresh({ window: WINDOW }))).code).toBe('SYNC_WINDOW_BUSY');
  });

  test('takes over our own scan of the same window, which then counts as a caller’s', async ({ sql }) => {
    const { refresh, seeded, connectionId } = await start(sql);
    const own = await ownScan(sql, seeded, connectionId, null);
    const outbox = await sql`select from outbox`;
    expect((await refresh()).id).toBe(own.jobId);
    expect(await rowOf(sql, own.jobId)).toMatchObject({ requestedBy: 'CALLER', status: 'QUEUED' });
    expect(await sql`select from outbox`).toHaveLength(outbox.length);
    expect((await refusalOf(refresh({ window: OTHER }))).code).toBe('SYNC_WINDOW_BUSY');
  });

  test('replaces our own scan of another window', async ({ sql }) => {
    const { refresh, seeded, connectionId } = await start(sql);
    const own = await ownScan(sql, seeded, connectionId, null);
    await moveReadJobToRunning(sql, own.jobId);
    const { id } = await refresh({ window: WINDOW });
    expect(id).not.toBe(own.jobId);
    expect(await rowOf(sql, own.jobId)).toMatchObject({ status: 'CANCELED' });
    expect(await rowOf(sql, id)).toMatchObject({ status: 'QUEUED', requestedBy: 'CALLER' });
  });

  test('accepts 1 to 100 posts of at most 90 days, and no window together with a post', async ({ sql }) => {
    const { refresh, connectionId } = await start(sql);
    const post = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    const wrong = [
      { window: { ...WINDOW, maxItems: 0 } },
      { window: { ...WINDOW, maxItems: 101 } },
      { window: { publishedAfter: iso(NOW - 90 * DAY - 1), publishedBefore: iso(NOW) } },
      { window: { publishedAfter: iso(NOW), publishedBefore: iso(NOW) } },
      { providerContentId: post, window: WINDOW },
      { providerContentId: post, continuationCursor: 'x' },
      { continuationCursor: '' },
    ];
    for (const args of wrong) expect((await refusalOf(refresh(args))).code).toBe('BAD_USER_INPUT');
    const { id } = await refresh({
      window: { publishedAfter: iso(NOW - 90 * DAY), publishedBefore: iso(NOW), maxItems: null },
    });
    expect(await rowOf(sql, id)).toMatchObject({ maxItems: 100 });
  });
});

describe('requestRefresh with a continuation cursor', () => {
  test('resumes where an incomplete scan ended, in the same window', async ({ sql }) => {
    const { refresh, readJob } = await start(sql);
    const first = await refresh({ window: { ...WINDOW, maxItems: 40 } });
    await endIncomplete(sql, first.id);
    const ended = await readJob(first.id);
    expect(ended).toMatchObject({ status: 'SUCCEEDED', completeForWindow: false, incompleteReason: 'MAX_ITEMS' });
    const { continuationCursor } = ended;

    const elsewhere = await refusalOf(refresh({ continuationCursor, window: OTHER }));
    expect(elsewhere.code).toBe('BAD_USER_INPUT');
    const next = await refresh({ continuationCursor, window: WINDOW });
    expect((await refresh({ continuationCursor })).id).toBe(next.id);
    const source = await rowOf(sql, first.id);
    expect(await rowOf(sql, next.id)).toMatchObject({
      publishedAfter: new Date(WINDOW.publishedAfter),
      publishedBefore: new Date(WINDOW.publishedBefore),
      providerCursor: 'page-2',
      itemCount: 0,
      chainStartedAt: source?.createdAt,
    });
    await endIncomplete(sql, next.id);
    const third = await refresh({ continuationCursor: (await readJob(next.id)).continuationCursor });
    expect(await rowOf(sql, third.id)).toMatchObject({ chainStartedAt: source?.createdAt, maxItems: 100 });
  });

  test('keeps the number of posts of the scan it continues', async ({ sql }) => {
    const { refresh, readJob } = await start(sql);
    const first = await refresh({ window: { ...WINDOW, maxItems: 40 } });
    await endIncomplete(sql, first.id);
    const { continuationCursor } = await readJob(first.id);
    const { id } = await refresh({ continuationCursor });
    expect(await rowOf(sql, id)).toMatchObject({ maxItems: 40 });
  });

  test('is offered and accepted for less than 24 hours', async ({ sql }) => {
    await freezeClock(sql, new Date(NOW));
    const { refresh, readJob } = await start(sql);
    const { id } = await refresh({ window: WINDOW });
    await endIncomplete(sql, id);
    await freezeClock(sql, new Date(NOW + DAY - 1));
    const { continuationCursor } = await readJob(id);
    expect(continuationCursor).toBeTypeOf('string');
    await freezeClock(sql, new Date(NOW + DAY));
    expect((await readJob(id)).continuationCursor).toBeNull();
    expect((await refusalOf(refresh({ continuationCursor }))).code).toBe('BAD_USER_INPUT');
    await freezeClock(sql, new Date(NOW + DAY - 1));
    await expect(refresh({ continuationCursor })).resolves.toBeDefined();
  });

  test('is refused for another connection', async ({ sql }) => {
    const { refresh, readJob, call, scope, seeded } = await start(sql);
    const { id } = await refresh({ window: WINDOW });
    await endIncomplete(sql, id);
    const { continuationCursor } = await readJob(id);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const foreign = call('requestRefresh', { scope, connectionId, continuationCursor });
    expect((await refusalOf(foreign)).code).toBe('BAD_USER_INPUT');
  });
});

describe('requestRefresh of one post', () => {
  test('queues one job for the post, however often it is requested', async ({ sql }) => {
    const { refresh, connectionId } = await start(sql);
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    const other = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    const jobs = await Promise.all(Array.from({ length: 10 }, () => refresh({ providerContentId })));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await rowOf(sql, jobs[0].id)).toMatchObject({ kind: 'METRICS', providerContentId });
    expect(await sql`select from outbox where workflow_id = ${`metrics/${jobs[0].id}`}`).toHaveLength(1);
    expect((await refresh({ providerContentId: other })).id).not.toBe(jobs[0].id);
    await expect(refresh({ window: WINDOW })).resolves.toBeDefined();
  });

  test('refuses a post that was never stored as missing', async ({ sql }) => {
    const { refresh } = await start(sql);
    expect((await refusalOf(refresh({ providerContentId: 'never' }))).code).toBe('NOT_FOUND');
    expect((await refusalOf(refresh({ providerContentId: 'nul\0' }))).code).toBe('BAD_USER_INPUT');
  });
});

describe('requestRefresh', () => {
  test('requires the capability of its kind, on a usable connection', async ({ sql }) => {
    const { call, scope, seeded, connectionId, refresh } = await start(sql);
    const codeFor = async (capabilities: ReturnType<typeof available>, args: object) => {
      const limited = await seedConnection(sql, seeded, { scope, capabilities });
      return (await refusalOf(call('requestRefresh', { scope, connectionId: limited, ...args }))).code;
    };
    expect(await codeFor(available('PROFILE', 'CONTENT_METRICS'), {})).toBe('CAPABILITY_UNAVAILABLE');
    expect(await codeFor(available('CONTENT_LIST'), { providerContentId: 'x' })).toBe('CAPABILITY_UNAVAILABLE');

    await sql`update registration set paused_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_B}`;
    expect((await refusalOf(refresh())).code).toBe('AUTHORIZATION_SUSPENDED');
    for (const [status, code] of [
      ['SUSPENDED', 'AUTHORIZATION_SUSPENDED'],
      ['RECONNECT_REQUIRED', 'RECONNECT_REQUIRED'],
      ['DISCONNECTED', 'DISCONNECT_IN_PROGRESS'],
      ['DELETING', 'DISCONNECT_IN_PROGRESS'],
    ]) {
      await sql`update connection set status = ${String(status)} where connection_id = ${connectionId}`;
      expect((await refusalOf(refresh())).code).toBe(code);
    }
    const other = seeded.newScope();
    expect((await refusalOf(call('requestRefresh', { scope: other, connectionId }))).code).toBe('NOT_FOUND');
    const foreign = { ...other, tenantKey: 'unregistered' };
    expect((await refusalOf(call('requestRefresh', { scope: foreign, connectionId }))).code).toBe('FORBIDDEN');
    expect(await sql`select from read_job where app_id = ${seeded.app.appId}`).toHaveLength(0);
  });

  test('sees what another transaction did while it waited for the connection', async ({ sql }) => {
    const { connectionId, refresh } = await start(sql);
    let asked: Promise<unknown> | undefined;
    await inTransaction(sql, async (tx) => {
      await lockConnectionById(tx, connectionId);
      asked = refusalOf(refresh());
      await expect(Promise.race([asked, delay(300)])).resolves.toBeUndefined();
      await tx`update account_grant set status = 'REVOKING' where connection_id = ${connectionId}`;
    });
    expect(await asked).toMatchObject({ code: 'RECONNECT_REQUIRED' });
  });

  test('allows exactly 20 jobs of an app in flight, over all its connections at once', async ({ sql }) => {
    const { call, scope, seeded, connectionId, refresh } = await start(sql);
    await seedLookups(sql, seeded, connectionId, 15);
    const others = await Promise.all(Array.from({ length: 12 }, () => seedConnection(sql, seeded, { scope })));
    const outcomes = await Promise.allSettled(
      others.map((other) => call('requestRefresh', { scope, connectionId: other, window: WINDOW })),
    );
    const passed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(passed).toHaveLength(5);
    const refusal = await refusalOf(refresh({ window: WINDOW }));
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });

    // A repeated request for a job in flight does not count again.
    const [served] = await sql`select connection_id from read_job where job_id = ${passed[0].id}`;
    const again = await call('requestRefresh', { scope, connectionId: served?.connectionId, window: WINDOW });
    expect(again.id).toBe(passed[0].id);
    // A request for the window of our own scan does not count either. Another window waits for room, and ours continues.
    const own = await ownScan(sql, seeded, connectionId, null);
    expect((await refusalOf(refresh({ window: WINDOW }))).code).toBe('RATE_LIMITED');
    expect(await rowOf(sql, own.jobId)).toMatchObject({ status: 'QUEUED', requestedBy: 'SERVICE' });
    expect((await refresh()).id).toBe(own.jobId);
    expect(await rowOf(sql, own.jobId)).toMatchObject({ status: 'QUEUED', requestedBy: 'CALLER' });

    // It counts from then on, and is not replaced.
    await endReadJob(sql, passed[0].id, { status: 'CANCELED' });
    expect((await refusalOf(refresh({ window: WINDOW }))).code).toBe('SYNC_WINDOW_BUSY');
    const another = await seedConnection(sql, seeded, { scope });
    const busy = call('requestRefresh', { scope, connectionId: another, window: WINDOW });
    expect((await refusalOf(busy)).code).toBe('RATE_LIMITED');
  });
});

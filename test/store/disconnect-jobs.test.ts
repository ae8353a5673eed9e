import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertErasure } from '../../src/store/erasures/erasures.ts';
import { findKeptTokens, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import { findAdminJob } from '../../src/store/jobs/admin-jobs.ts';
import {
  findDisconnectJob,
  hasUnsettledRevoke,
  listReceipts,
  moveDisconnectJobToEnd,
  moveDisconnectJobToRunning,
} from '../../src/store/jobs/disconnect-jobs.ts';
import { recordDisconnectSetback } from '../../src/store/jobs/setbacks.ts';
import { businessNow, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { type SeedDisconnectJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

const SUCCEEDED = { status: 'SUCCEEDED', creatorAction: null } as const;
const FAILED = { status: 'FAILED', creatorAction: null, errorCode: 'PROVIDER_UNAVAILABLE' } as const;

async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const later = <T>(ms: number, work: () => Promise<T>) => at(sql, now, ms, work);
  const make = (job: SeedDisconnectJob = {}) => later(0, () => seedDisconnectJob(sql, seeded, job));
  const fail = (jobId: JobId) =>
    later(0, () =>
      recordDisconnectSetback(sql, jobId, { code: 'PROVIDER_UNAVAILABLE', answer: null, waitSeconds: 3600 }),
    );
  return { appId: seeded.app.appId, now, later, make, fail };
}

describe('a job of a disconnect', () => {
  test('is tried for 72 hours, unless it erases', async ({ sql }) => {
    const { later, make } = await openApp(sql);
    const [revoke, compensation, erase] = [
      await make(),
      await make({ kind: 'COMPENSATION' }),
      await make({ kind: 'ERASE' }),
    ];
    const secondsLeft = (jobId: JobId, ms: number) =>
      later(ms, async () => (await findDisconnectJob(asWorker(sql), jobId))?.secondsLeft);
    for (const jobId of [revoke, compensation]) {
      expect(await secondsLeft(jobId, 0)).toBe(72 * 3600);
      expect(await secondsLeft(jobId, 72 * HOUR_MS - 1000)).toBe(1);
      for (const ms of [0, 1000]) expect(await secondsLeft(jobId, 72 * HOUR_MS + ms)).toBe(0);
    }
    expect(await secondsLeft(erase, 0)).toBeNull();
  });

  test('that begins early waits no more, and one that has ended neither', async ({ sql }) => {
    const { now, later, make, fail } = await openApp(sql);
    const [jobId, other] = [await make(), await make()];
    const shown = async (of: JobId) => {
      const job = await findAdminJob(sql, of);
      return [job?.status, job?.nextRetryAt, job?.startedAt];
    };
    const start = (ms: number) => later(ms, () => moveDisconnectJobToRunning(asWorker(sql), jobId));
    for (const id of [jobId, other]) await fail(id);
    await start(MINUTE_MS);
    const began = new Date(now.getTime() + MINUTE_MS);
    expect(await shown(jobId)).toEqual(['RUNNING', began, began]);
    await fail(jobId);
    await start(2 * HOUR_MS);
    const due = new Date(now.getTime() + HOUR_MS);
    expect(await shown(jobId)).toEqual(['RUNNING', due, began]); // It was due, and so late.
    expect(await moveDisconnectJobToEnd(asWorker(sql), jobId, FAILED)).toMatchObject({ jobId, status: 'FAILED' });
    expect(await shown(jobId)).toEqual(['FAILED', null, began]);
    expect(await moveDisconnectJobToEnd(asWorker(sql), jobId, SUCCEEDED)).toBeUndefined();
    expect(await start(0)).toBeUndefined();
    expect(await shown(other)).toEqual(['QUEUED', due, null]);
  });

  test('is a receipt of its connection if it revokes or erases', async ({ sql }) => {
    const { make } = await openApp(sql);
    const [one, two, unasked] = [newId<ConnectionId>(), newId<ConnectionId>(), newId<ConnectionId>()];
    const receipts = [];
    for (const connectionId of [one, two])
      for (const kind of ['REVOKE', 'ERASE'] as const) receipts.push(await make({ kind, connectionId, run: 0 }));
    await make({ kind: 'COMPENSATION', connectionId: one });
    await make({ connectionId: unasked });
    const listed = await listReceipts(asApi(sql), [one, two]);
    expect(listed.map(({ jobId }) => jobId).sort()).toEqual(receipts.sort());
  });
});

test('a person has an unsettled revoke at a platform while it is queued or runs', async ({ sql }) => {
  const { make } = await openApp(sql);
  const [scopeMac, other] = [randomBytes(32), randomBytes(32)];
  const isUnsettled = (macs = [scopeMac], provider: 'PROVIDER_A' | 'PROVIDER_B' = 'PROVIDER_B') =>
    hasUnsettledRevoke(asApi(sql), macs, provider);
  await make({ scopeMac, provider: 'PROVIDER_A' });
  await make({ scopeMac, kind: 'ERASE' });
  await make({ scopeMac: other });
  expect(await isUnsettled()).toBe(false);
  const jobId = await make({ scopeMac });
  expect(await isUnsettled()).toBe(true);
  expect(await isUnsettled([randomBytes(32), scopeMac])).toBe(true); // By the hashes of either key.
  await moveDisconnectJobToRunning(asWorker(sql), jobId);
  expect(await isUnsettled()).toBe(true);
  await moveDisconnectJobToEnd(asWorker(sql), jobId, FAILED);
  expect([await isUnsettled(), await isUnsettled([scopeMac], 'PROVIDER_A')]).toEqual([false, true]);
});

test('a failed revoke keeps its tokens for another try, unless its person is erased', async ({ sql }) => {
  const { appId, make } = await openApp(sql);
  const start = async () => {
    const [scopeMac, grantId] = [randomBytes(32), newId<GrantId>()];
    const jobId = await make({ scopeMac, grantId });
    await moveDisconnectJobToRunning(asWorker(sql), jobId);
    await keepTokens(asWorker(sql), jobId, 'sealed', { grantId, refreshClaim: null });
    return { jobId, scopeMac };
  };
  const [failed, erased, succeeded, open] = [await start(), await start(), await start(), await start()];
  const subject = { scopeId: undefined, scopeMacs: [erased.scopeMac], scopeMac: erased.scopeMac };
  await inTransaction(asApi(sql), (tx) => insertErasure(tx, { ...subject, appId, connectionIds: [] }));
  for (const { jobId } of [failed, erased]) await moveDisconnectJobToEnd(asWorker(sql), jobId, FAILED);
  await moveDisconnectJobToEnd(asWorker(sql), succeeded.jobId, SUCCEEDED);
  const kept = [failed, erased, succeeded, open].map(({ jobId }) => findKeptTokens(asWorker(sql), jobId));
  expect(await Promise.all(kept)).toEqual(['sealed', null, null, 'sealed']);
});

test('an erase waits for the revoke of its own connection, however that ends', async ({ sql }) => {
  const { make } = await openApp(sql);
  for (const end of [SUCCEEDED, FAILED]) {
    const [connectionId, other] = [newId<ConnectionId>(), newId<ConnectionId>()];
    const insert = (of: ConnectionId, kind: 'REVOKE' | 'ERASE' | 'COMPENSATION') =>
      make({ connectionId: of, kind, run: kind === 'COMPENSATION' ? 1 : 0 });
    const [revoke, erase, compensation] = [
      await insert(connectionId, 'REVOKE'),
      await insert(connectionId, 'ERASE'),
      await insert(connectionId, 'COMPENSATION'),
    ];
    const ofOther = await insert(other, 'ERASE');
    const listWaiting = async () => {
      const rows = await sql`
        select job_id from disconnect_job where job_id in (${revoke}, ${erase}, ${compensation}, ${ofOther}) and awaits_revoke
      `;
      return rows.map(({ jobId }) => jobId).sort();
    };
    const finish = async (jobId: JobId) => {
      await moveDisconnectJobToRunning(asWorker(sql), jobId);
      await moveDisconnectJobToEnd(asWorker(sql), jobId, end);
    };
    await finish(compensation);
    expect(await listWaiting()).toEqual([erase, ofOther].sort());
    await finish(revoke);
    expect(await listWaiting()).toEqual([ofOther]);
  }
});

import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findSyncJob } from '../../src/store/jobs/sync-jobs.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { businessNow, DAY_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, type JobRow } from '../kit/seed-jobs.ts';

/** A connection, its neighbours, and how its person asks for a job at a fixed time. */
async function open(sql: Database) {
  const tenantKey = `tenant-${randomUUID()}`;
  const [seeded, other] = [await seedApp(sql, { tenantKey }), await seedApp(sql, { tenantKey })];
  await sql`insert into tenant (app_id, tenant_key) values (${seeded.app.appId}, 'another')`;
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const secondId = await seedConnection(sql, seeded, { scope });
  const twinId = await seedConnection(sql, other, { scope });
  const now = await businessNow(sql);
  const from = (ms: number) => new Date(now.getTime() + ms);
  const scopeMac = randomBytes(32);
  const insert = (row: JobRow) => insertJob(sql, seeded, { connectionId, scopeMac, ...row });
  interface Asked {
    readonly app?: SeededApp;
    readonly scope?: SubjectScope;
    readonly connectionId?: ConnectionId;
  }
  const ask = async (id: JobId, asked: Asked = {}) => {
    const { app } = asked.app ?? seeded;
    const isOfScope = (mac: Buffer) => mac.equals(scopeMac);
    const question = { scope, connectionId, ...asked, appId: app.appId, id, isOfScope };
    return (await at(sql, now, 0, () => findSyncJob(asApi(sql), question))).job;
  };
  const others: readonly Asked[] = [{ app: other }, { app: other, connectionId: twinId }, { connectionId: secondId }];
  return { seeded, scope, connectionId, now, from, insert, ask, others };
}

test('a job is told to the person of its connection while it is open, and for 7 days after', async ({ sql }) => {
  const { seeded, scope, connectionId, from, ask, others } = await open(sql);
  const read = (row: JobRow) => insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, ...row });
  await read({});
  const waiting = await read({
    ...{ status: 'RUNNING', nextRetryAt: from(1), lastFailure: 'PROVIDER_UNAVAILABLE', createdAt: from(-30 * DAY_MS) },
  });
  expect(await ask(waiting)).toEqual({
    ...{ jobId: waiting, kind: 'LOOKUP', connectionId, status: 'RUNNING', nextRetryAt: from(1), errorCode: null },
    ...{ lastFailure: 'PROVIDER_UNAVAILABLE', creatorAction: null, resultProviderContentId: null },
    ...{ incompleteReason: null, finishedAt: null, continuable: false },
  });
  for (const asked of [...others, { scope: seeded.newScope() }, { scope: { ...scope, tenantKey: 'another' } }])
    expect(await ask(waiting, asked)).toBeUndefined();
  const end = { status: 'SUCCEEDED', createdAt: from(-30 * DAY_MS), resultProviderContentId: 'post' };
  const kept = await read({ ...end, finishedAt: from(-7 * DAY_MS + 1) });
  expect(await ask(kept)).toMatchObject({ resultProviderContentId: 'post', finishedAt: from(-7 * DAY_MS + 1) });
  expect(await ask(await read({ ...end, finishedAt: from(-7 * DAY_MS) }))).toBeUndefined();
  const scan = {
    ...{ kind: 'SCAN' as const, maxItems: 9, publishedAfter: from(-DAY_MS), publishedBefore: from(0) },
    ...{ status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS', providerCursor: 'next', finishedAt: from(-MINUTE_MS) },
  };
  expect(await ask(await read(scan))).toMatchObject({ continuable: true, incompleteReason: 'MAX_ITEMS' });
});

test('a receipt is told to whoever it is of for 7 days, though the connection is gone', async ({ sql }) => {
  const { connectionId, from, insert, ask, others } = await open(sql);
  const failed = {
    ...{ status: 'FAILED', finishedAt: from(-1), errorCode: 'GIVEN_UP', lastFailure: 'PROVIDER_UNAVAILABLE' },
    ...{ creatorAction: 'REMOVE_APP_AT_PROVIDER', createdAt: from(-7 * DAY_MS + 1), nextRetryAt: from(1) },
  };
  const [revoke, erase] = [await insert(failed), await insert({ kind: 'ERASE', nextRetryAt: from(1) })];
  await sql`delete from connection where connection_id = ${connectionId}`;
  const base = { connectionId, resultProviderContentId: null, incompleteReason: null, continuable: false };
  expect(await ask(revoke)).toEqual({
    ...{ ...base, jobId: revoke, kind: 'REVOKE', status: 'FAILED', nextRetryAt: null, errorCode: 'GIVEN_UP' },
    ...{ lastFailure: 'PROVIDER_UNAVAILABLE', creatorAction: 'REMOVE_APP_AT_PROVIDER', finishedAt: from(-1) },
  });
  expect(await ask(erase)).toEqual({
    ...{ ...base, jobId: erase, kind: 'ERASE', status: 'QUEUED', nextRetryAt: from(1), errorCode: null },
    ...{ lastFailure: null, creatorAction: null, finishedAt: null },
  });
  for (const asked of others) expect(await ask(revoke, asked)).toBeUndefined();
  expect(await ask(await insert({ kind: 'COMPENSATION' }))).toBeUndefined();
  await sql`update disconnect_job set created_at = ${from(-7 * DAY_MS)} where job_id = ${erase}`;
  expect(await ask(erase)).toBeUndefined();
  await sql`update disconnect_job set scope_mac = ${randomBytes(32)} where job_id = ${revoke}`;
  expect(await ask(revoke)).toBeUndefined();
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId, GrantId, JobId } from '../../../src/basics/ids.ts';
import {
  type Answer,
  createTestAdmin,
  type Operator,
  refusalOf,
  TEMPORAL_UI_URL,
  type TestAdmin,
} from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { rejectClient, type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { insertJob, type JobRow } from '../../kit/seed-jobs.ts';

let admin: TestAdmin;
let operator: Operator;
let seeded: SeededApp;

test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
  operator = admin.as('ADMIN');
  seeded = await seedApp(database.sql);
});

const retry = (id: JobId) => operator.run('retryJob', { id }, 'id status retryable workflowId');

/** A disconnected connection whose revoke failed `tries` times and waits an hour for the next attempt. */
async function stuckRevoke(sql: Database, tries = 3): Promise<{ connectionId: ConnectionId; jobId: JobId }> {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const story = await operator.run('disconnectConnection', { id: connectionId }, 'receipts { id kind }');
  const jobId = story.receipts.find(({ kind }: Answer) => kind === 'REVOKE').id;
  await sql`
    update disconnect_job set status = 'RUNNING', started_at = business_now(), tries = ${tries},
      last_failure = 'PROVIDER_UNAVAILABLE', first_failed_at = business_now() - interval '2 hours',
      next_retry_at = business_now() + interval '1 hour'
    where job_id = ${jobId}
  `;
  await sql`delete from outbox`;
  return { connectionId, jobId };
}

const outbox = async (sql: Database) =>
  await sql`select workflow_id, workflow_type, signal_name, restart from outbox order by outbox_id`;

test('a job that waits for a refused client names it, and the platform’s answer', async ({ database: { sql } }) => {
  const { registrations } = seeded;
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_B' });
  const failed = {
    ...{ status: 'RUNNING', tries: 2, lastFailure: 'PROVIDER_UNAVAILABLE', lastAnswer: 'HTTP_401' },
    ...{ startedAt: new Date(), firstFailedAt: new Date(), lastTriedAt: new Date() },
  };
  const lookup = await insertJob(sql, seeded, { ...failed, kind: 'LOOKUP', connectionId });
  const seedRevoke = (more: JobRow = {}) =>
    insertJob(sql, seeded, { ...failed, connectionId: randomUUID(), grantId: randomUUID(), ...more });
  const revoke = await seedRevoke();
  const another = await seedRevoke({ lastAnswer: 'HTTP_503' });
  const elsewhere = await seedRevoke({ provider: 'PROVIDER_A' });
  const show = async (id: JobId) => {
    const fields = 'lastFailure { message } refusedClient { registrationId label answer answerCode }';
    const { lastFailure, refusedClient } = await operator.run('job', { id }, fields);
    return [lastFailure.message, refusedClient];
  };
  const answered = (status: number) => [`The provider answered with HTTP ${status}. The job retries.`, null];
  expect(await show(lookup)).toEqual(answered(401));

  await rejectClient(sql, registrations.PROVIDER_B);
  const [{ label }] =
    (await sql`select label from registration where registration_id = ${registrations.PROVIDER_B}`) as [Answer];
  const refused = [
    'The platform refuses our client: HTTP 401 invalid_client.',
    { registrationId: registrations.PROVIDER_B, label, answer: 'HTTP_401', answerCode: 'invalid_client' },
  ];
  expect(await show(lookup)).toEqual(refused);
  expect(await show(revoke)).toEqual(refused);
  expect(await show(another)).toEqual(answered(503));
  expect(await show(elsewhere)).toEqual(answered(401));

  await operator.run('retryRegistration', { id: registrations.PROVIDER_B }, 'id');
  expect(await show(revoke)).toEqual(answered(401));
});

describe('a stuck revoke', () => {
  test('is listed with its reason, start, next step and links', async ({ database }) => {
    const { jobId, connectionId } = await stuckRevoke(database.sql);
    const jobs = await operator.run(
      'jobs',
      { filter: { appId: seeded.app.appId, stuck: true } },
      'items { id kind status appName tenantKey stuck stuckSince retryable tries lastFailure { code message } firstFailedAt nextRetryAt givesUpAt workflowId workflowUrl }',
    );
    const [{ firstFailedAt }] = jobs.items;
    expect(jobs.items).toEqual([
      {
        id: jobId,
        kind: 'REVOKE',
        status: 'RUNNING',
        appName: 'Harbour Kitchen',
        tenantKey: seeded.tenantKey,
        stuck: true,
        stuckSince: firstFailedAt,
        retryable: true,
        tries: 3,
        lastFailure: {
          code: 'PROVIDER_UNAVAILABLE',
          message: expect.stringMatching(/did not answer.* The job retries\.$/),
        },
        firstFailedAt: expect.any(String),
        nextRetryAt: expect.any(String),
        givesUpAt: expect.any(String),
        workflowId: `disconnect/${connectionId}`,
        workflowUrl: `${TEMPORAL_UI_URL}/namespaces/default/workflows/disconnect%2F${connectionId}`,
      },
    ]);
  });

  test('is retried once, even if many requests ask for it', async ({ database }) => {
    const { jobId, connectionId } = await stuckRevoke(database.sql);
    const before = admin.deliveryRequests();
    for (let i = 0; i < 3; i += 1) {
      expect(await retry(jobId)).toMatchObject({ id: jobId, status: 'RUNNING' });
    }
    expect(await outbox(database.sql)).toEqual([
      { workflowId: `disconnect/${connectionId}`, workflowType: 'disconnect', signalName: 'retryNow', restart: true },
    ]);
    expect(admin.deliveryRequests()).toBe(before + 3);
  });

  test('is left alone while an attempt is running', async ({ database }) => {
    const { jobId } = await stuckRevoke(database.sql);
    await database.sql`update disconnect_job set next_retry_at = business_now() where job_id = ${jobId}`;
    expect(await retry(jobId)).toMatchObject({ id: jobId, retryable: false });
    expect(await outbox(database.sql)).toEqual([]);
  });

  test('is retried together with others by filter, after a dry run has counted them', async ({ database }) => {
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await stuckRevoke(database.sql)).connectionId);
    const filter = { appId: seeded.app.appId, kinds: ['REVOKE'], stuck: true };
    const retryAll = (dryRun: boolean) =>
      operator.run('retryJobs', { filter, dryRun }, 'dryRun count failedCount more');
    expect(await retryAll(true)).toEqual({ dryRun: true, count: 3, failedCount: 0, more: false });
    expect(await outbox(database.sql)).toEqual([]);
    expect(await retryAll(false)).toMatchObject({ dryRun: false, count: 3 });
    expect(await retryAll(false)).toMatchObject({ count: 0 });
    const workflows = (await outbox(database.sql)).map(({ workflowId }) => workflowId);
    expect(workflows.sort()).toEqual(ids.map((id) => `disconnect/${id}`).sort());
    const [entry] =
      await database.sql`select count(*)::int as count from audit_log where action = 'retryJobs' and outcome = 'DRY_RUN'`;
    expect(entry?.count).toBeGreaterThan(0);
  });

  test('counts as stuck, but not as retryable while an attempt is running', async ({ database }) => {
    const { sql } = database;
    const { jobId } = await stuckRevoke(sql);
    const [other, failed] = [await stuckRevoke(sql), await stuckRevoke(sql)];
    await sql`update disconnect_job set last_failure = 'PROVIDER_CONTRACT' where job_id = ${other.jobId}`;
    await sql`update disconnect_job set last_answer = 'HTTP_503' where job_id = ${jobId}`;
    await sql`
      update disconnect_job set status = 'FAILED', error_code = 'PROVIDER_UNAVAILABLE', finished_at = business_now(),
        next_retry_at = null, creator_action = 'REMOVE_APP_AT_PROVIDER', sealed_tokens = 'sealed'
      where job_id = ${failed.jobId}
    `;
    await retry(jobId);
    const { appId } = seeded.app;
    const count = async (filter: object, first = 20) =>
      await operator.run(
        'stuckWork',
        { filter: { appId, ...filter }, first },
        'count retryableCount groupCount groups { appId appName provider kind lastFailure { code message } lastAnswer count failedCount since }',
      );
    const whole = await count({});
    const unavailable = 'The provider did not answer, or reported an error of its own.'; // It retries no more.
    const group = {
      appId,
      appName: 'Harbour Kitchen',
      provider: 'PROVIDER_B',
      kind: 'REVOKE',
      since: expect.any(String),
    };
    expect(whole).toEqual({
      count: 3,
      retryableCount: 2,
      groupCount: 2,
      groups: [
        {
          ...group,
          ...{ lastFailure: { code: 'PROVIDER_UNAVAILABLE', message: unavailable }, lastAnswer: 'HTTP_503' },
          ...{ count: 2, failedCount: 1 },
        },
        {
          ...group,
          ...{ lastFailure: { code: 'PROVIDER_CONTRACT', message: expect.any(String) }, lastAnswer: null },
          ...{ count: 1, failedCount: 0 },
        },
      ],
    });
    expect(await count({}, 1)).toEqual({ ...whole, groups: whole.groups.slice(0, 1) });
    expect(await count({ lastFailure: 'PROVIDER_CONTRACT' })).toMatchObject({ count: 1, groupCount: 1 });
    for (const none of [{ stuck: false }, { provider: 'PROVIDER_C' }]) {
      expect(await count(none)).toEqual({ count: 0, retryableCount: 0, groupCount: 0, groups: [] });
    }
  });
});

describe('a permanently failed revoke', () => {
  async function failedRevoke(sql: Database, { kept }: { kept: boolean }) {
    const stuck = await stuckRevoke(sql);
    await sql`
      update disconnect_job set status = 'FAILED', error_code = 'PROVIDER_UNAVAILABLE', finished_at = business_now(),
        next_retry_at = null, creator_action = 'REMOVE_APP_AT_PROVIDER', sealed_tokens = ${kept ? 'sealed' : null}
      where job_id = ${stuck.jobId}
    `;
    const [row] = await sql`select grant_id from disconnect_job where job_id = ${stuck.jobId}`;
    await sql`delete from connection where connection_id = ${stuck.connectionId}`;
    return { ...stuck, grantId: row?.grantId as GrantId };
  }

  test('reopens under a new run, as long as its receipt is kept', async ({ database }) => {
    const { jobId, grantId } = await failedRevoke(database.sql, { kept: true });
    expect(await retry(jobId)).toMatchObject({
      status: 'QUEUED',
      workflowId: `revoke/${grantId}/1`,
    });
    expect(await outbox(database.sql)).toEqual([
      { workflowId: `revoke/${grantId}/1`, workflowType: 'revokeGrant', signalName: 'retryNow', restart: true },
    ]);
    const [job] = await database.sql`
      select creator_action, error_code, finished_at, give_up_at between business_now() + interval '71 hours'
        and business_now() + interval '72 hours' as patient from disconnect_job where job_id = ${jobId}
    `;
    expect(job).toEqual({ creatorAction: null, errorCode: null, finishedAt: null, patient: true });
  });

  test('names the answer, if one is known', async ({ database }) => {
    const { jobId } = await failedRevoke(database.sql, { kept: true });
    const read = async (answer: string) => {
      await database.sql`update disconnect_job set last_answer = ${answer} where job_id = ${jobId}`;
      return await operator.run('job', { id: jobId }, 'failure { message }');
    };
    expect(await read('HTTP_503')).toEqual({ failure: { message: 'The provider answered with HTTP 503.' } });
    expect(await read('TIMEOUT')).toEqual({ failure: { message: 'The provider gave no complete answer (TIMEOUT).' } });
  });

  test('is refused with a reason when its tokens are gone', async ({ database }) => {
    const { jobId } = await failedRevoke(database.sql, { kept: false });
    const refusal = await refusalOf(retry(jobId));
    expect(refusal.message).toBe('BAD_USER_INPUT: id names a revoke whose tokens are gone.');
  });
});

describe('a bulk disconnect', () => {
  const disconnectAll = ({ app: { appId }, tenantKey }: SeededApp, dryRun = false) =>
    operator.run(
      'disconnectAll',
      { input: { appId, tenantKey }, dryRun },
      'dryRun connectionCount bulkDisconnect { id total disconnected workflowId }',
    );

  test('counts its connections first, and starts once', async ({ database }) => {
    for (let i = 0; i < 3; i += 1) await seedConnection(database.sql, seeded, { scope: seeded.newScope() });
    await database.sql`delete from outbox`;
    expect(await disconnectAll(seeded, true)).toEqual({ dryRun: true, connectionCount: 3, bulkDisconnect: null });
    const [first, second] = [await disconnectAll(seeded), await disconnectAll(seeded)];
    expect(first.bulkDisconnect).toMatchObject({
      total: 3,
      disconnected: 0,
      workflowId: `disconnect-all/${first.bulkDisconnect.id}`,
    });
    expect(second.bulkDisconnect.id).toBe(first.bulkDisconnect.id);
    expect(await outbox(database.sql)).toHaveLength(1);
  });

  test('counts what is still to be erased, and what became of its grants', async ({ database: { sql } }) => {
    const begin = async (of: SeededApp) => {
      await seedConnection(sql, of, { scope: of.newScope() });
      return String((await disconnectAll(of)).bulkDisconnect.id);
    };
    const other = await seedApp(sql);
    const [own, foreign] = [await begin(seeded), await begin(other)];
    const insert = async (count: number, row: JobRow, of = seeded, bulkDisconnectId = own) => {
      const finishedAt = row.status === 'QUEUED' || row.status === 'RUNNING' ? null : new Date();
      for (let made = 0; made < count; made += 1)
        await insertJob(sql, of, { connectionId: randomUUID(), finishedAt, bulkDisconnectId, ...row });
    };
    const left = { creatorAction: 'REMOVE_APP_AT_PROVIDER' };
    await insert(1, { kind: 'ERASE', status: 'QUEUED' });
    await insert(2, { kind: 'ERASE', status: 'RUNNING' });
    await insert(4, { kind: 'ERASE', status: 'SUCCEEDED' });
    await insert(2, { kind: 'REVOKE', status: 'FAILED', ...left });
    await insert(3, { kind: 'REVOKE', status: 'SUCCEEDED', ...left });
    await insert(5, { kind: 'REVOKE', status: 'RUNNING' });
    await insert(1, { kind: 'REVOKE', status: 'SUCCEEDED' });
    await insert(7, { kind: 'ERASE', status: 'QUEUED' }, other, foreign);
    await insert(8, { kind: 'REVOKE', status: 'FAILED', ...left }, other, foreign);
    const read = (id: string) =>
      operator.run('bulkDisconnect', { id }, 'unsettled revokesFailed outcome { revoked leftToPerson erased }');
    const outcome = { revoked: 1, leftToPerson: 5, erased: 4 };
    expect(await read(own)).toEqual({ unsettled: 3, revokesFailed: 2, outcome });
    const outcomeThere = { revoked: 0, leftToPerson: 8, erased: 0 };
    expect(await read(foreign)).toEqual({ unsettled: 7, revokesFailed: 8, outcome: outcomeThere });
  });

  test('runs with the removal of a tenant on request', async ({ database }) => {
    await seedConnection(database.sql, seeded, { scope: seeded.newScope() });
    const tenant = { appId: seeded.app.appId, tenantKey: seeded.tenantKey, connections: 'DISCONNECT_ALL' };
    const remove = (dryRun: boolean) =>
      operator.run('removeTenant', { ...tenant, dryRun }, 'connectionCount bulkDisconnect { total }');
    expect(await remove(true)).toEqual({ connectionCount: 1, bulkDisconnect: null });
    expect(await remove(false)).toEqual({ connectionCount: 1, bulkDisconnect: { total: 1 } });
    expect((await refusalOf(remove(false))).code).toBe('NOT_FOUND');
  });
});

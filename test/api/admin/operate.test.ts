import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type GrantId, type JobId, newId } from '../../../src/basics/ids.ts';
import { type Answer, refusalOf, useAdmin, useApp } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { seedAttempt } from '../../kit/seed-attempts.ts';
import { insertJob } from '../../kit/seed-jobs.ts';

const { admin, operator } = useAdmin();
const seeded = useApp();

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

describe('a stuck revoke', () => {
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

  test('is retried if its try is late: its workflow may have been ended', async ({ database }) => {
    const { jobId } = await stuckRevoke(database.sql);
    await stuckRevoke(database.sql);
    await database.sql`
      update disconnect_job set next_retry_at = business_now() - interval '31 seconds' where job_id = ${jobId}
    `;
    expect(await retry(jobId)).toMatchObject({ id: jobId, retryable: false }); // It is tried now.
    expect(await outbox(database.sql)).toMatchObject([{ workflowType: 'disconnect', signalName: 'retryNow' }]);
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
});

test('a revoke not sent says why: another grant of the person, or a platform without revokes', async ({ sql }) => {
  const left = { status: 'SUCCEEDED', finishedAt: new Date(), creatorAction: 'REMOVE_APP_AT_PROVIDER', run: 0 };
  const insert = () => insertJob(sql, seeded, { ...left, connectionId: newId<ConnectionId>() });
  const [shared, none] = [await insert(), await insert()];
  await sql`update disconnect_job set provider = 'PROVIDER_C' where job_id = ${none}`;
  const read = async (id: JobId) => (await operator.run('job', { id }, 'creatorActionReason')).creatorActionReason;
  expect(await read(shared)).toMatch(/^No revoke was sent: the same person has, or may have, another grant/);
  expect(await read(none)).toBe('This provider offers no revoke.');
});

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

test('a permanently failed revoke is refused with a reason when its tokens are gone', async ({ database }) => {
  const { jobId } = await failedRevoke(database.sql, { kept: false });
  const refusal = await refusalOf(retry(jobId));
  expect(refusal.message).toBe('BAD_USER_INPUT: id names a revoke whose tokens are gone.');
});

test('a connection names the others whose grants its disconnect would end, until they have ended', async ({ sql }) => {
  const principalMac = randomBytes(32);
  const seed = (options: Partial<Parameters<typeof seedConnection>[2]>) =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), ...options });
  const [own, shared] = [await seed({ principalMac }), await seed({ principalMac })];
  const [alone] = [await seed({}), await seed({ provider: 'PROVIDER_C', principalMac: randomBytes(32) })];
  const endedWith = async (id: ConnectionId) => (await operator.run('connection', { id }, 'alsoEnds')).alsoEnds;
  expect(await endedWith(own)).toEqual([shared]);
  expect(await endedWith(shared)).toEqual([own]);
  expect(await endedWith(alone)).toEqual([]);
  // Whose grants these are, the platform has not said: they may be one person's, but not with another client.
  const providerAccountId = randomUUID();
  const unknown = [await seed({ providerAccountId }), await seed({ providerAccountId })] as const;
  const other = await seedApp(sql);
  const elsewhere = await seedConnection(sql, other, { scope: other.newScope(), providerAccountId });
  await sql`update account_grant set principal_mac = null where connection_id in ${sql([...unknown, elsewhere])}`;
  expect(await endedWith(unknown[0])).toEqual([unknown[1]]);
  await sql`
    update account_grant set status = 'DEAD', sealed_tokens = null, ended_answer = 'HTTP_400', ended_answer_code = 'gone',
      refresh_claim = case connection_id when ${own}::uuid then gen_random_uuid() end, refresh_claimed_at = now(),
      ended_by = case connection_id when ${own}::uuid then 'REFRESH' else 'READ' end
    where connection_id in (${own}, ${alone})
  `;
  expect(await endedWith(shared)).toEqual([]);
  for (const [id, by] of [[own, 'refresh'] as const, [alone, 'read'] as const]) {
    const { grants } = await operator.run('connection', { id }, 'grants { endReason mayBeAlive refreshClaimedAt }');
    const endReason = `The provider refused a ${by} (HTTP 400, gone).`;
    expect(grants).toEqual([{ endReason, mayBeAlive: by === 'refresh', refreshClaimedAt: null }]);
  }
});

test('a read that waits for its next try ends at once with a disconnect of its connection', async ({ sql }) => {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const waits = { status: 'RUNNING', tries: 1, startedAt: new Date(), nextRetryAt: new Date(Date.now() + 3_600_000) };
  const jobId = await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, ...waits });
  await operator.run('disconnectConnection', { id: connectionId }, 'id');
  const workflow = { workflowId: `lookup/${jobId}`, workflowType: 'contentLookup' };
  expect(await outbox(sql)).toContainEqual({ ...workflow, signalName: 'retryNow', restart: false });
});

test('an expired attempt says whether the person had gone to the platform', async ({ sql }) => {
  const [stayed, gone] = [await seedAttempt(sql, seeded), await seedAttempt(sql, seeded)];
  await sql`update connect_attempt set state_sha256 = sha256('state') where attempt_id = ${gone.attemptId}`;
  await sql`
    update connect_attempt set status = 'EXPIRED', result_code = 'EXPIRED', finished_at = business_now()
    where attempt_id in ${sql([stayed.attemptId, gone.attemptId])}
  `;
  const read = async ({ attemptId: id }: typeof gone) =>
    (await operator.run('attempt', { id }, 'resultMessage')).resultMessage;
  expect(await read(stayed)).toMatch(/ The person did not go to the provider\.$/);
  expect(await read(gone)).toMatch(/ The person went to the provider, and did not come back: /);
});

describe('a bulk disconnect', () => {
  const disconnectAll = ({ app: { appId }, tenantKey }: SeededApp, dryRun = false) =>
    operator.run(
      'disconnectAll',
      { input: { appId, tenantKey }, dryRun },
      'dryRun connectionCount unsentRevokes bulkDisconnect { id total disconnected workflowId }',
    );

  test('counts its connections and those without a revoke first, and starts once', async ({ database }) => {
    for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const)
      await seedConnection(database.sql, seeded, { scope: seeded.newScope(), provider });
    const dead = await seedConnection(database.sql, seeded, { scope: seeded.newScope(), status: 'RECONNECT_REQUIRED' });
    await database.sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${dead}`;
    await database.sql`delete from outbox`;
    const unsentRevokes = [
      'No revoke will be sent for 1 connection at Instagram: this provider offers no revoke. The person still sees the app there, until they remove it.',
      'No revoke will be sent for 1 connection at TikTok: the grant has ended already.',
    ];
    const counted = { dryRun: true, connectionCount: 4, unsentRevokes, bulkDisconnect: null };
    expect(await disconnectAll(seeded, true)).toEqual(counted);
    const [first, second] = [await disconnectAll(seeded), await disconnectAll(seeded)];
    expect(first.bulkDisconnect).toMatchObject({
      total: 4,
      disconnected: 0,
      workflowId: `disconnect-all/${first.bulkDisconnect.id}`,
    });
    expect(second.bulkDisconnect.id).toBe(first.bulkDisconnect.id);
    expect(await outbox(database.sql)).toHaveLength(1);
  });

  test('counts neither a revoke that is left to the person nor one of an ended grant as a revoke', async ({
    database,
  }) => {
    await seedConnection(database.sql, seeded, { scope: seeded.newScope() });
    const { bulkDisconnect } = await disconnectAll(seeded);
    const ended = { status: 'SUCCEEDED', finishedAt: new Date(), bulkDisconnectId: bulkDisconnect.id };
    await insertJob(database.sql, seeded, { ...ended, grantId: newId<GrantId>() });
    const id = await insertJob(database.sql, seeded, { ...ended, run: 0, connectionId: newId<ConnectionId>() });
    await insertJob(database.sql, seeded, { ...ended, creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    await insertJob(database.sql, seeded, { ...ended, kind: 'ERASE' });
    const fields = 'outcome { revoked ended leftToPerson erased }';
    const { outcome } = await operator.run('bulkDisconnect', { id: bulkDisconnect.id }, fields);
    expect(outcome).toEqual({ revoked: 1, ended: 1, leftToPerson: 1, erased: 1 });
    const { creatorActionReason } = await operator.run('job', { id }, 'creatorActionReason');
    expect(creatorActionReason).toBe('No revoke was needed: the grant had ended before.');
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

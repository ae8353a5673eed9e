import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { forEachProvider } from '../../src/basics/codes.ts';
import { type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { isDenial } from '../../src/domain/access/denial.ts';
import { mayCall, type Purpose } from '../../src/domain/access/may-call.ts';
import { type AttemptRules, mayConnect } from '../../src/domain/access/may-connect.ts';
import { type Database, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedLookups } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

const rules = { facts: forEachProvider(() => ({})), suspendSiblings: false } as unknown as AttemptRules;

type Change = (sql: Database, app: SeededApp) => Promise<unknown>;
const YES = 'permitted';
const permit = async (sql: Database, purpose: Purpose) => {
  const answer = await mayCall(sql, purpose);
  return isDenial(answer) ? answer.reason : YES;
};

/** A connection at PROVIDER_B, its grant, and a lookup of it that runs. */
async function seed(sql: Database) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await seedLookups(sql, seeded, connectionId, 1);
  const [job] =
    await sql`update read_job set status = 'RUNNING' where connection_id = ${connectionId} returning job_id`;
  const [grant] = await sql`select grant_id, principal_mac from account_grant where connection_id = ${connectionId}`;
  return {
    seeded,
    connectionId,
    jobId: job?.jobId as JobId,
    grantId: grant?.grantId as GrantId,
    principalMac: grant?.principalMac as Buffer,
  };
}

const CHANGES = {
  nothing: async () => undefined,
  'a disabled app': (sql, { app }) => sql`update app set enabled = false where app_id = ${app.appId}`,
  'a tenant that is gone': (sql, { app }) => sql`delete from tenant where app_id = ${app.appId}`,
  'no policy': (sql, { app }) => sql`delete from app_policy where app_id = ${app.appId}`,
  'a smaller policy': (sql, { app }) =>
    sql`update app_policy set capabilities = '{CONTENT_LIST}' where app_id = ${app.appId}`,
  'a return URL that is gone': (sql, { app }) => sql`delete from return_url where app_id = ${app.appId}`,
  'no registration': (sql, { app, registrations }) =>
    sql`delete from registration_app where app_id = ${app.appId} and registration_id = ${registrations.PROVIDER_B}`,
  'a paused registration': (sql, { registrations }) =>
    sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_B}`,
  'a connection on hold': (sql, { app }) => sql`update connection set status = 'SUSPENDED' where app_id = ${app.appId}`,
  'a connection that waits for a reconnect': (sql, { app }) =>
    sql`update connection set status = 'RECONNECT_REQUIRED' where app_id = ${app.appId}`,
  'a disconnect': (sql, { app }) => sql`update connection set status = 'DISCONNECTED' where app_id = ${app.appId}`,
} as const satisfies Record<string, Change>;

for (const [name, ofJob, ofAccount, ofNew, whileInBrowser = ofNew] of [
  ['nothing', YES, YES, YES],
  ['a disabled app', 'NotAllowed', 'NotAllowed', 'POLICY_CHANGED'],
  ['a tenant that is gone', 'NotAllowed', 'NotAllowed', 'POLICY_CHANGED'],
  ['no policy', 'NotAllowed', 'NotAllowed', 'POLICY_CHANGED'],
  ['a smaller policy', 'NotAllowed', 'NotAllowed', 'POLICY_CHANGED'],
  ['a return URL that is gone', YES, YES, YES, 'POLICY_CHANGED'],
  ['no registration', 'NotAllowed', 'NotAllowed', 'POLICY_CHANGED'],
  ['a paused registration', 'Paused', 'Paused', 'REGISTRATION_PAUSED'],
  ['a connection on hold', 'Paused', YES, YES],
  ['a connection that waits for a reconnect', 'GrantDead', 'GrantDead', YES],
  ['a disconnect', 'NotWanted', 'NotWanted', YES],
] as const) {
  test(`with ${name}, a read is ${ofJob}, a read of the account ${ofAccount}, an import ${ofNew}`, async ({ sql }) => {
    const { seeded, connectionId, jobId, grantId } = await seed(sql);
    await CHANGES[name](sql, seeded);
    expect(await permit(sql, { for: 'JOB', jobId })).toBe(ofJob);
    expect(await permit(sql, { for: 'ACCOUNT', connectionId })).toBe(ofAccount);
    const imported = {
      for: 'IMPORT',
      appId: seeded.app.appId,
      tenantKey: seeded.tenantKey,
      provider: 'PROVIDER_B',
      registrationId: seeded.registrations.PROVIDER_B,
    } as const;
    expect(await permit(sql, { ...imported, capabilities: ['CONTENT_LIST', 'PROFILE'] })).toBe(ofNew);
    // Regardless of policy and registration.
    expect(await permit(sql, { for: 'REFRESH', grantId })).toBe(YES);
    expect(await permit(sql, { for: 'PROBE' })).toBe(YES);
  });

  test(`with ${name}, an attempt is ${whileInBrowser} before its callback, and ${ofNew} after it`, async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    await CHANGES[name](sql, seeded);
    const may = async (step: Parameters<typeof mayConnect>[3]) =>
      (await mayConnect(rules, sql, attempt, step))?.reason ?? YES;
    for (const step of ['launch', 'callback'] as const) expect(await may(step), step).toBe(whileInBrowser);
    for (const step of ['exchange', 'completion'] as const) expect(await may(step), step).toBe(ofNew);
    expect(await permit(sql, { for: 'ATTEMPT', attemptId: attempt.attemptId })).toBe(ofNew);
  });
}

test('an attempt without an answer wants no exchange', async ({ sql }) => {
  const { attemptId } = await seedAttempt(sql, await seedApp(sql));
  expect(await permit(sql, { for: 'ATTEMPT', attemptId })).toBe('NotWanted');
});

test('a job that does not run, or is gone, wants no read', async ({ sql }) => {
  const { jobId } = await seed(sql);
  await sql`update read_job set status = 'QUEUED' where job_id = ${jobId}`;
  expect(await permit(sql, { for: 'JOB', jobId })).toBe('NotWanted');
  expect(await permit(sql, { for: 'JOB', jobId: newId() })).toBe('NotWanted');
  expect(await permit(sql, { for: 'ACCOUNT', connectionId: newId() })).toBe('NotWanted');
});

test.for([
  ['PENDING', YES],
  ['LIVE', YES],
  ['REVOKING', 'NotWanted'],
  ['DEAD', 'GrantDead'],
  ['gone', 'GrantDead'],
] as const)('the refresh of a grant that is %s is %s', async ([status, answer], { sql }) => {
  const { grantId } = await seed(sql);
  if (status === 'gone') await sql`delete from account_grant where grant_id = ${grantId}`;
  else if (status !== 'LIVE')
    await sql`
      update account_grant set status = ${status}, connection_id = null,
        sealed_tokens = case ${status} when 'DEAD' then null else sealed_tokens end
      where grant_id = ${grantId}
    `;
  expect(await permit(sql, { for: 'REFRESH', grantId })).toBe(answer);
});

test.for([
  ['REVOKE', 'QUEUED', true, YES],
  ['REVOKE', 'RUNNING', true, YES],
  ['REVOKE', 'SUCCEEDED', false, 'NotWanted'],
  ['COMPENSATION', 'RUNNING', false, YES],
  ['COMPENSATION', 'RUNNING', true, 'IN_USE'],
] as const)(
  'a %s that is %s, with another grant in use: %s, is %s',
  async ([kind, status, isShared, answer], { sql }) => {
    const { seeded, principalMac } = await seed(sql);
    const jobId = await seedDisconnectJob(sql, seeded, {
      kind,
      grantId: newId(),
      principalMac: isShared ? principalMac : randomBytes(32),
    });
    await sql`
    update disconnect_job set status = ${status}, finished_at = ${status === 'SUCCEEDED' ? new Date() : null}
    where job_id = ${jobId}
  `;
    expect(await permit(sql, { for: 'REVOKE', jobId, reached: [] })).toBe(answer);
  },
);

test('a revoke that is gone is not wanted', async ({ sql }) => {
  expect(await permit(sql, { for: 'REVOKE', jobId: newId(), reached: [] })).toBe('NotWanted');
});

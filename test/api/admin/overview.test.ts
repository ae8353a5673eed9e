import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Answer, createTestAdmin, useAdmin, useApp } from '../../kit/operator.ts';
import { asWorker, type Database, inTransaction, test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { connectAttempts, seedAttempt } from '../../kit/seed-attempts.ts';
import { insertTestEvent, seedEndpoint } from '../../kit/seed-endpoint.ts';
import { insertJob, type JobRow } from '../../kit/seed-jobs.ts';

const DAY_MS = 86_400_000;

const { admin, operator } = useAdmin('VIEWER');
const seeded = useApp();

interface SeedJob extends JobRow {
  readonly failingMinutes?: number;
}

/** A job of a connection of its own. */
async function seedJob(sql: Database, seeded: SeededApp, { failingMinutes, ...job }: SeedJob): Promise<void> {
  const { provider = 'PROVIDER_B' } = job;
  const ago = (minutes: number | undefined) => (minutes === undefined ? null : new Date(Date.now() - minutes * 60_000));
  await insertJob(sql, seeded, {
    ...job,
    connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope(), provider }),
    finishedAt: job.status === 'FAILED' || job.status === 'SUCCEEDED' ? new Date() : null,
    errorCode: job.status === 'FAILED' ? 'PROVIDER_UNAVAILABLE' : null,
    tries: failingMinutes === undefined ? 0 : 1,
    firstFailedAt: ago(failingMinutes),
  });
}

test('the overview counts open, failed and stuck jobs exactly', async ({ sql }) => {
  const jobs: SeedJob[] = [
    { kind: 'LOOKUP', status: 'QUEUED' },
    { kind: 'LOOKUP', status: 'RUNNING', lastFailure: 'RATE_LIMITED', failingMinutes: 90 },
    { kind: 'LOOKUP', status: 'RUNNING', lastFailure: 'RATE_LIMITED', failingMinutes: 14 },
    { kind: 'LOOKUP', status: 'RUNNING', lastFailure: 'INTERNAL', failingMinutes: 16 },
    { kind: 'LOOKUP', status: 'SUCCEEDED' },
    { kind: 'LOOKUP', status: 'FAILED' },
    { kind: 'LOOKUP', status: 'FAILED' },
    { kind: 'REVOKE', status: 'QUEUED', lastFailure: 'RATE_LIMITED', failingMinutes: 14 },
    { kind: 'REVOKE', status: 'RUNNING', provider: 'PROVIDER_A' },
    { kind: 'REVOKE', status: 'SUCCEEDED' },
    { kind: 'REVOKE', status: 'FAILED' },
  ];
  for (const job of jobs) await seedJob(sql, seeded, job);
  const overview = await operator.run(
    'overview',
    {},
    'retryingJobs stuckJobs jobs { kind status count } providers { provider openJobs failing { kind failure { code } count } }',
  );
  expect(overview).toMatchObject({ retryingJobs: 2, stuckJobs: 2 });
  expect(overview.jobs).toEqual([
    { kind: 'LOOKUP', status: 'FAILED', count: 2 },
    { kind: 'LOOKUP', status: 'QUEUED', count: 1 },
    { kind: 'LOOKUP', status: 'RUNNING', count: 3 },
    { kind: 'REVOKE', status: 'FAILED', count: 1 },
    { kind: 'REVOKE', status: 'QUEUED', count: 1 },
    { kind: 'REVOKE', status: 'RUNNING', count: 1 },
  ]);
  expect(overview.providers).toEqual([
    { provider: 'PROVIDER_A', openJobs: 1, failing: [] },
    {
      provider: 'PROVIDER_B',
      openJobs: 5,
      failing: [
        { kind: 'LOOKUP', failure: { code: 'RATE_LIMITED' }, count: 2 },
        { kind: 'LOOKUP', failure: { code: 'INTERNAL' }, count: 1 },
        { kind: 'REVOKE', failure: { code: 'RATE_LIMITED' }, count: 1 },
      ],
    },
    { provider: 'PROVIDER_C', openJobs: 0, failing: [] },
  ]);
});

test('the overview has the failures and refusals of a platform that are over', async ({ sql }) => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const over = { status: 'SUCCEEDED', firstFailedAt: at(2), lastTriedAt: at(0), finishedAt: at(0) };
  for (const [lastAnswer, failedTries] of [
    ['HTTP_500', 2],
    ['HTTP_500', 3],
    ['HTTP_401', 4],
  ] as const)
    await insertJob(sql, seeded, {
      ...over,
      provider: 'PROVIDER_A',
      tries: 2,
      lastFailure: 'INTERNAL',
      lastAnswer,
      failedTries,
    });
  const id = seeded.registrations.PROVIDER_C;
  await sql`update registration set refused_from = ${at(3)}, refused_until = ${at(2)} where registration_id = ${id}`;
  const counts = 'pausedRegistrations rejectedRegistrations spentRegistrations';
  const fields = `providers { pastFailures { tries lastAnswer } refusedFrom refusedUntil ${counts} }`;
  const show = async () => (await operator.run('overview', {}, fields)).providers;
  const none = {
    ...{ pastFailures: [], refusedFrom: null, refusedUntil: null },
    ...{ pausedRegistrations: 0, rejectedRegistrations: 0, spentRegistrations: 0 },
  };
  const [a, , c] = await show();
  expect(a).toEqual({ ...none, pastFailures: [{ tries: 9, lastAnswer: 'HTTP_500' }] });
  expect(c).toEqual({ ...none, refusedFrom: expect.any(String), refusedUntil: expect.any(String) });
  const failing = { status: 'RUNNING', tries: 2, lastFailure: 'INTERNAL', firstFailedAt: at(0) };
  await insertJob(sql, seeded, { ...failing, provider: 'PROVIDER_A' });
  await sql`
    update registration set rejected_at = business_now(), paused_at = business_now(),
      quota_spent_until = business_now() + interval '1 hour' where registration_id = ${id}
  `;
  expect((await show())[2].rejectedRegistrations).toBe(0); // The platform has never accepted it: no one's connects have failed.
  await sql`update registration set accepted_at = business_now() - interval '1 day' where registration_id = ${id}`;
  const now = await show(); // It fails, and is refused, again; the trace of the night stays.
  const each = { pausedRegistrations: 1, rejectedRegistrations: 1, spentRegistrations: 1 };
  expect([now[0], now[2]]).toEqual([a, { ...none, ...each }]);
});

test('the overview says at which platform persons wait for their connects', async ({ sql }) => {
  for (const [provider, status, lastAnswer, code = null] of [
    ['PROVIDER_B', 'EXCHANGING', 'HTTP_200', 'invalid_client'],
    ['PROVIDER_C', 'EXCHANGING', 'HTTP_503'],
    ['PROVIDER_C', 'EXCHANGING', 'HTTP_503'],
    ['PROVIDER_C', 'EXCHANGING', 'TIMEOUT'],
    ['PROVIDER_C', 'EXCHANGING', null], // Its first try.
    ['PROVIDER_B', 'EXCHANGING', null],
    ['PROVIDER_A', 'FAILED', 'HTTP_503'],
  ] as const) {
    const { attemptId } = await seedAttempt(sql, seeded, { provider });
    await sql`
      update connect_attempt set status = ${status}, last_answer = ${lastAnswer}, last_answer_code = ${code},
        result_code = case when ${status} = 'FAILED' then 'PROVIDER_UNAVAILABLE' end,
        finished_at = case when ${status} = 'FAILED' then business_now() end
      where attempt_id = ${attemptId}
    `;
  }
  const { providers } = await operator.run('overview', {}, 'providers { health { reasons } }');
  const waits = providers.map(({ health }: Answer) =>
    health.reasons.filter((one: string) => /connects? wait/.test(one)),
  );
  expect(waits).toEqual([
    [],
    ['1 connect waits after a failed try: HTTP 200 invalid_client.'],
    ['3 connects wait after a failed try: HTTP 503.'],
  ]);
});

test('the overview tells two outages of a platform apart, and names the endpoints that work again', async ({ sql }) => {
  const nowMs = Date.now();
  const ago = (minutes: number) => new Date(nowMs - minutes * 60_000);
  for (const [from, to, failedTries, lastAnswer] of [
    [1_460, 1_450, 3, 'HTTP_400'], // More than a day ago.
    [1_430, 1_420, 3, 'HTTP_502'],
    [50, 40, 3, 'HTTP_503'],
    [46, 45, 1, 'TIMEOUT'],
    [36, 35, 1, 'HTTP_503'],
    [20, 18, 4, 'HTTP_401'],
    [9, 8, 2, 'HTTP_500'], // Too few.
  ] as const) {
    const failed = { tries: 0, lastFailure: 'INTERNAL', firstFailedAt: ago(from), lastTriedAt: ago(to), failedTries };
    const job = { provider: 'PROVIDER_C', status: 'SUCCEEDED', finishedAt: ago(to), lastAnswer } as const;
    await insertJob(sql, seeded, { ...job, ...failed });
  }
  const endpoints: string[] = [];
  for (const [endedAt, isFailing] of [
    [ago(1), false],
    [ago(2), false],
    [ago(1_450), false],
    [ago(1), true],
  ] as const) {
    const endpointId = await seedEndpoint(sql, seeded.app.appId);
    endpoints.push(endpointId);
    await sql`
      update webhook_endpoint set failed_from = ${ago(200)}, failed_until = ${endedAt}, failed_answer = 'HTTP_500',
        failed_tries = ${endpoints.length}, failing_since = ${isFailing ? ago(0) : null} where endpoint_id = ${endpointId}
    `;
  }
  const past = 'pastFailures { tries lastAnswer since until }';
  const overview = await operator.run('overview', {}, `providers { ${past} } recoveredWebhookEndpoints { id ${past} }`);
  const at = (minutes: number) => ago(minutes).toISOString();
  expect(overview.providers[2].pastFailures).toEqual([
    { tries: 3, lastAnswer: 'HTTP_502', since: at(1_430), until: at(1_420) },
    { tries: 5, lastAnswer: 'HTTP_503', since: at(50), until: at(35) },
    { tries: 4, lastAnswer: 'HTTP_401', since: at(20), until: at(18) },
  ]);
  const failed = { lastAnswer: 'HTTP_500', since: at(200) };
  expect(overview.recoveredWebhookEndpoints).toEqual([
    { id: endpoints[0], pastFailures: { ...failed, tries: 1, until: at(1) } },
    { id: endpoints[1], pastFailures: { ...failed, tries: 2, until: at(2) } },
  ]);
});

test('the overview names each worker that no longer reports as silent before its last poll ends', async ({ sql }) => {
  const askWorkers = async () => ({ state: 'ANSWERING', seenAt: new Date(Date.now() - 40_000) }) as const;
  const operator = (await createTestAdmin(sql, {}, { askWorkers })).as('VIEWER');
  const fields = 'workers workerProcesses { name silent }';
  const show = async () => {
    const { workers, workerProcesses } = await operator.run('overview', {}, fields);
    return [workers, ...workerProcesses.map(({ name, silent }: Answer) => `${name} ${silent}`)];
  };
  expect(await show()).toEqual(['ANSWERING']); // Nothing has reported, so only Temporal knows.
  const workerId = randomUUID();
  for (const [name, id, seconds] of [
    ['a:8081', workerId, 32],
    ['b:8081', randomUUID(), 200],
    ['c:8081', randomUUID(), 1_000],
  ] as const) {
    await sql`
      insert into worker_presence (worker_id, name, seen_at, place)
      select ${id}, ${name}, now() - make_interval(secs => ${seconds}),
        concat_ws('/', (select system_identifier from pg_control_system()), oid)
      from pg_database where datname = current_database()
    `;
  }
  expect(await show()).toEqual(['SILENT', 'a:8081 true', 'b:8081 true']);
  await insertJob(sql, seeded, { provider: 'PROVIDER_C', status: 'RUNNING' });
  const idle = async () => {
    const { providers } = await operator.run('overview', {}, 'providers { health { reasons } }');
    return providers[2].health.reasons.filter((reason: string) => reason.startsWith('No worker'));
  };
  expect(await idle()).toEqual(['No worker runs: connects and 1 open job wait.']);
  await sql`update worker_presence set seen_at = now() where worker_id = ${workerId}`;
  expect(await show()).toEqual(['ANSWERING', 'a:8081 false', 'b:8081 true']);
  expect(await idle()).toEqual([]);
});

test('while Temporal does not answer, no platform in use is healthy', async ({ sql }) => {
  let state: 'ANSWERING' | 'NOT_KNOWN' = 'ANSWERING';
  const askWorkers = async () => ({ state, seenAt: null });
  const operator = (await createTestAdmin(sql, {}, { askWorkers })).as('VIEWER');
  await insertJob(sql, seeded, { provider: 'PROVIDER_C', status: 'RUNNING' });
  await seedEndpoint(sql, seeded.app.appId);
  await sql`delete from worker_presence`;
  const fields = 'providers { health { level reasons } } webhookHealth { level reasons }';
  const away = /^Temporal does not answer: (connects and \d+ open jobs?|events) may wait\.$/;
  const show = async () => {
    const { providers, webhookHealth } = await operator.run('overview', {}, fields);
    return [providers[2].health, webhookHealth].map(({ level, reasons }) => ({
      isHealthy: level === 'HEALTHY',
      saysSo: reasons.some((reason: string) => away.test(reason)),
    }));
  };
  expect((await show()).map(({ saysSo }) => saysSo)).toEqual([false, false]);
  state = 'NOT_KNOWN';
  expect(await show()).toEqual(Array(2).fill({ isHealthy: false, saysSo: true }));
});

test('the overview names a disabled endpoint for which events wait, and one that answered 410', async ({ sql }) => {
  const show = async () => {
    const { webhookHealth } = await operator.run('overview', {}, 'webhookHealth { reasons }');
    return webhookHealth.reasons.join(' ') as string;
  };
  const disable = async (host: string, reason: string) => {
    const id = await seedEndpoint(sql, seeded.app.appId, { url: `https://${host}/hooks` });
    await sql`update webhook_endpoint set enabled = false, disabled_reason = ${reason}, disabled_at = business_now()
      where endpoint_id = ${id}`;
    return id;
  };
  await disable('gone.example', 'GONE');
  await disable('quiet.example', 'OPERATOR');
  const waiting = await disable('waiting.example', 'OPERATOR');
  expect(await show()).toContain('gone.example is disabled: no events are sent there.');
  await inTransaction(sql, (tx) => insertTestEvent(tx, waiting));
  expect(await show()).toContain('waiting.example, gone.example are disabled: no events are sent there.');
});

test('a registration is used while it serves an app, or a connection or an open revoke is left', async ({ sql }) => {
  const { PROVIDER_B: id, PROVIDER_A: other } = seeded.registrations;
  const list = async () => {
    const rows: Answer[] = await operator.run('registrations', {}, 'id used connectionCount');
    const of = (sought: string) => rows.find((row) => row.id === sought);
    return [of(id)?.connectionCount, of(id)?.used, of(other)?.used];
  };
  expect(await list()).toEqual([0, true, true]);
  await sql`delete from registration_app where registration_id in ${sql([id, other])}`;
  expect(await list()).toEqual([0, false, false]);
  await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_B', status: 'DISCONNECTED' });
  await insertJob(sql, seeded, { provider: 'PROVIDER_A', status: 'SUCCEEDED', finishedAt: new Date() });
  expect(await list()).toEqual([0, true, false]);
  await insertJob(sql, seeded, { provider: 'PROVIDER_A', status: 'RUNNING' });
  expect(await list()).toEqual([0, true, true]);
});

test('credentials that expire soon are listed by kind, soonest first', async () => {
  const owner = admin.as('ADMIN');
  const { appId, name } = seeded.app;
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const secret = { clientId: 'client', clientSecret: 'secret' };
  const create = (kind: string, input: object) => owner.run(`create${kind}`, { input: { ...secret, ...input } });
  const { key } = await owner.run('issueKey', { input: { appId, expiresAt: at(5) } }, 'key { id }');
  const registration = await create('Registration', { provider: 'PROVIDER_A', label: 'Main', secretExpiresAt: at(4) });
  const issuer = await create('IdentityIssuer', { issuer: 'https://idp.example', secretExpiresAt: at(3) });
  const { tokenId } = await admin.newToken('VIEWER', new Date(at(2)));
  await admin.newToken('VIEWER', new Date(at(60)));
  const list = async (withinDays: number) => {
    const fields = 'kind id label appId expired expiresAt';
    const listed: Answer[] = await operator.run('expiringCredentials', { withinDays }, fields);
    return listed.filter(({ expiresAt }) => expiresAt > at(1)); // Not the tokens of this test.
  };
  expect((await list(30)).map(({ expiresAt: _, ...rest }) => rest)).toEqual([
    { kind: 'ADMIN_TOKEN', id: tokenId, label: 'A VIEWER', appId: null, expired: false },
    { kind: 'ISSUER_SECRET', id: issuer.id, label: 'https://idp.example', appId: null, expired: false },
    { kind: 'REGISTRATION_SECRET', id: registration.id, label: 'Main', appId: null, expired: false },
    { kind: 'APP_KEY', id: key.id, label: name, appId, expired: false },
  ]);
  expect((await list(3)).map(({ kind }) => kind)).toEqual(['ADMIN_TOKEN', 'ISSUER_SECRET']);
});

test('an attempt that expired after our page refused its browser says so, and another does not', async ({ sql }) => {
  for (const lastRefusal of ['wrongBrowser', null]) {
    const { attemptId } = await seedAttempt(sql, seeded);
    await sql`
      update connect_attempt set last_refusal = ${lastRefusal}, expires_at = business_now() where attempt_id = ${attemptId}
    `;
    await connectAttempts.endUnanswered(asWorker(sql), [attemptId]);
  }
  const { counts } = await operator.run(
    'endedWork',
    { period: 'DAY', appId: seeded.app.appId },
    'counts { outcome cause causeMessage count }',
  );
  expect(counts).toHaveLength(2);
  expect(counts).toEqual(
    expect.arrayContaining([
      { outcome: 'EXPIRED', cause: null, causeMessage: null, count: 1 },
      {
        outcome: 'EXPIRED',
        cause: 'wrongBrowser',
        causeMessage: expect.stringMatching(/^The person came back in another browser/),
        count: 1,
      },
    ]),
  );
});

test('the ended work of the overview outlives its jobs; a revoke left to the person is no success', async ({ sql }) => {
  const workOf = async () => {
    const { providers } = await operator.run('overview', {}, 'providers { health { work { kind succeeded failed } } }');
    return providers[2].health.work.filter(({ kind }: Answer) => kind === 'READ' || kind === 'REVOKE');
  };
  for (const [kind, end] of [
    ['LOOKUP', { status: 'SUCCEEDED' }],
    ['LOOKUP', { status: 'SUCCEEDED' }],
    ['LOOKUP', { status: 'FAILED', errorCode: 'PROVIDER_UNAVAILABLE' }],
    ['REVOKE', { status: 'SUCCEEDED' }],
    ['REVOKE', { status: 'SUCCEEDED' }],
    ['REVOKE', { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' }],
  ] as const) {
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_C' });
    const jobId = await insertJob(sql, seeded, { kind, provider: 'PROVIDER_C', status: 'RUNNING', connectionId });
    const table = sql(kind === 'LOOKUP' ? 'read_job' : 'disconnect_job');
    const { status, errorCode, creatorAction } = { errorCode: null, creatorAction: null, ...end };
    if (creatorAction !== null)
      await sql`update disconnect_job set creator_action = ${creatorAction} where job_id = ${jobId}`;
    await sql`
      update ${table} set status = ${status}, error_code = ${errorCode}, finished_at = business_now() where job_id = ${jobId}
    `;
  }
  const work = await workOf();
  expect(work).toEqual([
    { kind: 'READ', succeeded: 2, failed: 1 },
    { kind: 'REVOKE', succeeded: 2, failed: 0 },
  ]);
  for (const table of ['read_job', 'disconnect_job', 'connection'])
    expect((await sql`delete from ${sql(table)} where app_id = ${seeded.app.appId}`).count).toBeGreaterThan(2);
  expect(await workOf()).toEqual(work);
});

test('the overview names the code with which a platform refuses a client, for its jobs alone', async ({ sql }) => {
  const other = await seedApp(sql);
  await sql`
    update registration set rejected_at = business_now(), rejection_answer = 'HTTP_200', rejection_answer_code = 'invalid_client'
    where registration_id = ${seeded.registrations.PROVIDER_A}
  `;
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const failing = { status: 'RUNNING', tries: 2, lastFailure: 'PROVIDER_UNAVAILABLE', lastTriedAt: ago(1) };
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_A' });
  for (const [app, kind, lastAnswer] of [
    [seeded, 'REVOKE', 'HTTP_200'],
    [seeded, 'REVOKE', 'HTTP_200'],
    [seeded, 'REVOKE', 'HTTP_503'],
    [seeded, 'LOOKUP', 'HTTP_200'],
    [other, 'REVOKE', 'HTTP_200'],
  ] as const) {
    const ofConnection = kind === 'LOOKUP' ? { connectionId } : {};
    const job = { kind, lastAnswer, provider: 'PROVIDER_A', firstFailedAt: ago(20) } as const;
    await insertJob(sql, app, { ...failing, ...job, ...ofConnection });
  }
  const answer = 'lastAnswer lastAnswerCode';
  const { providers } = await operator.run(
    'overview',
    {},
    `providers { failing { kind count ${answer} failure { code message } } }`,
  );
  const refused = { lastAnswer: 'HTTP_200', lastAnswerCode: 'invalid_client' };
  const code = failing.lastFailure;
  const ofClient = { code, message: 'The platform refuses our client: HTTP 200 invalid_client.' };
  const ofPlatform = { code, message: expect.stringMatching(/^The provider answered with HTTP/) };
  const shown = providers[0].failing.filter(({ failure }: Answer) => failure.code === code);
  expect(shown).toEqual([
    { kind: 'REVOKE', count: 2, ...refused, failure: ofClient },
    { kind: 'LOOKUP', count: 1, ...refused, failure: ofClient },
    { kind: 'REVOKE', count: 1, lastAnswer: 'HTTP_200', lastAnswerCode: null, failure: ofPlatform },
    { kind: 'REVOKE', count: 1, lastAnswer: 'HTTP_503', lastAnswerCode: null, failure: ofPlatform },
  ]);
  const { groups } = await operator.run(
    'stuckWork',
    { filter: { provider: 'PROVIDER_A', kinds: ['REVOKE'] } },
    `groups { appId count ${answer} }`,
  );
  expect(groups).toEqual([
    { appId: seeded.app.appId, count: 3, ...refused },
    { appId: other.app.appId, count: 1, lastAnswer: 'HTTP_200', lastAnswerCode: null },
  ]);
});

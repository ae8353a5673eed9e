import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, type GrantId, type JobId, newId } from '../../../src/basics/ids.ts';
import { type Answer, createTestAdmin } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { insertJob } from '../../kit/seed-jobs.ts';

const DAY_MS = 86_400_000;

interface SeedJob {
  readonly kind: 'LOOKUP' | 'REVOKE';
  readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  readonly provider?: 'PROVIDER_A' | 'PROVIDER_B';
  readonly finishedHoursAgo?: number;
  /** The code of its failed tries, the first an hour and a half ago or at `failingMinutes`. */
  readonly failure?: string;
  readonly failingMinutes?: number;
}

async function seedJob(sql: Database, seeded: SeededApp, job: SeedJob): Promise<void> {
  const { kind, status, provider = 'PROVIDER_B', finishedHoursAgo = null, failure = null, failingMinutes = 90 } = job;
  const [jobId, appId, correlationId] = [newId<JobId>(), seeded.app.appId, randomUUID()];
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider });
  const at = sql`business_now() - make_interval(mins => ${finishedHoursAgo === null ? 0 : finishedHoursAgo * 60})`;
  const finishedAt = finishedHoursAgo === null ? sql`null` : at;
  const failed = failure === null ? sql`null` : sql`business_now() - make_interval(mins => ${failingMinutes})`;
  const code = status === 'FAILED' ? 'PROVIDER_UNAVAILABLE' : null;
  if (kind === 'LOOKUP') {
    const sha256 = createHash('sha256').update(jobId).digest();
    await sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, url, url_sha256, status,
        correlation_id, finished_at, error_code, tries, last_failure, first_failed_at)
      values (${jobId}, 'LOOKUP', ${connectionId}, ${appId}, ${provider}, 'CALLER', ${jobId}, ${sha256}, ${status},
        ${correlationId}, ${finishedAt}, ${code}, ${failure === null ? 0 : 1}, ${failure}, ${failed})
    `;
  } else {
    await sql`
      insert into disconnect_job (job_id, kind, connection_id, grant_id, app_id, provider, registration_id, status,
        correlation_id, finished_at, error_code, tries, last_failure, first_failed_at)
      values (${jobId}, 'REVOKE', ${connectionId}, ${newId<GrantId>()}, ${appId}, ${provider},
        ${seeded.registrations[provider]}, ${status}, ${correlationId}, ${finishedAt}, ${code},
        ${failure === null ? 0 : 1}, ${failure}, ${failed})
    `;
  }
}

test('the overview counts open, failed, stuck and recently finished jobs exactly', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const operator = (await createTestAdmin(sql)).as('VIEWER');
  const jobs: SeedJob[] = [
    { kind: 'LOOKUP', status: 'QUEUED' },
    { kind: 'LOOKUP', status: 'RUNNING', failure: 'RATE_LIMITED' },
    { kind: 'LOOKUP', status: 'RUNNING', failure: 'RATE_LIMITED', failingMinutes: 14 },
    { kind: 'LOOKUP', status: 'RUNNING', failure: 'INTERNAL', failingMinutes: 16 },
    { kind: 'LOOKUP', status: 'SUCCEEDED', finishedHoursAgo: 0.5 },
    { kind: 'LOOKUP', status: 'SUCCEEDED', finishedHoursAgo: 1.5 },
    { kind: 'LOOKUP', status: 'FAILED', finishedHoursAgo: 0.5 },
    { kind: 'LOOKUP', status: 'FAILED', finishedHoursAgo: 1.5 },
    { kind: 'REVOKE', status: 'QUEUED' },
    { kind: 'REVOKE', status: 'RUNNING', provider: 'PROVIDER_A' },
    { kind: 'REVOKE', status: 'SUCCEEDED', finishedHoursAgo: 0.5 },
    { kind: 'REVOKE', status: 'SUCCEEDED', finishedHoursAgo: 1.5 },
    { kind: 'REVOKE', status: 'FAILED', finishedHoursAgo: 0.5 },
  ];
  for (const job of jobs) await seedJob(sql, seeded, job);
  const overview = await operator.run(
    'overview',
    {},
    'retryingJobs stuckJobs jobs { kind status count } providers { provider openJobs succeededLastHour failedLastHour failing { failure { code } count } }',
  );
  expect(overview).toMatchObject({ retryingJobs: 1, stuckJobs: 2 });
  expect(overview.jobs).toEqual([
    { kind: 'LOOKUP', status: 'FAILED', count: 2 },
    { kind: 'LOOKUP', status: 'QUEUED', count: 1 },
    { kind: 'LOOKUP', status: 'RUNNING', count: 3 },
    { kind: 'REVOKE', status: 'FAILED', count: 1 },
    { kind: 'REVOKE', status: 'QUEUED', count: 1 },
    { kind: 'REVOKE', status: 'RUNNING', count: 1 },
  ]);
  expect(overview.providers).toEqual([
    { provider: 'PROVIDER_A', openJobs: 1, succeededLastHour: 0, failedLastHour: 0, failing: [] },
    {
      provider: 'PROVIDER_B',
      openJobs: 5,
      succeededLastHour: 2,
      failedLastHour: 2,
      failing: [
        { failure: { code: 'RATE_LIMITED' }, count: 2 },
        { failure: { code: 'INTERNAL' }, count: 1 },
      ],
    },
    { provider: 'PROVIDER_C', openJobs: 0, succeededLastHour: 0, failedLastHour: 0, failing: [] },
  ]);
});

test('an erase is silent from the end of its revoke on', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const operator = (await createTestAdmin(sql)).as('VIEWER');
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const created = { createdAt: ago(120), run: 0 };
  const add = async (revoke: object, erase: object = {}) => {
    const connectionId = newId<ConnectionId>();
    await insertJob(sql, seeded, { ...created, kind: 'REVOKE', connectionId, startedAt: ago(120), ...revoke });
    return await insertJob(sql, seeded, { ...created, kind: 'ERASE', connectionId, ...erase });
  };
  const ended = (minutes: number) => ({ status: 'SUCCEEDED', finishedAt: ago(minutes) });
  const count = async () => (await operator.run('overview', {}, 'stuckJobs')).stuckJobs;
  const listBlocked = async () =>
    (await operator.run('overview', {}, 'providers { blockedErases }')).providers.map(
      ({ blockedErases }: Answer) => blockedErases,
    );
  const before = await count();
  const blocked = await listBlocked();
  await add({ status: 'RUNNING', tries: 2, firstFailedAt: ago(1), nextRetryAt: new Date(Date.now() + 60_000) });
  expect(await listBlocked()).toEqual([blocked[0], blocked[1] + 1, blocked[2]]);
  await add(ended(0));
  await add(ended(14), { nextRetryAt: ago(60) });
  await add({ status: 'RUNNING', nextRetryAt: new Date(Date.now() + 60_000) });
  const silent = [await add(ended(17)), await add(ended(16), { status: 'RUNNING', startedAt: ago(16) })];
  expect(await count()).toBe(before + 2);
  const filter = { appId: seeded.app.appId, stuck: true };
  const { items } = await operator.run('jobs', { filter }, 'items { id stuckSince retryable }');
  expect(items.map(({ id }: Answer) => id)).toEqual(silent);
  const since = items.map(({ stuckSince }: Answer) => Math.round((Date.now() - Date.parse(stuckSince)) / 60_000));
  expect(since).toEqual([17, 16]);
  expect(items.map(({ retryable }: Answer) => retryable)).toEqual([true, true]);
});

test('the overview counts the registrations of a provider that are paused, refused or out of quota', async ({
  sql,
}) => {
  const operator = (await createTestAdmin(sql)).as('VIEWER');
  const newRegistration = async () => (await seedApp(sql)).registrations.PROVIDER_C;
  const [paused, refused, spent, past, unused] = [
    await newRegistration(),
    await newRegistration(),
    await newRegistration(),
    await newRegistration(),
    await newRegistration(),
  ];
  await sql`update registration set paused_at = business_now() where registration_id = ${paused}`;
  await sql`update registration set rejected_at = business_now() where registration_id in ${sql([refused, paused, unused])}`;
  await sql`delete from registration_app where registration_id = ${unused}`; // It serves nothing, so nothing is wrong.
  await sql`
    update registration set quota_spent_until = business_now()
      + case when registration_id = ${past} then -interval '1 hour' else interval '1 hour' end
    where registration_id in ${sql([spent, past, paused, refused])}
  `;
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  for (const [id, hours] of [
    [spent, 3],
    [past, 40],
    [refused, 1], // It is refused now.
  ] as const)
    await sql`update registration set refused_from = ${at(hours)}, refused_until = ${at(hours - 1)} where registration_id = ${id}`;
  const overview = await operator.run(
    'overview',
    {},
    'providers { provider pausedRegistrations rejectedRegistrations spentRegistrations refusedFrom refusedUntil }',
  );
  const counts = { pausedRegistrations: 1, rejectedRegistrations: 2, spentRegistrations: 3 };
  const over = {
    refusedFrom: expect.stringContaining(at(3).toISOString().slice(0, 16)),
    refusedUntil: expect.any(String),
  };
  expect(overview.providers.at(-1)).toEqual({ provider: 'PROVIDER_C', ...counts, ...over });
});

test('the overview has the answer that the jobs of a provider wait after, and failures that are over', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const operator = (await createTestAdmin(sql)).as('VIEWER');
  const failed = { status: 'RUNNING', tries: 2, lastFailure: 'PROVIDER_UNAVAILABLE', firstFailedAt: new Date() };
  const show = async () =>
    await operator.run(
      'overview',
      {},
      'providers { provider failing { count lastAnswer failure { message } } pastFailures { tries lastAnswer since } }',
    );
  const since = new Date(Date.now() - 7_200_000);
  const over = { status: 'SUCCEEDED', firstFailedAt: since, lastTriedAt: new Date(), finishedAt: new Date() };
  for (const [lastAnswer, failedTries] of [
    ['HTTP_500', 2],
    ['HTTP_500', 3],
    ['HTTP_401', 4],
  ] as const)
    await insertJob(sql, seeded, { ...failed, ...over, provider: 'PROVIDER_A', lastAnswer, failedTries });
  const [past, , none] = (await show()).providers.map(({ pastFailures }: Answer) => pastFailures);
  expect([past, none]).toEqual([{ tries: 9, lastAnswer: 'HTTP_500', since: since.toISOString() }, null]);
  for (const lastAnswer of ['HTTP_503', 'HTTP_503', 'HTTP_401', null])
    await insertJob(sql, seeded, { ...failed, lastAnswer });
  await insertJob(sql, seeded, { ...failed, provider: 'PROVIDER_A', lastAnswer: 'HTTP_500' });
  const { providers } = await show();
  expect(providers[0].pastFailures).toBeNull(); // It fails again.
  const ofProvider = (name: string) => providers.find(({ provider }: Answer) => provider === name).failing;
  const answered = (status: number) => `The provider answered with HTTP ${status}. The job retries.`;
  // Other tests have failing jobs, too, without an answer.
  const answersOf = (name: string) => ofProvider(name).filter(({ lastAnswer }: Answer) => lastAnswer !== null);
  expect(answersOf('PROVIDER_B')).toEqual([
    { count: 2, lastAnswer: 'HTTP_503', failure: { message: answered(503) } },
    { count: 1, lastAnswer: 'HTTP_401', failure: { message: answered(401) } },
  ]);
  expect(answersOf('PROVIDER_A')).toMatchObject([{ count: 1, failure: { message: answered(500) } }]);
});

test('the overview takes workers that no longer report for silent before their last poll ends, and names each', async ({
  sql,
}) => {
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
  await sql`update worker_presence set seen_at = now() where worker_id = ${workerId}`;
  expect(await show()).toEqual(['ANSWERING', 'a:8081 false', 'b:8081 true']);
});

test('credentials that expire soon are listed by kind, soonest first, and keys until a week after', async ({ sql }) => {
  const admin = await createTestAdmin(sql);
  const [operator, viewer] = [admin.as('ADMIN'), admin.as('VIEWER')];
  const seeded = await seedApp(sql);
  const { appId, name } = seeded.app;
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

  const key = (await operator.run('issueKey', { input: { appId, expiresAt: at(5) } }, 'key { id }')).key.id;
  const secret = { clientId: 'client', clientSecret: 'secret' };
  const registration = (
    await operator.run('createRegistration', {
      input: { ...secret, provider: 'PROVIDER_A', label: 'Main', secretExpiresAt: at(4) },
    })
  ).id;
  const issuer = (
    await operator.run('createIdentityIssuer', {
      input: { ...secret, issuer: 'https://idp.example/expiring', secretExpiresAt: at(3) },
    })
  ).id;
  const { tokenId } = await admin.newToken('VIEWER', new Date(at(2)));
  await admin.newToken('VIEWER', new Date(at(60)));

  const list = async (withinDays: number) => {
    const document = `query ($d: Int) {
      expiringCredentials(withinDays: $d) { kind id label appId expired expiresAt }
    }`;
    const { expiringCredentials } = await viewer(document, { d: withinDays });
    return expiringCredentials.filter(({ expiresAt }: Answer) => expiresAt > at(1)); // Not the tokens of this test.
  };
  const listed = await list(30);
  expect(listed.map(({ expiresAt: _, ...rest }: Answer) => rest)).toEqual([
    { kind: 'ADMIN_TOKEN', id: tokenId, label: 'A VIEWER', appId: null, expired: false },
    { kind: 'ISSUER_SECRET', id: issuer, label: 'https://idp.example/expiring', appId: null, expired: false },
    { kind: 'REGISTRATION_SECRET', id: registration, label: 'Main', appId: null, expired: false },
    { kind: 'APP_KEY', id: key, label: name, appId, expired: false },
  ]);
  expect((await list(3)).map(({ kind }: Answer) => kind)).toEqual(['ADMIN_TOKEN', 'ISSUER_SECRET']);

  const expire = async (days: number) => {
    const expiresAt = sql`business_now() - make_interval(days => ${days})`;
    await sql`update app_key set expires_at = ${expiresAt}, created_at = ${expiresAt} - interval '1 day' where key_id = ${key}`;
    await sql`
      update admin_token set expires_at = ${expiresAt}, created_at = ${expiresAt} - interval '1 day'
      where token_id = ${tokenId}
    `;
    await sql`update registration set secret_expires_at = ${expiresAt} where registration_id = ${registration}`;
    const expiringCredentials = await viewer.run('expiringCredentials', {}, 'kind id expired');
    const ours = expiringCredentials.filter(({ id }: Answer) => [key, tokenId, registration].includes(id));
    return ours.map(({ kind, expired }: Answer) => `${kind} ${expired}`).sort();
  };
  expect(await expire(6)).toEqual(['ADMIN_TOKEN true', 'APP_KEY true', 'REGISTRATION_SECRET true']);
  expect(await expire(8)).toEqual(['REGISTRATION_SECRET true']);
});

import { expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { createParts, performCommand } from '../kit/commands.ts';
import { asApi, type Database, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob } from '../kit/seed-jobs.ts';

async function open(sql: Database) {
  const parts = await createParts(asApi(sql), await makeKeys(), 'http://localhost:4000');
  const run = async (name: string, options: Readonly<Record<string, string | boolean>>) =>
    (await performCommand(parts, name, options)).printed;
  return { run, seeded: await seedApp(sql), other: await seedApp(sql) };
}

test('jobs retry-stuck leaves jobs that are not stuck yet, and retries them with --all', async ({ sql }) => {
  const { run, seeded, other } = await open(sql);
  const addFailing = async (of: SeededApp, minutes: number) => {
    const connectionId = await seedConnection(sql, of, { scope: of.newScope() });
    const [firstFailedAt, nextRetryAt] = [new Date(Date.now() - minutes * 60_000), new Date(Date.now() + 3_600_000)];
    const failing = { status: 'RUNNING', tries: 3, lastFailure: 'PROVIDER_UNAVAILABLE', firstFailedAt, nextRetryAt };
    await insertJob(sql, of, { kind: 'LOOKUP', connectionId, ...failing });
  };
  for (const minutes of [60, 1, 5]) await addFailing(seeded, minutes);
  await addFailing(other, 5);
  const { appId: app } = seeded.app;
  const count = async (all: object) =>
    (await run('jobs retry-stuck', { app, 'dry-run': true, ...all })).count as number;
  expect([await count({}), await count({ all: true })]).toEqual([1, 3]);
  expect(await run('jobs retry-stuck', { app, all: true })).toMatchObject({ count: 3, dryRun: false });
  const waiting = await sql`
    select app_id from read_job where app_id in (${app}, ${other.app.appId}) and next_retry_at > business_now()
  `;
  expect(waiting).toEqual([{ appId: other.app.appId }]);
});

test('a revoke that leaves a step to the person says so, on its own and in the history', async ({ sql }) => {
  const { run, seeded } = await open(sql);
  const [connectionId, otherId] = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ];
  const ended = { status: 'SUCCEEDED', finishedAt: new Date(), run: 0 };
  const left = { ...ended, connectionId, creatorAction: 'REMOVE_APP_AT_PROVIDER' };
  const [jobId, plainId] = [
    await insertJob(sql, seeded, left),
    await insertJob(sql, seeded, { ...ended, connectionId: otherId }),
  ];
  expect(await run('jobs show', { job: jobId })).toMatchObject({ creatorAction: 'REMOVE_APP_AT_PROVIDER' });
  expect(await run('jobs show', { job: plainId })).toMatchObject({ creatorAction: null });
  const whyOf = async (connection: string) =>
    (await run('connections show', { connection })).find(({ what }: { what: string }) => what === 'REVOKE').why;
  expect([await whyOf(connectionId), await whyOf(otherId)]).toEqual(['REMOVE_APP_AT_PROVIDER', null]);
});

test('a revoke that succeeded after failed tries reads as a success, on its own and in the history', async ({
  sql,
}) => {
  const { run, seeded } = await open(sql);
  const [connectionId, otherId] = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ];
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute));
  const failed = {
    ...{ run: 0, tries: 6, lastFailure: 'PROVIDER_UNAVAILABLE', lastAnswer: 'HTTP_503' },
    ...{ createdAt: at(0), startedAt: at(0), firstFailedAt: at(1), lastTriedAt: at(17) },
  };
  const jobId = await insertJob(sql, seeded, { ...failed, connectionId, status: 'SUCCEEDED', finishedAt: at(19) });
  const openId = await insertJob(sql, seeded, { ...failed, connectionId: otherId, status: 'RUNNING' });
  const read = async (job: string) => {
    const { lastFailure, lastAnswer, lastTriedAt, recoveredFrom } = await run('jobs show', { job });
    return [lastFailure?.code, lastAnswer, lastTriedAt, recoveredFrom?.at, recoveredFrom?.failure.message];
  };
  const [seventeen, nineteen] = [at(17).toISOString(), at(19).toISOString()];
  expect(await read(jobId)).toEqual([undefined, null, nineteen, seventeen, 'The provider answered with HTTP 503.']);
  expect(await read(openId)).toEqual(['PROVIDER_UNAVAILABLE', 'HTTP_503', seventeen, undefined, undefined]);
  const revokeOf = async (connection: string) =>
    (await run('connections show', { connection })).find(({ what }: { what: string }) => what === 'REVOKE');
  expect(await revokeOf(connectionId)).toMatchObject({
    ...{ at: nineteen, status: 'SUCCEEDED' },
    why: 'at try 7; before it: HTTP_503',
  });
  expect((await revokeOf(otherId)).why).toMatch(
    /^PROVIDER_UNAVAILABLE, 6 tries: The provider answered with HTTP 503\./,
  );
});

test('a scan that a failure ended early keeps the reason of its last try', async ({ sql }) => {
  const { run, seeded } = await open(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const at = new Date('2026-01-31T12:00:00Z');
  const ended = {
    ...{ kind: 'SCAN' as const, connectionId, status: 'SUCCEEDED', finishedAt: at, tries: 2 },
    ...{ maxItems: 9, publishedAfter: at, publishedBefore: at },
    ...{ lastFailure: 'PROVIDER_UNAVAILABLE', firstFailedAt: at, lastTriedAt: at },
  };
  const partial = await insertJob(sql, seeded, { ...ended, incompleteReason: 'PROVIDER_UNAVAILABLE' });
  const capped = await insertJob(sql, seeded, { ...ended, incompleteReason: 'MAX_ITEMS' });
  const failureOf = async (job: string) => (await run('jobs show', { job })).lastFailure?.code;
  expect([await failureOf(partial), await failureOf(capped)]).toEqual(['PROVIDER_UNAVAILABLE', undefined]);
});

test('a job has the failed tries in a row while it runs, and all tries with the last one once it has ended', async ({
  sql,
}) => {
  const { run, seeded } = await open(sql);
  const at = new Date('2026-01-31T12:00:00Z');
  const insert = async (more: object) =>
    await insertJob(sql, seeded, {
      ...{ kind: 'SCAN', connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope() }) },
      ...{ maxItems: 9, publishedAfter: at, publishedBefore: at, tries: 0, failedTries: 3 },
      ...{ lastFailure: 'PROVIDER_UNAVAILABLE', firstFailedAt: at, lastTriedAt: at, ...more },
    });
  const [ended, running] = [
    await insert({ status: 'SUCCEEDED', finishedAt: at }),
    await insert({ status: 'RUNNING', startedAt: new Date() }),
  ];
  const triesOf = async (job: string) => (await run('jobs show', { job })).tries;
  const failed = await insert({ status: 'FAILED', finishedAt: at, errorCode: 'PROVIDER_UNAVAILABLE' });
  const canceled = await insert({ status: 'CANCELED', finishedAt: at });
  const tries = await Promise.all([ended, running, failed, canceled].map(triesOf));
  expect(tries).toEqual([4, 0, 4, 3]);
});

test('connections show has each event at its own time, and who disconnected', async ({ sql }) => {
  const { run, seeded } = await open(sql);
  const [connectionId, otherId] = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ];
  await sql`
    update connection set created_at = created_at - interval '1 hour', changed_at = changed_at - interval '1 hour'
    where connection_id in ${sql([connectionId, otherId])}
  `;
  await run('connections disconnect', { connection: connectionId, yes: connectionId });
  const history = async (connection: string): Promise<Record<string, string>[]> =>
    (await run('connections show', { connection })).filter(({ what }: { what: string }) =>
      ['CONNECTION', 'OPERATOR'].includes(what),
    );
  const [created, ...others] = await history(connectionId);
  expect(created).toMatchObject({ what: 'CONNECTION', status: 'CREATED', why: null });
  expect(others).toContainEqual(
    expect.objectContaining({ what: 'CONNECTION', status: 'DISCONNECTED', why: 'OPERATOR' }),
  );
  const why = expect.stringMatching(/^disconnectConnection by command line: /);
  expect(others).toContainEqual(expect.objectContaining({ what: 'OPERATOR', status: 'DONE', why }));
  for (const { at } of others)
    expect(Date.parse(String(at)) - Date.parse(String(created?.at))).toBeGreaterThan(3_000_000);
  expect(await history(otherId)).toMatchObject([{ status: 'CREATED' }]);
});

test('attempts show has the refusal of the last browser', async ({ sql }) => {
  const { run, seeded } = await open(sql);
  const [refused, other] = [await seedAttempt(sql, seeded), await seedAttempt(sql, seeded)];
  const at = new Date('2026-01-31T12:00:00Z');
  await sql`
    update connect_attempt set last_refusal = 'wrongBrowser', last_refused_at = ${at} where attempt_id = ${refused.attemptId}
  `;
  expect(await run('attempts show', { attempt: refused.attemptId })).toMatchObject({
    lastRefusal: 'wrongBrowser',
    lastRefusalMessage: expect.stringMatching(/in another browser .* start again/),
    lastRefusedAt: at.toISOString(),
  });
  expect(await run('attempts show', { attempt: other.attemptId })).toMatchObject({
    lastRefusal: null,
    lastRefusedAt: null,
  });
});

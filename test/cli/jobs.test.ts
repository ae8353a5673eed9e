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

test('attempts show has the refusal of the last browser', async ({ sql }) => {
  const { run, seeded } = await open(sql);
  const [refused, other] = [await seedAttempt(sql, seeded), await seedAttempt(sql, seeded)];
  const at = new Date('2026-01-31T12:00:00Z');
  await sql`
    update connect_attempt set last_refusal = 'wrongBrowser', last_refused_at = ${at} where attempt_id = ${refused.attemptId}
  `;
  expect(await run('attempts show', { attempt: refused.attemptId })).toMatchObject({
    lastRefusal: 'wrongBrowser',
    lastRefusedAt: at.toISOString(),
  });
  expect(await run('attempts show', { attempt: other.attemptId })).toMatchObject({
    lastRefusal: null,
    lastRefusedAt: null,
  });
});

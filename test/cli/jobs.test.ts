import { expect, vi } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { createParts, performCommand } from '../kit/commands.ts';
import { asApi, type Database, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob } from '../kit/seed-jobs.ts';

async function open(sql: Database) {
  const parts = await createParts(asApi(sql), await makeKeys(), 'http://localhost:4000');
  const run = async (name: string, options: Readonly<Record<string, string | boolean>>) =>
    (await performCommand(parts, name, options)).printed;
  return { parts, run, seeded: await seedApp(sql), other: await seedApp(sql) };
}

test('jobs retry-stuck leaves jobs not stuck yet, retries them with --all, and fails if one does', async ({ sql }) => {
  const { parts, run, seeded, other } = await open(sql);
  const addFailing = async (of: SeededApp, minutes: number) => {
    const connectionId = await seedConnection(sql, of, { scope: of.newScope() });
    const [firstFailedAt, nextRetryAt] = [new Date(Date.now() - minutes * 60_000), new Date(Date.now() + 3_600_000)];
    const failing = { status: 'RUNNING', tries: 3, lastFailure: 'PROVIDER_UNAVAILABLE', firstFailedAt, nextRetryAt };
    await insertJob(sql, of, { kind: 'LOOKUP', connectionId, ...failing });
  };
  for (const minutes of [60, 1, 5]) await addFailing(seeded, minutes);
  await addFailing(other, 5);
  const { appId: app } = seeded.app;
  /** As workers do: one of the retried jobs succeeds, `failing` fail again. @returns the jobs left waiting meanwhile. */
  const work = async (of: number, failing: number) => {
    const due = () =>
      sql`select job_id from read_job where app_id = ${app} and next_retry_at <= business_now() order by job_id`;
    await vi.waitUntil(async () => (await due()).length === of);
    const waiting = await sql`
      select app_id from read_job where app_id in (${app}, ${other.app.appId}) and next_retry_at > business_now()
    `;
    const ids = (await due()).map(({ jobId }) => jobId);
    await sql`
      update read_job set status = 'SUCCEEDED', finished_at = business_now(), next_retry_at = null
      where job_id = any(${ids.slice(failing)}::uuid[])
    `;
    await sql`
      update read_job set tries = tries + 1, next_retry_at = business_now() + interval '1 hour'
      where job_id = any(${ids.slice(0, failing)}::uuid[])
    `;
    return waiting;
  };
  const count = async (all: object) =>
    (await run('jobs retry-stuck', { app, 'dry-run': true, ...all })).count as number;
  expect([await count({}), await count({ all: true })]).toEqual([1, 3]);
  const retry = () => performCommand(parts, 'jobs retry-stuck', { app, all: true });
  const [{ code, printed: retried, told }, waiting] = await Promise.all([retry(), work(3, 2)]);
  const outcomes = `jobs list --retried-by ${retried.correlationId}`;
  expect(retried).toMatchObject({ count: 3, hadFailed: 0, dryRun: false, outcomes });
  expect([code, told]).toEqual([1, [`2 of 3 failed again. Run ${outcomes}.`]]);
  expect(waiting).toEqual([{ appId: other.app.appId }]);
  const [again] = await Promise.all([retry(), work(2, 0)]);
  expect(again).toMatchObject({ code: 0, told: [], printed: { count: 2 } });
  expect((await retry()).printed).toMatchObject({ count: 0, outcomes: null });
});

test('a revoke that succeeded after failed tries reads as a success, alone and in the history', async ({ sql }) => {
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

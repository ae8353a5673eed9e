import { expect, onTestFinished, vi } from 'vitest';
import type { Log } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { watchCommits } from '../../src/store/watch-commits.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';

/** A database whose server returns the sessions that the test wants, and a worker that watches it. */
async function watch(lookEveryMs: number) {
  const database = await createTestDatabase();
  await database.sql`create table public.pg_stat_activity (usename name, wait_event text, query_start timestamptz)`;
  await database.sql`grant select on public.pg_stat_activity to public`;
  const worker = openDatabase(new Secret(database.urls.worker), { poolSize: 1, applicationName: 'watch' });
  await worker`set search_path = public, pg_catalog`;
  let looks = 0;
  const counting = new Proxy(worker, {
    apply(target, self, args) {
      looks += 1;
      return Reflect.apply(target, self, args);
    },
  }) as Database;
  const log = { error: vi.fn(), info: vi.fn() };
  const watching = watchCommits({ watch: counting }, log as unknown as Log, lookEveryMs);
  onTestFinished(async () => {
    watching.close();
    await worker.end();
    await database.drop();
  });
  /** Waits until it has seen the sessions of now. */
  const look = async () => {
    const before = looks;
    await vi.waitUntil(() => looks >= before + 3, { interval: 5 });
  };
  const insert = (user: string, event: string, secondsAgo: number) => database.sql`
    insert into public.pg_stat_activity
    values (${user}, ${event}, clock_timestamp() - make_interval(secs => ${secondsAgo}))
  `;
  return { ...{ log, look, insert, close: watching.close, looks: () => looks, worker }, sql: database.sql };
}

test('the log has one line when commits of the role wait for a standby, and one when none does', async () => {
  const { log, look, insert, sql } = await watch(1);
  await insert('api', 'SyncRep', 60);
  await insert('worker', 'WALWrite', 60);
  await insert('worker', 'SyncRep', -1); // It has only begun.
  await look();
  expect([log.error.mock.calls, log.info.mock.calls]).toEqual([[], []]);
  for (let times = 1; times <= 2; times += 1) {
    await sql`delete from public.pg_stat_activity`;
    await insert('worker', 'SyncRep', 3);
    await look();
    await look();
    expect(log.error.mock.calls.at(-1)).toEqual(['Commits wait for a synchronous standby', { count: 1 }]);
    expect(log.error).toHaveBeenCalledTimes(times);
    await sql`delete from public.pg_stat_activity`;
    await look();
    await look();
    expect(log.info.mock.calls.at(-1)).toEqual(['Commits no longer wait for a standby']);
    expect(log.info).toHaveBeenCalledTimes(times);
  }
});

test('it looks now and then, and no more after its end', async () => {
  const { looks, worker, close } = await watch(3_600_000);
  for (let times = 0; times < 20; times += 1) await worker`select`;
  expect(looks()).toBe(1);
  close();
  for (let times = 0; times < 20; times += 1) await worker`select`;
  expect(looks()).toBe(1);
});

import { expect, onTestFinished } from 'vitest';
import { createRefreshStep, createReplanStep } from '../../src/activities/refresh-steps.ts';
import { updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import type { Due } from '../../src/store/due.ts';
import { updateRegistration } from '../../src/store/registrations/registrations.ts';
import { openStage } from '../kit/activity-stage.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { clockOf, ENDLESS } from './round-clock.ts';

const START = new Date('2026-03-01T12:00:00Z');
const minute = (count: number) => new Date(START.getTime() + count * 60_000);
const POLICY = { refreshMinutes: 60, refreshDays: 7, refreshPosts: 20 };

/** The steps of PROVIDER_B, of which a registration may start five refreshes a minute, and twenty-five in five minutes. */
async function open() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const { sql } = database;
  const stage = await openStage(sql);
  const deps = { ...stage.deps, callsPerSecond: { ...stage.deps.callsPerSecond, PROVIDER_B: 1 } };
  await freezeClock(sql, START);
  /** Connections of an app whose refreshes are due at these minutes. */
  const due = async (seeded: SeededApp, minutes: readonly number[]): Promise<Due[]> => {
    await updateRefreshPolicy(sql, seeded.app.appId, 'PROVIDER_B', POLICY);
    return await Promise.all(
      minutes.map(async (at): Promise<Due> => {
        const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
        await sql`update connection set refresh_due_at = ${minute(at)} where connection_id = ${id}`;
        return { id, dueAt: minute(at) };
      }),
    );
  };
  const list = async (after: Due | null = null) =>
    await createRefreshStep(deps, 'PROVIDER_B').list({ after, limit: 1_000 });
  return { sql, stage, deps, due, list, step: createRefreshStep(deps, 'PROVIDER_B') };
}

test('the registrations take turns, the longest due one first, up to the largest share of a minute', async () => {
  const { sql, due, list } = await open();
  const [one, other, spent] = [await seedApp(sql), await seedApp(sql), await seedApp(sql)];
  await due(one, [-3, -4, -5]);
  await due(other, [-10, -11, -12, -13, 1]);
  await due(spent, [-60]);
  await updateRegistration(sql, spent.registrations.PROVIDER_B, { dailyQuota: 1 });
  const found = await list();
  expect(found.map(({ dueAt }) => (dueAt.getTime() - START.getTime()) / 60_000)).toEqual([-13, -5, -12, -4, -11]);
  // A round asks once.
  expect(await list(found.at(-1))).toEqual([]);
});

test('nothing is due without a registration that has room', async () => {
  const { due, list, sql } = await open();
  const seeded = await seedApp(sql);
  await due(seeded, [1, 2]);
  expect(await list()).toEqual([]);
});

test('refreshes start fifty at a time, until the time of the round is over', async () => {
  const { sql, due, step, stage } = await open();
  const rows = await due(
    await seedApp(sql),
    Array.from({ length: 101 }, (_, i) => i - 200),
  );
  expect(await step.handle(rows.slice(0, 60), clockOf(0))).toMatchObject({ done: 50, seen: 60, errors: [] });
  expect(stage.deps.deliveryRequests()).toBe(1);
  // The first fifty run already. The others start, in two transactions.
  expect(await step.handle(rows, ENDLESS)).toEqual({ done: 51, seen: 101, errors: [], isHopeless: false });
  expect(stage.deps.deliveryRequests()).toBe(4);
  expect(await sql`select from read_job where is_refresh`).toHaveLength(101);
  expect(await sql`select from outbox where workflow_type = 'scan'`).toHaveLength(101);
});

test('a row that fails ends the round after its fifty, which are started', async () => {
  const { sql, due, step } = await open();
  const rows = await due(
    await seedApp(sql),
    Array.from({ length: 109 }, (_, i) => i - 200),
  );
  const broken = { id: 'no id', dueAt: START };
  const result = await step.handle([...rows.slice(0, 50), broken, ...rows.slice(50)], ENDLESS);
  expect(result).toMatchObject({ done: 99, seen: 100, isHopeless: false });
  expect(result.errors).toHaveLength(1);
  expect(await sql`select from read_job where is_refresh`).toHaveLength(99);
});

test('a changed policy plans all its connections, and of no other policy', async () => {
  const { sql, deps, due } = await open();
  const [one, other] = [await seedApp(sql), await seedApp(sql)];
  await due(one, [1, 2, 3]);
  await due(other, [1]);
  const step = createReplanStep(deps, 'PROVIDER_B');
  const policies = await step.list({ after: null, limit: 10 });
  expect(policies.map(({ id }) => id).toSorted()).toEqual([one.app.appId, other.app.appId].toSorted());
  const mine = policies.filter(({ id }) => id === one.app.appId);
  const planned = { errors: [], seen: 1, isHopeless: false };
  expect(await step.handle(mine, clockOf(0))).toEqual({ done: 3, ...planned });
  expect((await step.list({ after: null, limit: 10 })).map(({ id }) => id)).toEqual([other.app.appId]);
  expect(await step.handle(mine, ENDLESS)).toEqual({ done: 0, ...planned });
});

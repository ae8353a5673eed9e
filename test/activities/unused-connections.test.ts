import { describe, expect } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { runActivity } from '../kit/deps.ts';
import { type Database, test } from '../kit/postgres.ts';
import { believePlatform } from '../kit/seed.ts';

type Status = 'CONNECTED' | 'SUSPENDED' | 'RECONNECT_REQUIRED';

/** Connections of PROVIDER_B, whose grants were last proven alive so many days ago. It disconnects after 90. */
async function unproven(sql: Database, stage: Stage, days: number, count: number, status: Status = 'CONNECTED') {
  const ids: ConnectionId[] = [];
  for (let i = 0; i < count; i += 1) ids.push((await stage.newConnection({ status })).connectionId);
  await sql`
    update connection set proven_at = business_now() - make_interval(days => ${days}),
      unproven_since = business_now() - make_interval(days => ${days}) where connection_id = any(${ids}::uuid[])
  `;
  return ids;
}

async function sweep(stage: Stage) {
  const sweeps = createSweepActivities({ ...stage.deps, taskQueue: 'nobody' } as never);
  await runActivity(sweeps.startUpkeep, { positions: {}, only: ['unusedConnections'] });
}

async function statusesOf(sql: Database, ids: readonly ConnectionId[]) {
  const rows = await sql`
    select status, count(*)::int as count from connection where connection_id = any(${[...ids]}::uuid[]) group by status
  `;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

describe('connections whose grants were not proven alive', () => {
  test('are held if many are due at once, until an operator believes the platform; grants that have ended are not', async ({
    sql,
  }) => {
    actsOnOthers(sql);
    const stage = await openStage(sql);
    const connected = await unproven(sql, stage, 91, 12);
    const suspended = await unproven(sql, stage, 91, 3, 'SUSPENDED');
    const ended = await unproven(sql, stage, 91, 8, 'RECONNECT_REQUIRED');
    const early = [
      ...(await unproven(sql, stage, 89, 2)),
      ...(await unproven(sql, stage, 89, 2, 'RECONNECT_REQUIRED')),
      ...(await unproven(sql, stage, 0, 2)),
    ];
    const atFirst = await statusesOf(sql, early);
    const registrationId = stage.seeded.registrations.PROVIDER_B;
    const isHeld = async () => {
      const [row] = await sql`select downgrades_held_at from registration where registration_id = ${registrationId}`;
      return row?.downgradesHeldAt !== null;
    };
    await sweep(stage);
    expect(await statusesOf(sql, ended)).toEqual({ DISCONNECTED: 8 });
    const gone = (await statusesOf(sql, [...connected, ...suspended])).DISCONNECTED ?? 0;
    expect(gone).toBeGreaterThan(0);
    expect(gone).toBeLessThanOrEqual(5);
    expect(await isHeld()).toBe(true);
    const warned = stage.deps.lines.filter((line) => line.includes('cannot be proven alive'));
    expect(warned).toHaveLength(1);
    const later = await unproven(sql, stage, 95, 1, 'RECONNECT_REQUIRED');
    await sweep(stage);
    expect((await statusesOf(sql, [...connected, ...suspended])).DISCONNECTED).toBe(gone);
    expect(await statusesOf(sql, later)).toEqual({ DISCONNECTED: 1 });

    await believePlatform(sql, registrationId);
    await sweep(stage);
    expect(await statusesOf(sql, [...connected, ...suspended])).toEqual({ DISCONNECTED: 15 });
    expect(await statusesOf(sql, early)).toEqual(atFirst);
  });

  test('stay if their registration never disconnects, and if the person has come back', async ({ sql }) => {
    actsOnOthers(sql);
    const stage = await openStage(sql);
    const [never = '', back = ''] = await unproven(sql, stage, 400, 2, 'RECONNECT_REQUIRED');
    const registrationId = stage.seeded.registrations.PROVIDER_B;
    await sql`update registration set disconnect_after_days = 0 where registration_id = ${registrationId}`;
    await sweep(stage);
    expect(await statusesOf(sql, [never, back] as ConnectionId[])).toEqual({ RECONNECT_REQUIRED: 2 });
    await sql`update connection set status = 'CONNECTED' where connection_id = ${back}`;
    await sql`update registration set disconnect_after_days = 30 where registration_id = ${registrationId}`;
    await sweep(stage);
    expect(await statusesOf(sql, [never] as ConnectionId[])).toEqual({ DISCONNECTED: 1 });
    expect(await statusesOf(sql, [back] as ConnectionId[])).toEqual({ CONNECTED: 1 });
  });

  test('carry the reason: a removal that the platform reported after the last proof, or no use', async ({ sql }) => {
    actsOnOthers(sql);
    const stage = await openStage(sql);
    const [removed = '', returned = '', unused = ''] = await unproven(sql, stage, 91, 3, 'RECONNECT_REQUIRED');
    await sql`update connection set removal_reported_at = proven_at + interval '1 hour' where connection_id = ${removed}`;
    // Of an earlier grant.
    await sql`update connection set removal_reported_at = proven_at - interval '1 day' where connection_id = ${returned}`;
    await sweep(stage);
    const reasonOf = async (id: string) =>
      (await sql`select distinct reason from disconnect_job where connection_id = ${id}`).map(({ reason }) => reason);
    expect(await reasonOf(removed)).toEqual(['PLATFORM_REMOVAL']);
    expect(await reasonOf(returned)).toEqual(['UNUSED']);
    expect(await reasonOf(unused)).toEqual(['UNUSED']);
  });
});

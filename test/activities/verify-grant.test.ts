import { describe, expect, onTestFinished } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { asWorker } from '../kit/postgres.ts';
import { measureGauges } from '../kit/seed.ts';
import { sweepOnce } from '../kit/sweeping.ts';

const tend = (stage: Stage, connectionId: ConnectionId) => runActivity(stage.activities.checkGrant, { connectionId });

describe('upkeep', () => {
  test('is one workflow of a connection, even if due repeatedly, and precedes reads if urgent', async ({ sql }) => {
    const stage = await openStage(sql);
    await sql`update connection set upkeep_due_at = null`;
    await sql`delete from outbox`;
    const now = (await businessNow(sql)).getTime();
    const urgent = await stage.newConnection({ tokens: newTokens({ refreshExpiresAt: new Date(now + 5 * DAY_MS) }) });
    const aged = await stage.newConnection();
    await sql`
      update connection set profile_observed_at = business_now() - interval '28 days' where connection_id = ${aged.connectionId}
    `;
    const usual = await stage.newConnection();
    for (let days = 0; days < 3; days += 1) {
      await sql`
        update connection set upkeep_due_at = business_now() - make_interval(days => ${days})
        where connection_id in (${urgent.connectionId}, ${aged.connectionId}, ${usual.connectionId})
      `;
      expect(await sweepOnce(stage.activities.startUpkeep)).toMatchObject({ 'upkeep/PROVIDER_B': 3 });
    }
    const entries = await sql`
      select workflow_id, input ->> 'urgency' as urgency, lane from outbox where workflow_type = 'connectionUpkeep' order by lane
    `;
    const soon = [urgent, aged].map((one) => ({ workflowId: `upkeep/${one.connectionId}`, urgency: 'SOON', lane: 2 }));
    expect(entries).toEqual(expect.arrayContaining(soon));
    expect(entries.slice(2)).toEqual([{ workflowId: `upkeep/${usual.connectionId}`, urgency: null, lane: 3 }]);
  });

  test('that fails for days is shown, and no longer after it succeeds', async ({ sql, stage }) => {
    await sql`update connection set upkeep_due_at = null, upkeep_failing_since = null`;
    const { connectionId } = await stage.newConnection();
    const measure = async () => {
      const { upkeep } = await measureGauges(asWorker(sql));
      return upkeep.find(({ provider }) => provider === 'PROVIDER_B');
    };
    onTestFinished(() => moveClock(sql, -(12 * 6 + 1) * HOUR_MS)); // The fake platform's tokens expire by the real clock.
    for (let tries = 0; tries < 12; tries += 1) {
      await runActivity(stage.activities.postponeUpkeep, { connectionId, seconds: 6 * 3_600 });
      await moveClock(sql, 6 * HOUR_MS);
    }
    expect((await measure())?.failingSeconds).toBeGreaterThan(2.9 * 86_400);
    await moveClock(sql, HOUR_MS);
    expect((await measure())?.lateSeconds).toBeGreaterThan(3_500);
    await tend(stage, connectionId);
    expect(await measure()).toEqual({ provider: 'PROVIDER_B', lateSeconds: 0, failingSeconds: 0 });
  });

  test('is due again one hour after the round that took it crashed', async ({ sql, stage }) => {
    await sql`update connection set upkeep_due_at = null`;
    const { connectionId } = await stage.newConnection();
    await sql`update connection set upkeep_due_at = business_now() where connection_id = ${connectionId}`;
    await sweepOnce(stage.activities.startUpkeep);
    onTestFinished(() => moveClock(sql, -HOUR_MS));
    await moveClock(sql, HOUR_MS);
    expect(await sweepOnce(stage.activities.startUpkeep)).toEqual({ 'upkeep/PROVIDER_B': 1 });
  });
});

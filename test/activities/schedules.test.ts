import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { scheduleRefreshes, takeDueRefreshes } from '../../src/store/connections/automatic-refresh.ts';
import {
  postponeUpkeep,
  SHORTEST_UPKEEP_DAYS,
  scheduleUpkeep,
  takeDueUpkeep,
} from '../../src/store/connections/upkeep.ts';
import { takeDispatches } from '../../src/store/outbox.ts';
import { postponeDisconnectJobCheck, postponeReadJobCheck } from '../../src/store/overdue.ts';
import { claimProbe } from '../../src/store/registrations/registrations.ts';
import {
  FAILURES_UNTIL_PAUSE,
  findRequestedPause,
  findRetryPause,
  getEndpointPause,
} from '../../src/webhooks/retry-schedule.ts';
import { openStage } from '../kit/activity-stage.ts';
import { businessNow, moveClock, SECOND_MS } from '../kit/clock.ts';
import { type Sql, test } from '../kit/postgres.ts';

const RUNS = { numRuns: 60 };
/** Days from now, far into the past and the future. */
const days = fc.integer({ min: -400, max: 400 });
/** Numbers of seconds that a platform, or a clock, may produce. */
const seconds = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(0, -1, 0.001, 1e9));

describe('no schedule leads into the past', () => {
  test('upkeep: a success moves it by a day or more, a failure and a lease into the future', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, grantId } = await stage.newConnection();
    const dueIn = async (db: Sql) => {
      const [row] = await db`
        select extract(epoch from upkeep_due_at - business_now())::float8 as seconds from connection
        where connection_id = ${connectionId}
      `;
      return row?.seconds as number;
    };
    const states = fc.record({
      observed: fc.option(days),
      expires: fc.option(days),
      capabilities: fc.subarray(['PROFILE', 'CONTENT_LIST']),
      isFixed: fc.boolean(),
      pause: seconds,
    });
    await fc.assert(
      fc.asyncProperty(states, async ({ observed, expires, capabilities, isFixed, pause }) => {
        await sql`
          update connection set profile_observed_at = business_now() + make_interval(days => ${observed}),
            capabilities = ${sql.json(capabilities.map((capability) => ({ capability })))},
            upkeep_due_at = business_now() - interval '1 day'
          where connection_id = ${connectionId}
        `;
        await sql`
          update account_grant set refresh_expires_at = business_now() + make_interval(days => ${expires})
          where grant_id = ${grantId}
        `;
        await sql.begin((tx) => takeDueUpkeep(tx, [{ id: connectionId, dueAt: new Date() }]));
        expect(await dueIn(sql)).toBeGreaterThan(3_500);
        await postponeUpkeep(sql, connectionId, pause);
        expect(await dueIn(sql)).toBeGreaterThan(50);
        await scheduleUpkeep(sql, connectionId, { isFixed });
        expect(await dueIn(sql)).toBeGreaterThan(SHORTEST_UPKEEP_DAYS * 86_400 - 10);
        expect(await dueIn(sql)).toBeLessThan(27.1 * 86_400);
      }),
      RUNS,
    );
  });

  test('automatic refreshes: each moves the next by the interval, even if it runs late', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const dueAt = async () => {
      const [row] = await sql`select refresh_due_at from connection where connection_id = ${connectionId}`;
      return row?.refreshDueAt as Date;
    };
    const refreshes = fc.record({
      minutes: fc.integer({ min: 15, max: 10_080 }),
      lateMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
    });
    let movedMs = 0;
    await fc.assert(
      fc.asyncProperty(refreshes, async ({ minutes, lateMinutes }) => {
        await sql`update app_policy set refresh_minutes = ${minutes} where app_id = ${stage.seeded.app.appId}`;
        await scheduleRefreshes(sql, [connectionId]);
        const first = await dueAt();
        const aheadMs = first.getTime() - (await businessNow(sql)).getTime();
        expect(aheadMs).toBeGreaterThan(-1_000); // The statement itself takes time.
        expect(aheadMs).toBeLessThanOrEqual(minutes * 60_000);

        movedMs += aheadMs + lateMinutes * 60_000 + 1_000;
        await moveClock(sql, aheadMs + lateMinutes * 60_000 + 1_000);
        const startedAt = await businessNow(sql);
        expect(await sql.begin((tx) => takeDueRefreshes(tx, [{ id: connectionId, dueAt: first }]))).toHaveLength(1);
        const waitMs = (await dueAt()).getTime() - startedAt.getTime();
        expect(waitMs).toBeGreaterThanOrEqual(minutes * 60_000);
        expect(waitMs).toBeLessThan(minutes * 60_000 + 3_000);
      }),
      RUNS,
    );
    await moveClock(sql, -movedMs);
  });

  test('sweeps: a checked job of any age is checked again a minute later or more', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    const { jobId } = await stage.newScan((await stage.newConnection()).connectionId);
    const ages = fc.record({ minutes: fc.integer({ min: -10, max: 6_000 }), isBulk: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(ages, async ({ minutes, isBulk }) => {
        await sql`
          update disconnect_job set created_at = business_now() - make_interval(mins => ${minutes}), next_check_at = null,
            bulk_disconnect_id = case when ${isBulk} then gen_random_uuid() end
          where job_id = ${revokeJobId}
        `;
        await postponeDisconnectJobCheck(sql, revokeJobId);
        await postponeReadJobCheck(sql, jobId);
        const [row] = await sql`
          select extract(epoch from d.next_check_at - business_now())::float8 as disconnect,
            extract(epoch from r.next_check_at - business_now())::float8 as read
          from disconnect_job d, read_job r where d.job_id = ${revokeJobId} and r.job_id = ${jobId}
        `;
        for (const each of [row?.disconnect, row?.read]) expect(each).toBeGreaterThan(50);
        expect(row?.disconnect).toBeLessThanOrEqual(isBulk ? 3_600 : 600);
      }),
      RUNS,
    );
  });

  test('the outbox: an entry that is taken comes again seconds later, and the next one of its workflow waits for it', async ({
    sql,
  }) => {
    const ages = fc.record({ seconds: fc.integer({ min: 2, max: 400 * 86_400 }), tries: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(ages, async ({ seconds, tries }) => {
        await sql`truncate outbox`;
        await sql`
          insert into outbox (workflow_id, workflow_type, input, created_at, next_retry_at, tries)
          select 'one', 'scan', '{}', business_now() - make_interval(secs => ${seconds}),
            business_now() - interval '1 second', ${tries} from generate_series(1, 3)
        `;
        const take = () => takeDispatches(sql, { places: [{ lane: 'REQUEST', limit: 10 }], leaseSeconds: 15 });
        expect([await take(), await take()]).toMatchObject([[{ workflowId: 'one' }], []]);
        const rows = await sql`
          select extract(epoch from next_retry_at - business_now())::float8 as seconds from outbox order by outbox_id
        `;
        expect(rows[0]?.seconds).toBeGreaterThan(14);
      }),
      RUNS,
    );
    await sql`truncate outbox`;
  });

  test('probes of a registration: one is followed by another a minute later or more', async ({ sql }) => {
    const stage = await openStage(sql);
    const registrationId = stage.seeded.registrations.PROVIDER_C;
    const start = await businessNow(sql);
    const times: number[] = [];
    for (let step = 0; step < 60; step += 1) {
      const atSeconds = Math.round(((await businessNow(sql)).getTime() - start.getTime()) / 1_000);
      if (await claimProbe(sql, registrationId)) times.push(atSeconds);
      await moveClock(sql, 29 * SECOND_MS);
    }
    await moveClock(sql, -60 * 29 * SECOND_MS);
    expect(times.length).toBeGreaterThan(1);
    for (const [index, at] of times.entries())
      if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(59);
  });

  test('webhooks: every pause is of a second or more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), seconds, fc.constantFrom(429, 503), (tries, asked, status) => {
        expect(findRetryPause(tries) ?? 5).toBeGreaterThanOrEqual(5);
        expect(findRequestedPause(status, asked)).toBeGreaterThanOrEqual(1);
        expect(getEndpointPause(tries)).toBeGreaterThanOrEqual(tries < FAILURES_UNTIL_PAUSE ? 0 : 5);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { scheduleRefreshes } from '../../src/store/automatic-refresh.ts';
import type { Sql } from '../../src/store/sql.ts';
import { postponeUpkeep, SHORTEST_UPKEEP_DAYS, scheduleUpkeep, takeDueUpkeep } from '../../src/store/upkeep.ts';
import {
  FAILURES_UNTIL_PAUSE,
  findRequestedPause,
  findRetryPause,
  getEndpointPause,
} from '../../src/webhooks/retry-schedule.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { openStage } from './stage.ts';

const RUNS = { numRuns: 60 };
/** Days from now, far into the past and the future. */
const days = fc.integer({ min: -400, max: 400 });
/** What a platform, or a clock, may make of a number of seconds. */
const seconds = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.constantFrom(0, -1, 0.001, 1e9));

describe('no schedule leads into the past', () => {
  test('upkeep: a success moves it by a day or more, a failure and a lease into the future', {
    timeout: 120_000,
  }, async ({ database: { sql } }) => {
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

  test('automatic refreshes: the next slot is ahead, and no further than the interval', { timeout: 60_000 }, async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const policies = fc.record({ minutes: fc.integer({ min: 15, max: 10_080 }), unchanged: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(policies, async ({ minutes, unchanged }) => {
        await sql`update app_policy set refresh_minutes = ${minutes} where app_id = ${stage.seeded.app.appId}`;
        await sql`update connection set refresh_unchanged = ${unchanged}, refresh_due_at = null where connection_id = ${connectionId}`;
        await scheduleRefreshes(sql, [connectionId]);
        const now = (await businessNow(sql)).getTime();
        const [row] = await sql`select refresh_due_at from connection where connection_id = ${connectionId}`;
        const inMs = Number(row?.refreshDueAt) - now;
        expect(inMs).toBeGreaterThan(-1_000); // The statement itself takes time.
        expect(inMs).toBeLessThanOrEqual(Math.max(minutes * 60_000, DAY_MS / 2));
      }),
      RUNS,
    );
  });

  test('reads: each failed try is followed by another later, whatever the platform asks', { timeout: 60_000 }, async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const { jobId } = await stage.newScan(connectionId);
    const setbacks = fc.record({
      type: fc.constantFrom('RetryLater', 'OwnRateLimit', 'ContractBroken', 'DataRefused', 'Unexpected'),
      retryAfterSeconds: fc.option(fc.oneof(fc.integer({ min: -1e6, max: 500 }), fc.constantFrom(0, -1, 0.001))),
    });
    await fc.assert(
      fc.asyncProperty(setbacks, async (setback) => {
        await sql`
          update read_job set status = 'RUNNING', tries = 0, first_failed_at = null, finished_at = null, error_code = null
          where job_id = ${jobId}
        `;
        const verdict = await runActivity(stage.activities.recordReadSetback, { jobId, setback });
        if (verdict.ended) return;
        expect(verdict.waitSeconds).toBeGreaterThanOrEqual(1);
        expect(Date.parse(verdict.nextTryAt)).toBeGreaterThan((await businessNow(sql)).getTime() - 1_000);
      }),
      RUNS,
    );
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

import { describe, vi } from 'vitest';
import { stackTest } from '../kit/stack.ts';
import { operator } from './operator.ts';
import { leaveStuckRevokes } from './stuck-revokes.ts';

/** So many revokes wait for their next try, 50 minutes away, and as many have failed permanently. */
const MANY = 250;
const PATIENT = { timeout: 240_000, interval: 50 };

const test = stackTest({ adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000', LOG_LEVEL: 'warn' } });

describe(`${2 * MANY} revokes after an outage`, () => {
  test('are retried by two operators at the same time, and each is tried once', async ({ service, expect }) => {
    const { database, sandbox } = service;
    const ask = await operator(service);
    await leaveStuckRevokes(service, ask, { waiting: MANY, failed: MANY });

    const retry =
      'mutation ($d: Boolean) { retryJobs(filter: { stuck: true }, dryRun: $d) { count failedCount more } }';
    expect((await ask(retry, { d: true })).retryJobs).toEqual({ count: 2 * MANY, failedCount: MANY, more: false });
    const [first, second] = await Promise.all([ask(retry), ask(retry)]);
    expect(first.retryJobs.count + second.retryJobs.count).toBe(2 * MANY);
    const count = async (filter: ReturnType<typeof database.sql>) => {
      const [row] =
        await database.sql`select count(*)::int as count from disconnect_job where kind = 'REVOKE' and ${filter}`;
      return row?.count;
    };
    // After the answer, no revoke waits for its back-off.
    expect(await count(database.sql`(status = 'FAILED' or next_retry_at > business_now())`)).toBe(0);
    await vi.waitUntil(async () => (await count(database.sql`status = 'SUCCEEDED'`)) === 2 * MANY, PATIENT);
    expect(sandbox.control.calls({ route: 'revoke' })).toHaveLength(2 * MANY);
  });
});

import { describe, vi } from 'vitest';
import { seedConnections, seedFailed } from './many-people.ts';
import { operator } from './operator.ts';
import { stackTest } from './stack.ts';

/** Of either sort: waiting for a next try that is most of an hour away, and failed for good. */
const MANY = 250;
const PATIENT = { timeout: 100_000, interval: 50 };
/** From the push to the try of the last: some 5 s on two cores with nothing else to do. A single job is held to 2 s elsewhere. */
const BEGUN_WITHIN_MS = 60_000;

const test = stackTest({ adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000', LOG_LEVEL: 'warn' } });

describe(`${2 * MANY} revokes after an outage`, () => {
  test('are pushed at once, by two operators at the same time, and each is tried once more', async ({
    service,
    expect,
  }) => {
    const { database, sandbox } = service;
    const { control } = sandbox;
    const ask = await operator(service);
    const count = async (filter: string) => {
      const [row] = await database.sql`
        select count(*)::int as count from release_job where kind = 'REVOKE' and ${database.sql.unsafe(filter)}
      `;
      return Number(row?.count);
    };
    await seedConnections(service, MANY);
    const { id: fault } = control.addFault({
      provider: 'PROVIDER_B',
      route: 'revoke',
      what: { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
      times: null,
    });
    const { appId, tenantKey } = service.app;
    await ask('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { run { id } } }', {
      i: { appId, tenantKey },
    });
    await vi.waitUntil(async () => (await count('next_retry_at > business_now()')) === MANY, PATIENT);
    await seedFailed(service, MANY);
    control.removeFault(fault);
    control.clearCalls();

    const retry =
      'mutation ($d: Boolean) { retryJobs(filter: { stuck: true }, dryRun: $d) { count failedCount more } }';
    expect((await ask(retry, { d: true })).retryJobs).toEqual({ count: 2 * MANY, failedCount: MANY, more: false });
    const pushedAt = Date.now();
    const [first, second] = await Promise.all([ask(retry), ask(retry)]);
    expect(first.retryJobs.count + second.retryJobs.count).toBe(2 * MANY);
    const accepted = Date.now() - pushedAt;
    const triedAt = () => control.calls({ route: 'revoke' }).map(({ at }) => at - pushedAt);
    await vi.waitUntil(() => triedAt().length >= 2 * MANY, PATIENT);
    await vi.waitUntil(async () => (await count("status = 'SUCCEEDED'")) === 2 * MANY, PATIENT);
    const settled = Date.now() - pushedAt;
    const tries = triedAt().sort((a, b) => a - b);
    const [middle, late, last = Number.NaN] = [0.5, 0.95, 1].map((part) => tries[Math.ceil(part * tries.length) - 1]);
    console.log(
      `${2 * MANY} revokes: accepted after ${accepted} ms; tried after ${tries[0]} (first), ${middle} (half), ${late} (95 %) and ${last} ms (last); settled after ${settled} ms`,
    );
    expect(last).toBeLessThan(BEGUN_WITHIN_MS);
    expect(tries.length).toBe(2 * MANY);
  });
});

import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { TestService } from '../test/kit/service.ts';
import { operator } from '../test/stack/operator.ts';
import { stackTest } from '../test/stack/stack.ts';
import { leaveStuckRevokes } from '../test/stack/stuck-revokes.ts';
import { startBareWorker, TASK_QUEUE } from './bare/processes.ts';

// A high limit, to measure the service rather than the rate limit of a provider's queue.
const test = stackTest({ adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000', LOG_LEVEL: 'warn' } });
const MANY = 500;
const ROUNDS = 2;
/** As many as the outbox delivers concurrently. */
const SIDE_BY_SIDE = 100;

/** Times in ms since the retry. */
interface Retry {
  /** Temporal has all signals. */
  readonly handedOver: number;
  /** When each call began, in order. */
  readonly calls: readonly number[];
  /** When all have ended. */
  readonly ended: number;
}

const until = (check: () => Promise<boolean> | boolean) => vi.waitUntil(check, { timeout: 120_000, interval: 10 });

const inOrder = (instants: readonly number[], since: number) => instants.map((at) => at - since).sort((a, b) => a - b);

/** Signals minimal workflows, each of which then calls an empty activity. */
async function retryBare({ temporalClient }: TestService, calls: number[]): Promise<Retry> {
  const { workflow } = temporalClient;
  const handles = await inLots(Array.from({ length: MANY }), () =>
    workflow.start('callWhenWoken', { taskQueue: TASK_QUEUE, workflowId: randomUUID() }),
  );
  await Promise.all(handles.map((handle) => handle.query('isWaiting')));
  calls.length = 0;
  const since = Date.now();
  await inLots(handles, (handle) => handle.signal('wake'));
  const handedOver = Date.now() - since;
  await Promise.all(handles.map((handle) => handle.result()));
  return { handedOver, calls: inOrder(calls, since), ended: Date.now() - since };
}

async function inLots<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += SIDE_BY_SIDE) {
    results.push(...(await Promise.all(items.slice(from, from + SIDE_BY_SIDE).map(work))));
  }
  return results;
}

/** Retries the revokes that an outage left, all at once: half of them wait for their next try, half have failed. */
async function retryOurs(service: TestService): Promise<Retry> {
  const { database, sandbox } = service;
  const ask = await operator(service);
  await leaveStuckRevokes(service, ask, MANY / 2);
  const none = async (what: ReturnType<typeof database.sql>) => (await what).length === 0;
  const since = Date.now();
  await ask('mutation { retryJobs(filter: { stuck: true }) { count } }');
  await until(() => none(database.sql`select 1 from outbox limit 1`));
  const handedOver = Date.now() - since;
  await until(() => none(database.sql`select 1 from disconnect_job where status in ('QUEUED', 'RUNNING') limit 1`));
  const ended = Date.now() - since;
  return {
    handedOver,
    calls: inOrder(
      sandbox.control.calls({ route: 'revoke' }).map(({ at }) => at),
      since,
    ),
    ended,
  };
}

test('retry', async ({ service }) => {
  const bare = await startBareWorker(service);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [least, ours] = [await retryBare(service, bare.calls), await retryOurs(service)];
      for (const { calls } of [least, ours]) if (calls.length !== MANY) throw new Error(`${calls.length} calls`);
      printRetries(least, ours);
    }
  } finally {
    await bare.stop();
  }
});

function printRetries(least: Retry, ours: Retry): void {
  const moments: Readonly<Record<string, (retry: Retry) => number>> = {
    'all handed to Temporal': ({ handedOver }) => handedOver,
    'first called': ({ calls }) => calls[0] ?? Number.NaN,
    'half called': ({ calls }) => calls[MANY / 2 - 1] ?? Number.NaN,
    'all called': ({ calls }) => calls[MANY - 1] ?? Number.NaN,
    'all ended': ({ ended }) => ended,
  };
  const lines = Object.entries(moments).map(([name, of]) => {
    const columns = [of(least), of(ours)].map((ms) => ms.toFixed(0).padStart(9));
    return `  ${name.padEnd(40)}${columns.join('')}${`× ${(of(ours) / of(least)).toFixed(2)}`.padStart(9)}`;
  });
  const head = `  ${''.padEnd(40)}${['bare', 'revokes', 'of bare'].map((word) => word.padStart(9)).join('')}`;
  console.log([`\n${MANY} waiting workflows retried at once, in ms since the retry`, head, ...lines].join('\n'));
}

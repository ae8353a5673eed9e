import { vi } from 'vitest';
import { type AppId, type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import {
  type Dispatch,
  insertDispatch,
  type OutboxEntry,
  takeDispatches,
  type WorkLane,
} from '../../src/store/outbox.ts';
import { buildDispatch } from '../../src/workflows/dispatches.ts';
import { type Database, inTransaction, test } from '../kit/postgres.ts';

export {
  type Dispatch,
  type Lane,
  listRefusedDispatches,
  type OutboxEntry,
  retryRefusedDispatches,
} from '../../src/store/outbox.ts';

/** `test` with an empty outbox. */
export const outboxTest = test.extend<{ sql: Database }>({
  sql: async ({ sql }, use) => {
    await sql`delete from outbox`;
    await use(sql);
  },
});

/** An entry of a workflow of its own. */
export const newDispatch = (lane: WorkLane = 'REQUEST', appId = newId<AppId>()): Dispatch =>
  buildDispatch(
    'disconnect',
    {
      appId,
      provider: 'PROVIDER_C',
      connectionId: newId<ConnectionId>(),
      revokeJobId: newId<JobId>(),
      eraseJobId: newId<JobId>(),
      correlationId: newId<CorrelationId>(),
    },
    { lane },
  );

export const write = (sql: Database, ...dispatches: readonly Dispatch[]): Promise<void> =>
  inTransaction(sql, async (tx) => {
    for (const dispatch of dispatches) await insertDispatch(tx, dispatch);
  });

/** Writes an entry and takes it, with the tries and refusals of a later delivery. */
export async function takeOne(
  sql: Database,
  history: Partial<Pick<OutboxEntry, 'tries' | 'refusals'>> = {},
): Promise<OutboxEntry> {
  await write(sql, newDispatch());
  const places = [{ lane: 'REQUEST', limit: 1 }] as const;
  const entries = await takeDispatches(sql, { places, leaseSeconds: 15 });
  return { ...(entries[0] as OutboxEntry), ...history };
}

/** Counts the looks for due entries. Each fails while `isAway`, and is followed by `afterLook`. */
export function watchLooks(sql: Database) {
  const watch = { looks: 0, isAway: false, afterLook: async () => {} };
  const watched = new Proxy(sql, {
    apply: (target, self, args) => {
      if (!String(args[0]).includes('with due as')) return Reflect.apply(target, self, args);
      watch.looks += 1;
      if (watch.isAway) return Promise.reject(new Error('away'));
      return Reflect.apply(target, self, args).then(async (rows: unknown) => {
        await watch.afterLook();
        return rows;
      });
    },
  });
  return { watch, sql: watched };
}

/** From now on, only the test moves the time. */
export async function stopTime(sql: Database): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.05)`)); // The pool connects in real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await vi.advanceTimersByTimeAsync(1_000);
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { beforeEach, describe, expect, inject, vi } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import {
  type AppId,
  type AttemptId,
  type ConnectionId,
  type CorrelationId,
  type JobId,
  newId,
} from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { buildDispatch, buildUpkeepDispatch } from '../../src/workflows/dispatches.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { type Database, test as postgresTest } from '../kit/postgres.ts';
import { type Dispatch, listRefusedDispatches, retryRefusedDispatches, type WorkLane, write } from './stage.ts';

const test = postgresTest.extend<{ $file: { temporal: Client } }>({
  temporal: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      const connection = await Connection.connect({ address: inject('temporalAddress') });
      await use(new Client({ connection }));
      await connection.close();
    },
    { scope: 'file' },
  ],
});

/** An attempt's dispatch as the callback writes it, or with a signal. */
const dispatchOf = (attemptId: AttemptId, signal?: 'retryNow'): Dispatch =>
  buildDispatch(
    'connectAttempt',
    {
      attemptId,
      appId: newId<AppId>(),
      provider: 'PROVIDER_B',
      expiresAt: new Date(Date.now() + 600_000),
      correlationId: newId<CorrelationId>(),
    },
    signal ? { signal } : {},
  );

const open = (sql: Database, client: Client) =>
  createDispatcher({ sql, client, taskQueue: `nobody-${randomUUID()}`, log: createLog('silent') });

async function drained(sql: Database): Promise<void> {
  while ((await sql`select from outbox`).length > 0) await delay(20);
}

const eventsOf = async (temporal: Client, workflowId: string) => {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return events ?? [];
};

beforeEach<{ sql: Database }>(async ({ sql }) => {
  await sql`delete from outbox`;
});

describe('the dispatcher', () => {
  test('delivers committed entries when it is woken', async ({ sql, temporal }) => {
    const dispatch = dispatchOf(newId<AttemptId>());
    const dispatcher = open(sql, temporal);
    await write(sql, dispatch);
    dispatcher.deliverSoon();
    await drained(sql);
    await dispatcher.close();
    const run = await temporal.workflow.getHandle(dispatch.workflowId).describe();
    expect(run).toMatchObject({ type: 'connectAttempt', memo: { correlationId: dispatch.correlationId } });
    expect(run.searchAttributes).toMatchObject({ Provider: ['PROVIDER_B'], JobKind: ['CONNECT'] });
    expect(await run.staticSummary()).toBe('Connect an account (PROVIDER_B)');
  });

  test("gives a person's attempt the first priority and bulk work the last, and each app turns of its own", async ({
    sql,
    temporal,
  }) => {
    const appId = newId<AppId>();
    const ids = { appId, provider: 'PROVIDER_C', connectionId: newId<ConnectionId>() } as const;
    const disconnect = (lane?: WorkLane) =>
      buildDispatch(
        'disconnect',
        {
          ...ids,
          connectionId: newId<ConnectionId>(),
          revokeJobId: newId<JobId>(),
          eraseJobId: newId<JobId>(),
          correlationId: newId<CorrelationId>(),
        },
        lane ? { lane } : {},
      );
    const upkeep = buildUpkeepDispatch({ ...ids, isUrgent: false });
    const dispatches = [dispatchOf(newId<AttemptId>()), disconnect(), disconnect('BULK'), upkeep];
    await write(sql, ...dispatches);
    expect(await open(sql, temporal).deliverDue()).toEqual({ delivered: 4, failed: 0 });
    const runs = await Promise.all(
      dispatches.map(({ workflowId }) => temporal.workflow.getHandle(workflowId).describe()),
    );
    const priorities = runs.map(({ raw }) => raw.workflowExecutionInfo?.priority);
    expect(priorities.map((priority) => priority?.priorityKey)).toEqual([1, 3, 5, 5]);
    expect(priorities.slice(1).map((priority) => priority?.fairnessKey)).toEqual([appId, appId, appId]);
  });

  test('delivers at once an entry that is committed at the very end of a delivery, after its last look', async ({
    sql,
    temporal,
  }) => {
    const late = dispatchOf(newId<AttemptId>());
    let isLate = false;
    const lookOf = async (look: Promise<readonly unknown[]>) => {
      const found = await look;
      if (isLate) return found;
      await write(sql, late);
      isLate = true;
      dispatcher.deliverSoon();
      return found;
    };
    const watched = new Proxy(sql, {
      apply: (target, self, args) => {
        const answer = Reflect.apply(target, self, args);
        return String(args[0]).includes('with due as') ? lookOf(answer) : answer;
      },
    });
    const dispatcher = open(watched, temporal);
    dispatcher.deliverSoon(); // It finds nothing, so its first look is the last.
    await vi.waitUntil(async () => isLate && (await sql`select from outbox`).length === 0);
    await dispatcher.close();
    expect((await temporal.workflow.getHandle(late.workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('starts a workflow once and signals it once after repeated deliveries', async ({ sql, temporal }) => {
    const attemptId = newId<AttemptId>();
    const dispatcher = open(sql, temporal);
    const started = dispatchOf(attemptId);
    await write(sql, started);
    await sql`update outbox set once_key = null`; // As an old version writes it.
    await write(sql, started, dispatchOf(attemptId, 'retryNow'));
    expect(await dispatcher.deliverDue()).toEqual({ delivered: 3, failed: 0 });
    const types = (await eventsOf(temporal, started.workflowId)).map(({ eventType }) => Number(eventType));
    const [startedEvent, signaledEvent] = [1, 26]; // Numbers of temporal.api.enums.v1.EventType.
    expect(types.filter((type) => type === startedEvent)).toHaveLength(1);
    expect(types.filter((type) => type === signaledEvent)).toHaveLength(1);
  });

  test('a signal before the start entry starts its workflow', async ({ sql, temporal }) => {
    const dispatch = dispatchOf(newId<AttemptId>(), 'retryNow');
    await write(sql, dispatch);
    expect(await open(sql, temporal).deliverDue()).toEqual({ delivered: 1, failed: 0 });
    expect((await temporal.workflow.getHandle(dispatch.workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('a signal for a workflow that an operator terminated starts it again', async ({ sql, temporal }) => {
    const attemptId = newId<AttemptId>();
    const dispatcher = open(sql, temporal);
    await write(sql, dispatchOf(attemptId));
    await dispatcher.deliverDue();
    const { workflowId } = dispatchOf(attemptId);
    await temporal.workflow.getHandle(workflowId).terminate();
    await write(sql, dispatchOf(attemptId, 'retryNow'));
    expect(await dispatcher.deliverDue()).toEqual({ delivered: 1, failed: 0 });
    expect((await temporal.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('keeps every entry while Temporal is down, and delivers them in order afterwards', async ({ sql, temporal }) => {
    const connection = Connection.lazy({ address: `${LOOPBACK}:${await findFreePort()}` });
    const attemptId = newId<AttemptId>();
    const other = dispatchOf(newId<AttemptId>());
    await write(sql, dispatchOf(attemptId), dispatchOf(attemptId, 'retryNow'), other);
    const cutOff = open(sql, new Client({ connection }));
    // The signal waits for the start. Of the two that are tried, one is due again if the other one takes so long to fail.
    const { delivered, failed } = await cutOff.deliverDue();
    expect(delivered).toBe(0);
    expect(failed).toBeGreaterThanOrEqual(2);
    await connection.close();
    expect(await sql`select from outbox`).toHaveLength(3);

    const back = open(sql, temporal);
    // Each entry is delayed by two seconds, or by up to five if it was tried again. Entries that are not due stay.
    await moveClock(sql, -60 * SECOND_MS);
    expect(await back.deliverDue()).toEqual({ delivered: 0, failed: 0 });
    await moveClock(sql, 66 * SECOND_MS);
    expect(await back.deliverDue()).toEqual({ delivered: 3, failed: 0 });
    const { workflowId } = dispatchOf(attemptId);
    expect((await temporal.workflow.getHandle(workflowId).describe()).status.name).toBe('RUNNING');
  });

  test('deletes each entry as soon as it is answered, without waiting for slower ones', async ({ sql }) => {
    const slow = dispatchOf(newId<AttemptId>());
    await write(sql, slow, ...Array.from({ length: 20 }, () => dispatchOf(newId<AttemptId>())));
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const start = async (_type: string, { workflowId }: { workflowId: string }) =>
      workflowId === slow.workflowId ? await answered : undefined;
    const client = { withDeadline: (_deadline: number, work: () => unknown) => work(), workflow: { start } };
    const dispatcher = open(sql, client as unknown as Client);
    const delivery = dispatcher.deliverDue();
    await vi.waitUntil(async () => (await sql`select from outbox`).length === 1);
    // Entries that are committed meanwhile do not wait for it either.
    const late = dispatchOf(newId<AttemptId>());
    await write(sql, late);
    dispatcher.deliverSoon();
    await vi.waitUntil(async () => (await sql`select from outbox where workflow_id = ${late.workflowId}`).length === 0);
    expect(await sql`select workflow_id from outbox`).toEqual([{ workflowId: slow.workflowId }]);
    answer();
    await Promise.all([delivery, dispatcher.close()]);
  });

  test('keeps a refused entry, retries it less and less often, logs it once, and delivers the others', async ({
    sql,
    temporal,
  }) => {
    const TOO_LONG = 2_000; // Temporal refuses ids of more than 1,000 characters.
    const refused = Array.from({ length: 30 }, (_, index) => ({
      ...dispatchOf(newId<AttemptId>()),
      workflowId: `${index}-`.padEnd(TOO_LONG, 'x'),
    }));
    const good = () => Array.from({ length: 5 }, () => dispatchOf(newId<AttemptId>()));
    await write(sql, ...refused, ...good());
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const dispatcher = createDispatcher({ sql, client: temporal, taskQueue: `nobody-${randomUUID()}`, log });
    expect(await dispatcher.deliverDue()).toEqual({ delivered: 5, failed: 30 });
    expect(await listRefusedDispatches(sql, 100)).toHaveLength(30);

    // A commit wakes the deliveries of new entries only. The sweep retries the refused ones.
    await moveClock(sql, 3_600 * SECOND_MS);
    await write(sql, ...good());
    const woken = open(sql, temporal);
    woken.deliverSoon();
    await vi.waitUntil(async () => (await sql`select from outbox`).length === 30);
    await woken.close();
    expect(new Set((await listRefusedDispatches(sql, 100)).map(({ refusals }) => refusals))).toEqual(new Set([1]));

    for (let hours = 0; hours < 3; hours += 1) {
      await moveClock(sql, 3_600 * SECOND_MS);
      await write(sql, ...good());
      expect(await dispatcher.deliverDue()).toEqual({ delivered: 5, failed: 30 });
    }
    const [entry] = await listRefusedDispatches(sql, 1);
    expect(entry).toMatchObject({ workflowType: 'connectAttempt', lastFailure: 'INVALID_ARGUMENT', refusals: 4 });
    expect(lines.filter((line) => line.includes('Temporal refuses'))).toHaveLength(30);

    // The next try is due within 15 minutes; the test moves the clock instead of waiting.
    await sql`update outbox set refusals = 1000`;
    await moveClock(sql, 3_600 * SECOND_MS);
    await dispatcher.deliverDue();
    const [wait] =
      await sql`select max(next_retry_at) - business_now() <= interval '15 minutes' as is_bounded from outbox`;
    expect(wait).toEqual({ isBounded: true });
    expect(await retryRefusedDispatches(sql)).toBe(30);
    expect(await dispatcher.deliverDue()).toEqual({ delivered: 0, failed: 30 });
    await sql`delete from outbox`;
  });

  test('closes only after its deliveries end, even if the database goes down meanwhile', async ({ sql }) => {
    const [refused, slow] = [dispatchOf(newId<AttemptId>()), dispatchOf(newId<AttemptId>())];
    await write(sql, refused, slow);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const start = async (_type: string, { workflowId }: { workflowId: string }) =>
      workflowId === slow.workflowId ? await answered : Promise.reject(new Error('refused'));
    const client = { withDeadline: (_deadline: number, work: () => unknown) => work(), workflow: { start } };
    let isAway = false;
    const goingAway = new Proxy(sql, {
      apply: (target, self, args) => {
        if (!String(args[0]).includes('update outbox set next_retry_at')) return Reflect.apply(target, self, args);
        isAway = true;
        return Promise.reject(new Error('away'));
      },
    });
    const dispatcher = open(goingAway, client as unknown as Client);
    dispatcher.deliverSoon();
    await vi.waitUntil(() => isAway);
    let isClosed = false;
    const closing = dispatcher.close().then(() => {
      isClosed = true;
    });
    await setImmediate();
    expect(isClosed).toBe(false);
    answer();
    await closing;
    await sql`truncate outbox`;
  });
});

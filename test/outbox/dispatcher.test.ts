import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, inject } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { type AppId, type AttemptId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { buildDispatch } from '../../src/workflows/dispatches.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { keepLog } from '../kit/keep-log.ts';
import type { Database } from '../kit/postgres.ts';
import {
  type Dispatch,
  listRefusedDispatches,
  newDispatch,
  outboxTest,
  retryRefusedDispatches,
  write,
} from './stage.ts';

/** A busy server counts as one that answers: a delivery has no deadline. */
class PatientClient extends Client {
  override async withDeadline<T>(_deadline: number | Date, work: () => Promise<T>): Promise<T> {
    return await work();
  }
}

const test = outboxTest.extend<{ $file: { temporal: Client } }>({
  temporal: [
    async ({}, use) => {
      const connection = await Connection.connect({ address: inject('temporalAddress') });
      await use(new PatientClient({ connection }));
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

describe('the dispatcher', () => {
  test('delivers committed entries when it is woken', async ({ sql, temporal }) => {
    const [dispatch, appId] = [dispatchOf(newId<AttemptId>()), newId<AppId>()];
    const bulk = newDispatch('BULK', appId);
    const dispatcher = open(sql, temporal);
    await write(sql, dispatch, bulk);
    dispatcher.deliverSoon();
    await drained(sql);
    await dispatcher.close();
    const run = await temporal.workflow.getHandle(dispatch.workflowId).describe();
    expect(run).toMatchObject({ type: 'connectAttempt', memo: { correlationId: dispatch.correlationId } });
    expect(run.searchAttributes).toMatchObject({ Provider: ['PROVIDER_B'], JobKind: ['CONNECT'] });
    expect(await run.staticSummary()).toBe('Connect an account (PROVIDER_B)');
    const { raw } = await temporal.workflow.getHandle(bulk.workflowId).describe();
    const priorities = [run.raw, raw].map(({ workflowExecutionInfo }) => workflowExecutionInfo?.priority);
    expect(priorities).toMatchObject([{ priorityKey: 1 }, { priorityKey: 5, fairnessKey: appId }]);
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

  test('keeps a refused entry, retries it ever less, logs it once, and delivers others', async ({ sql, temporal }) => {
    const TOO_LONG = 2_000; // Temporal refuses ids of more than 1,000 characters.
    const refused = Array.from({ length: 30 }, (_, index) => ({
      ...dispatchOf(newId<AttemptId>()),
      workflowId: `${index}-`.padEnd(TOO_LONG, 'x'),
    }));
    const good = () => Array.from({ length: 5 }, () => dispatchOf(newId<AttemptId>()));
    await write(sql, ...refused, ...good());
    const { log, lines } = keepLog('info');
    const dispatcher = createDispatcher({ sql, client: temporal, taskQueue: `nobody-${randomUUID()}`, log });
    expect(await dispatcher.deliverDue()).toEqual({ delivered: 5, failed: 30 });
    expect(await listRefusedDispatches(sql, 100)).toHaveLength(30);

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
});

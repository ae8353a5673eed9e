import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { inject, vi } from 'vitest';
import type { ConnectionId, WebhookEndpointId } from '../src/ids.ts';
import { moveConnection } from '../src/store/connections.ts';
import type { Database } from '../src/store/sql.ts';
import { asWorker } from '../test/kit/postgres.ts';
import { answerWith } from '../test/kit/webhook-receiver.ts';
import { test, type WebhookStage } from '../test/kit/webhook-stage.ts';
import { startBareWorker, TASK_QUEUE } from './bare/processes.ts';
import { compare, type Side, timed } from './flows/compare.ts';

const ROUNDS = { rounds: 60, warmUps: 10 };
const MANY = 5_000;
const DEAD = 10_000;

/** One process runs everything: its processor time by job would say nothing. */
const sideBySide = (title: string, sides: readonly Side[], options: { rounds: number; warmUps: number }) =>
  compare(title, sides, { ...options, unit: 'ms', processors: () => ({}) as never });

const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 120_000, interval: 1 });

/** From a commit to the arrival of its webhook. */
function tellOnce({ receiver, happen }: WebhookStage): () => Promise<number> {
  let suspended = false;
  return () => {
    const count = receiver.received.length;
    suspended = !suspended;
    return timed(async () => {
      await happen(suspended ? 'SUSPENDED' : 'CONNECTED');
      await until(() => receiver.received.length > count);
    });
  };
}

const insertDeliveries = (sql: Database, { appId }: WebhookStage, endpointId: WebhookEndpointId, count: number) => sql`
  with event as (
    insert into webhook_event (app_id, type, data)
    select ${appId}, 'job.finished', '{}' from generate_series(1, ${count}::int) returning event_id, app_id, type
  )
  insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
  select event_id, ${endpointId}, app_id, type from event
`;

const wake = (client: Client, taskQueue: string, endpointId: WebhookEndpointId) =>
  client.workflow.signalWithStart('sendWebhooks', {
    workflowId: `webhooks/${endpointId}`,
    taskQueue,
    args: [{ endpointId }],
    signal: 'webhooksDue',
    signalArgs: [],
  });

/** The duration of 500 changes of a connection's status, each a transaction. */
const changeStatuses = (sql: Database, connectionId: ConnectionId) =>
  timed(async () => {
    for (let i = 0; i < 250; i += 1)
      for (const status of ['SUSPENDED', 'CONNECTED'] as const)
        await moveConnection(asWorker(sql), connectionId, status);
  });

test('webhooks', { timeout: 600_000 }, async ({ database: { sql }, stage }) => {
  const { client, taskQueue, receiver, endpointId, connectionId, withWorkers } = stage;
  const bare = await startBareWorker({
    settings: { temporal: { TEMPORAL_ADDRESS: inject('temporalAddress') } },
  } as never);
  const callOnce = () =>
    timed(() => client.workflow.execute('callOnce', { taskQueue: TASK_QUEUE, workflowId: randomUUID(), args: [] }));
  await withWorkers(async () => {
    const tell = tellOnce(stage);
    const variants = [
      { name: 'a bare workflow with one empty call', once: callOnce },
      { name: 'a fact → its webhook has arrived', once: tell },
    ];
    await sideBySide('Webhooks', variants, ROUNDS);

    // A dead endpoint of the same app, with ten thousand waiting for it.
    const url = receiver.url.replace(/\d+\/hooks/, '9/hooks'); // The discard port, where nobody listens.
    const { endpointId: dead } = await stage.addEndpoint(url, ['job.finished']);
    await insertDeliveries(sql, stage, dead, DEAD);
    await wake(client, taskQueue, dead);
    await sideBySide(`Webhooks, while ${DEAD} wait for a dead endpoint`, variants, ROUNDS);

    const before = receiver.received.length;
    await insertDeliveries(sql, stage, endpointId, MANY);
    const seconds =
      (await timed(async () => {
        await wake(client, taskQueue, endpointId);
        await until(() => receiver.received.length >= before + MANY);
      })) / 1_000;
    console.log(`\n${MANY} webhooks that wait for one endpoint: ${(MANY / seconds).toFixed(0)} a second`);
    const startedAtMs = performance.now();
    const AT_ONCE = 50;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let i = 0; i < 4; i += 1) await callOnce();
      }),
    );
    const bareSeconds = (performance.now() - startedAtMs) / 1_000;
    console.log(`Bare workflows with one empty call, 50 at once: ${((AT_ONCE * 4) / bareSeconds).toFixed(0)} a second`);
  });
  await bare.stop();
  receiver.answer(answerWith(204));

  // What the trigger costs a transaction that changes a status.
  const measure = async (prepare: string) => {
    await sql.unsafe(prepare);
    return await changeStatuses(sql, connectionId);
  };
  await sideBySide(
    '500 changes of a status, each a transaction',
    [
      {
        name: 'without the trigger',
        once: () => measure('alter table connection disable trigger connection_moved_told'),
      },
      {
        name: 'with it, no endpoint wants the event',
        once: () =>
          measure(
            "alter table connection enable trigger connection_moved_told; update webhook_endpoint set event_types = '{job.finished}'",
          ),
      },
      {
        name: 'with it, one endpoint wants the event',
        once: () =>
          measure(
            "alter table connection enable trigger connection_moved_told; update webhook_endpoint set event_types = '{connection.suspended,connection.resumed}'",
          ),
      },
    ],
    { rounds: 6, warmUps: 1 },
  );
});

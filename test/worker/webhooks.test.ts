import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, vi } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { createWebhookActivities } from '../../src/activities/index.ts';
import type { WorkerConfig } from '../../src/config.ts';
import { createWebhookSecret } from '../../src/domain/webhooks/create-webhook-secret.ts';
import { newId, type WebhookEndpointId } from '../../src/ids.ts';
import { findFreePort, LOOPBACK } from '../../src/local/ports.ts';
import { createLog } from '../../src/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { createHttp } from '../../src/providers/http.ts';
import { Secret } from '../../src/secret.ts';
import { moveConnection } from '../../src/store/connections.ts';
import { inTransaction } from '../../src/store/sql.ts';
import { insertWebhookEndpoint, insertWebhookSecret } from '../../src/store/webhook-endpoints.ts';
import { listenToEvents } from '../../src/worker/listen-to-events.ts';
import { createWorkers } from '../../src/worker/workers.ts';
import { openStage } from '../activities/stage.ts';
import { temporalEnvironment } from '../kit/conformance.ts';
import { asApi, asWorker, test as postgresTest, type TestDatabase } from '../kit/postgres.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';
import { answerWith, hang, openReceiver } from '../kit/webhook-receiver.ts';
import { quiet } from '../workflows/fakes.ts';

const log = createLog('silent');

/** An app with an endpoint at a receiver of its own, and workers that can be started, killed and started again. */
async function open({ sql, urls }: TestDatabase, bundleFile: string) {
  const address = inject('temporalAddress');
  const [stage, receiver, connection] = await Promise.all([
    openStage(sql),
    openReceiver(),
    Connection.connect({ address }),
  ]);
  const client = new Client({ connection });
  const taskQueue = `webhooks-${randomUUID()}`;
  const config: WorkerConfig = {
    ...stage.deps.config,
    DATABASE_URL: new Secret(urls.worker),
    TASK_QUEUE: taskQueue,
    WORKFLOW_BUNDLE: bundleFile,
    SHUTDOWN_GRACE_SECONDS: 0,
  };
  const endpointId = newId<WebhookEndpointId>();
  const { appId } = stage.seeded.app;
  const eventTypes = ['connection.suspended', 'connection.resumed'] as const;
  const { secretId, secret, sealedSecret } = await createWebhookSecret(stage.deps.vault.sealEdge);
  await inTransaction(asApi(sql), async (tx) => {
    await insertWebhookEndpoint(tx, { endpointId, appId, url: receiver.url, eventTypes });
    await insertWebhookSecret(tx, { secretId, endpointId, sealedSecret });
  });
  const { connectionId } = await stage.newConnection();
  const webhookHttp = createHttp({ production: false, userAgent: 'webhook-tests/1' });

  /** Runs workers and a dispatcher that listens, until `work` has settled. */
  async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
    const native = await NativeConnection.connect({ address });
    const dispatcher = createDispatcher({ sql: asWorker(sql), client, taskQueue, log });
    const workers = await createWorkers(config, native, {
      store: quiet,
      provider: quiet,
      issuer: quiet,
      webhook: createWebhookActivities({ ...stage.deps, webhookHttp }),
    });
    const events = listenToEvents(config, dispatcher, log);
    try {
      return await runUntil(workers, work);
    } finally {
      await events.close();
      await dispatcher.close();
      await native.close();
    }
  }

  return {
    receiver,
    secret: secret.reveal(),
    taskQueue,
    withWorkers,
    happen: (status: 'SUSPENDED' | 'CONNECTED') => moveConnection(asApi(sql), connectionId, status),
    arrive: (count: number) => vi.waitUntil(() => receiver.received.length >= count, { timeout: 20_000, interval: 10 }),
    deliveries: () => sql`select status, tries from webhook_delivery where endpoint_id = ${endpointId}`,
    history: async () => {
      const runs = [];
      for await (const run of client.workflow.list({ query: `WorkflowId = 'webhooks/${endpointId}'` })) runs.push(run);
      const histories = await Promise.all(
        runs.map(({ workflowId, runId }) => client.workflow.getHandle(workflowId, runId).fetchHistory()),
      );
      return JSON.stringify(histories);
    },
    close: async () => {
      await receiver.close();
      await webhookHttp.close();
      await connection.close();
    },
  };
}
const bundledTest = postgresTest.extend<{ $file: { bundleFile: string } }>({
  bundleFile: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      Object.assign(process.env, temporalEnvironment());
      const folder = await mkdtemp(path.join(tmpdir(), 'bundle-'));
      const file = path.join(folder, 'workflows.js');
      await writeFile(file, (await bundleWorkflows()).code);
      await use(file);
      await rm(folder, { recursive: true });
    },
    { scope: 'file' },
  ],
});
const test = bundledTest.extend<{ stage: Awaited<ReturnType<typeof open>> }>({
  stage: async ({ database, bundleFile }, use) => {
    const stage = await open(database, bundleFile);
    await use(stage);
    await stage.close();
  },
});

test('what any process commits is sent at once, in order, by one workflow whose history holds ids only', {
  timeout: 60_000,
}, async ({ stage }) => {
  const { receiver, happen, arrive, withWorkers, secret, history } = stage;
  await withWorkers(async () => {
    for (let i = 0; i < 3; i += 1) {
      await happen(i % 2 === 0 ? 'SUSPENDED' : 'CONNECTED');
      await arrive(i + 1); // No sweep runs here: the notification of the commit wakes the dispatcher.
    }
  });
  const events = await Promise.all(
    receiver.received.map((webhook) => verifyWebhook<{ data: { sequence: number } }>(webhook, secret)),
  );
  const numbers = events.map(({ data }) => data.sequence);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(receiver.ids()).size).toBe(3);
  const text = await history();
  expect(text).not.toContain(receiver.url);
  expect(text).not.toContain('whsec');
});

test('facts that happen while Temporal is down are told when it is back, each once', { timeout: 60_000 }, async ({
  database: { sql },
  stage,
}) => {
  const { receiver, happen, arrive, withWorkers, taskQueue, deliveries } = stage;
  const nobody = Connection.lazy({ address: `${LOOPBACK}:${await findFreePort()}` });
  const cutOff = createDispatcher({ sql: asWorker(sql), client: new Client({ connection: nobody }), taskQueue, log });
  for (const status of ['SUSPENDED', 'CONNECTED', 'SUSPENDED'] as const) await happen(status);
  expect(await cutOff.deliverDue()).toMatchObject({ delivered: 0 });
  await cutOff.close();
  await nobody.close();
  await sql`update outbox set next_try_at = now()`; // Instead of the pause that the failure has set.
  await withWorkers(() => arrive(3));
  expect(new Set(receiver.ids()).size).toBe(3);
  expect(receiver.received).toHaveLength(3);
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }, { status: 'DELIVERED' }]);
});

test('a delivery that a stopped worker leaves unanswered is sent again by the next one, under the same id', {
  timeout: 60_000,
}, async ({ stage }) => {
  const { receiver, happen, arrive, withWorkers, deliveries } = stage;
  receiver.answer(hang);
  await withWorkers(async () => {
    await happen('SUSPENDED');
    await arrive(1);
  });
  receiver.answer(answerWith(204));
  await withWorkers(() => arrive(2));
  await vi.waitUntil(async () => (await deliveries())[0]?.status === 'DELIVERED', { timeout: 10_000 });
  expect(new Set(receiver.ids()).size).toBe(1);
});

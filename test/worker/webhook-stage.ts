import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject, vi } from 'vitest';
import { createWebhookActivities } from '../../src/activities/index.ts';
import type { WebhookEventType } from '../../src/basics/codes.ts';
import type { AppId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import type { WorkerConfig } from '../../src/config/config.ts';
import { createWebhookSecret } from '../../src/domain/webhooks/create-webhook-secret.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { pollWebhookWakes } from '../../src/outbox/wake-webhooks.ts';
import { createHttp } from '../../src/providers/http.ts';
import { createWorkers } from '../../src/worker/workers.ts';
import { openStage } from '../kit/activity-stage.ts';
import { temporalEnvironment } from '../kit/conformance.ts';
import { quiet, usualInlineSteps } from '../kit/fake-activities.ts';
import { WAIT_LIMIT_MS } from '../kit/limits.ts';
import { asApi, asWorker, test as postgresTest, type TestDatabase } from '../kit/postgres.ts';
import { moveConnection, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint, seedEndpointSecret } from '../kit/seed-endpoint.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';

const log = createLog('silent');

/**
 * An app with an endpoint at a receiver of its own, and workers that can be started, killed and started again.
 * @param createActivities of those workers.
 */
export async function openWebhookStage(
  { sql, urls }: TestDatabase,
  bundleFile: string,
  createActivities: (deps: Parameters<typeof createWebhookActivities>[0]) => object = createWebhookActivities,
) {
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
  const { appId } = stage.seeded.app;
  const addEndpoint = async (url: string, eventTypes: readonly WebhookEventType[], owner: AppId = appId) => {
    const endpointId = await seedEndpoint(sql, owner, { url, eventTypes });
    const { secret, ...sealed } = await createWebhookSecret(stage.deps.vault.sealEdge);
    await seedEndpointSecret(sql, endpointId, sealed);
    return { endpointId, secret };
  };
  const { endpointId, secret } = await addEndpoint(receiver.url, ['connection.suspended', 'connection.resumed']);
  const { connectionId } = await stage.newConnection();
  const webhookHttp = createHttp({ production: false, userAgent: 'webhook-tests/1' });

  /** Another app with an endpoint, whose webhooks the same workers send. */
  async function addNeighbour(url: string) {
    const seeded = await seedApp(sql);
    await addEndpoint(url, ['connection.suspended', 'connection.resumed'], seeded.app.appId);
    const neighbourId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    return { happen: (status: 'SUSPENDED' | 'CONNECTED') => moveConnection(asApi(sql), neighbourId, status) };
  }

  let lookSoon = () => {};
  const activityEnded = () => lookSoon();

  /** Runs workers and a dispatcher, until `work` has settled. */
  async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
    const native = await NativeConnection.connect({ address });
    const dispatcher = createDispatcher({ sql: asWorker(sql), client, taskQueue, log });
    const events = pollWebhookWakes({ sql: asWorker(sql), log }, dispatcher);
    lookSoon = events.lookSoon;
    const activities = {
      store: quiet,
      provider: quiet,
      inlineSteps: usualInlineSteps(quiet),
      issuer: quiet,
      webhook: createActivities({ ...stage.deps, webhookHttp, webhookTimeoutMs: WAIT_LIMIT_MS }) as ReturnType<
        typeof createWebhookActivities
      >,
    };
    const workers = await createWorkers(config, native, activities, { activityEnded });
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
    endpointId,
    addEndpoint,
    addNeighbour,
    appId,
    connectionId,
    client,
    secret: secret.reveal(),
    taskQueue,
    withWorkers,
    /** What the workers do after each of their activities. */
    activityEnded,
    /** A fact that an activity commits. */
    async happen(status: 'SUSPENDED' | 'CONNECTED') {
      await moveConnection(asApi(sql), connectionId, status);
      activityEnded();
    },
    arrive: (count: number) => vi.waitUntil(() => receiver.received.length >= count, { interval: 10 }),
    deliveries: () => sql`
      select status, tries, last_failure, status <> 'PENDING' or last_failure is not null as ended
      from webhook_delivery where endpoint_id = ${endpointId}
    `,
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
export type WebhookStage = Awaited<ReturnType<typeof openWebhookStage>>;

/** `test` with an app that has an endpoint, on the real Temporal server. */
export const test = postgresTest.extend<{ $file: { bundleFile: string }; $test: { stage: WebhookStage } }>({
  bundleFile: [
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
  stage: async ({ database, bundleFile }, use) => {
    const stage = await openWebhookStage(database, bundleFile);
    await use(stage);
    await stage.close();
  },
});

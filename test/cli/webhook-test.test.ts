import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { createWebhookActivities } from '../../src/activities/index.ts';
import type { WebhookEndpointId } from '../../src/basics/ids.ts';
import { createHttp } from '../../src/providers/http.ts';
import { openStage } from '../kit/activity-stage.ts';
import { createParts, performCommand } from '../kit/commands.ts';
import { runActivity } from '../kit/deps.ts';
import { asApi, type Database, test } from '../kit/postgres.ts';
import { answerWith, openReceiver } from '../kit/webhook-receiver.ts';

/** Two endpoints of one app, the command line, and the worker that sends the events that a command has committed. */
async function open(sql: Database) {
  const stage = await openStage(sql);
  const { deps } = stage;
  const webhookHttp = createHttp({ production: false, userAgent: 'webhook-tests/1' });
  const { sendDueWebhooks } = createWebhookActivities({ ...deps, webhookHttp, webhookTimeoutMs: 2_000 });
  const parts = {
    ...(await createParts(asApi(sql), await makeKeys(), 'http://localhost:4000')),
    sealEdge: deps.vault.sealEdge, // Which the worker opens.
  };
  const run = (name: string, options: Readonly<Record<string, string>>, deliver = parts.deliver) =>
    performCommand({ ...parts, deliver }, name, options);
  const receivers = [await openReceiver(), await openReceiver()] as const;
  const endpoints: string[] = [];
  for (const { url } of receivers) {
    const { printed } = await run('webhook create', { app: stage.seeded.app.appId, url });
    endpoints.push(printed.endpoint.id);
  }
  const [endpoint = '', other = ''] = endpoints;
  const send = async () => {
    await runActivity(sendDueWebhooks, { endpointId: endpoint as WebhookEndpointId });
  };
  return {
    receivers,
    other,
    endpoint,
    run,
    send,
    test: () => run('webhook test', { endpoint }, send),
    close: async () => {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await webhookHttp.close();
    },
  };
}

describe('webhook test', () => {
  test('reports that the endpoint has accepted the event; another endpoint gets none', async ({ sql }) => {
    const stage = await open(sql);
    stage.receivers[0].answer(async (response) => {
      await delay(100);
      response.writeHead(204).end();
    });
    const tested = await stage.test();
    expect(tested).toMatchObject({
      code: 0,
      printed: { status: 'DELIVERED', eventType: 'webhook.test', tries: 1, lastHttpStatus: 204, lastFailure: null },
      told: [],
    });
    expect(tested.printed.durationMs).toBeGreaterThanOrEqual(99); // A timer may fire a little early.
    expect(stage.receivers.map(({ received }) => received.length)).toEqual([1, 0]);
    expect((await stage.run('webhook deliveries', { endpoint: stage.other })).printed).toEqual([]);
    await stage.close();
  });

  test('reports why the endpoint has not accepted it, and the time of the next try', async ({ sql }) => {
    const stage = await open(sql);
    stage.receivers[0].answer(answerWith(500));
    const { code, printed, told } = await stage.test();
    expect([code, printed]).toEqual([1, expect.objectContaining({ status: 'PENDING', tries: 1, lastHttpStatus: 500 })]);
    expect(told).toEqual([
      `The endpoint has not taken it. ${printed.lastFailure.code}: ${printed.lastFailure.message} The next try is at ${printed.nextRetryAt}.`,
    ]);
    await stage.close();
  });
});

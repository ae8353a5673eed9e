import type { ServerResponse } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { asWorker } from '../kit/postgres.ts';
import { answerWith, floodHeads, hang, openReceiver } from '../kit/webhook-receiver.ts';
import { test } from './webhook-stage.ts';

const log = createLog('silent');

test('events of every process are sent at once, in order, by one workflow whose history holds only ids', async ({
  stage,
}) => {
  const { receiver, happen, arrive, withWorkers, secret, history } = stage;
  await withWorkers(async () => {
    for (let i = 0; i < 3; i += 1) {
      await happen(i % 2 === 0 ? 'SUSPENDED' : 'CONNECTED');
      await arrive(i + 1); // No sweep runs here: the notification of the commit wakes the dispatcher.
    }
  });
  const events = await Promise.all(receiver.received.map((webhook) => verifyWebhook(webhook, secret)));
  const numbers = events.map(({ data }) => Number(data.sequence));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(receiver.ids()).size).toBe(3);
  const text = await history();
  expect(text).not.toContain(receiver.url);
  expect(text).not.toContain('whsec');
});

test('facts that happen while Temporal is down are sent when it is back, each once', async ({ sql, stage }) => {
  const { receiver, happen, arrive, withWorkers, taskQueue, deliveries } = stage;
  const nobody = Connection.lazy({ address: `${LOOPBACK}:${await findFreePort()}` });
  const cutOff = createDispatcher({ sql: asWorker(sql), client: new Client({ connection: nobody }), taskQueue, log });
  for (const status of ['SUSPENDED', 'CONNECTED', 'SUSPENDED'] as const) await happen(status);
  expect(await cutOff.deliverDue()).toMatchObject({ delivered: 0 });
  await cutOff.close();
  await nobody.close();
  await sql`update outbox set next_retry_at = now()`; // Instead of the pause that the failure has set.
  await withWorkers(() => arrive(3));
  expect(new Set(receiver.ids()).size).toBe(3);
  expect(receiver.received).toHaveLength(3);
  expect(await deliveries()).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }, { status: 'DELIVERED' }]);
});

test('a delivery that a stopped worker leaves unanswered is sent again by the next one, under the same id', async ({
  stage,
}) => {
  const { receiver, happen, arrive, withWorkers, deliveries } = stage;
  receiver.answer(hang);
  await withWorkers(async () => {
    await happen('SUSPENDED');
    await arrive(1);
  });
  receiver.answer(answerWith(204));
  await withWorkers(() => arrive(2));
  await vi.waitUntil(async () => (await deliveries())[0]?.status === 'DELIVERED');
  expect(new Set(receiver.ids()).size).toBe(1);
});

test('hundreds of events that wait for one app’s slow endpoint do not delay the webhooks of another app', async ({
  stage,
  onTestFinished,
}) => {
  const { receiver: slow, happen, arrive, addNeighbour, withWorkers } = stage;
  const STORM = 300;
  const AT_ONCE = 10;
  const quick = await openReceiver();
  onTestFinished(() => quick.close());
  const neighbour = await addNeighbour(quick.url);
  const held: ServerResponse[] = [];
  slow.answer((response) => void held.push(response));
  const statusOf = (index: number) => (index % 2 === 0 ? 'SUSPENDED' : 'CONNECTED');
  await withWorkers(async () => {
    for (let i = 0; i < STORM; i += 1) await happen(statusOf(i));
    // The slow endpoint answers ten requests for each two that the other one gets in the meantime.
    for (let round = 0; round < 5; round += 1) {
      await arrive(AT_ONCE * (round + 1));
      for (const half of [0, 1]) {
        await neighbour.happen(statusOf(half));
        await vi.waitUntil(() => quick.received.length === 2 * round + half + 1, { interval: 5 });
      }
      // All of them arrived while every request to the slow endpoint was still waiting for its answer.
      expect(held).toHaveLength(AT_ONCE);
      expect(slow.received).toHaveLength(AT_ONCE * (round + 1));
      for (const response of held.splice(0)) response.writeHead(204).end();
    }
  });
  expect(new Set(quick.ids()).size).toBe(10);
  expect(new Set(slow.ids()).size).toBe(slow.received.length);
});

test('an endpoint that floods informational heads costs another app’s webhooks nothing, and counts as failed', async ({
  stage,
  onTestFinished,
}) => {
  const { receiver: flooder, happen, arrive, addNeighbour, withWorkers, deliveries } = stage;
  const quick = await openReceiver();
  onTestFinished(() => quick.close());
  const neighbour = await addNeighbour(quick.url);
  const sent: number[] = [];
  flooder.answer(async (response, received) => {
    const { socket } = response;
    await floodHeads(response, received);
    sent.push(socket?.bytesWritten ?? 0);
  });
  await withWorkers(async () => {
    await happen('SUSPENDED');
    await neighbour.happen('SUSPENDED');
    await arrive(1);
    await vi.waitUntil(() => quick.received.length === 1, { interval: 5 });
    await vi.waitUntil(async () => (await deliveries())[0]?.ended);
    await neighbour.happen('CONNECTED'); // It is not paused.
    await vi.waitUntil(() => quick.received.length === 2, { interval: 5 });
  });
  expect(await deliveries()).toMatchObject([{ status: 'PENDING', tries: 1, lastFailure: 'ANSWER_INVALID' }]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toBeLessThan(8 * 1024 * 1024); // The most that two sockets buffer: the worker stops at the eleventh head.
});

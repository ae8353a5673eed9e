import type { ServerResponse } from 'node:http';
import { expect, vi } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';
import { test } from './webhook-stage.ts';

test('events of every process are sent at once, in order, by one workflow that records only ids', async ({ stage }) => {
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

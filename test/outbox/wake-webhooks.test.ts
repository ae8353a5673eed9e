import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { pollWebhookWakes } from '../../src/outbox/wake-webhooks.ts';
import { type Database, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { hold } from './stage.ts';

/** Notes when each look for wakes begins and ends. `during` may make it slow, or fail. */
function watchLooks(sql: Database, during: (look: number) => Promise<void> = async () => {}) {
  const looks: { beganAtMs: number; endedAtMs?: number }[] = [];
  let transactions = 0;
  const watched = new Proxy(sql, {
    apply: (target, self, args) => {
      if (!String(args[0]).includes('webhook_wake')) return Reflect.apply(target, self, args);
      const look: (typeof looks)[number] = { beganAtMs: performance.now() };
      looks.push(look);
      const found = during(looks.length).then(() => Reflect.apply(target, self, args));
      return found.finally(() => {
        look.endedAtMs = performance.now();
      });
    },
    get: (target, name) => {
      if (name === 'begin') transactions += 1;
      return Reflect.get(target, name, target);
    },
  });
  return { sql: watched, looks, transactions: () => transactions };
}

function poll(sql: Database) {
  let deliveries = 0;
  const polling = pollWebhookWakes(
    { sql, log: createLog('silent') },
    {
      deliverSoon: () => {
        deliveries += 1;
      },
    },
  );
  return { ...polling, deliveries: () => deliveries };
}

/** Between the end of a look and the begin of the next one. */
const pauses = (looks: ReturnType<typeof watchLooks>['looks']) =>
  looks.slice(1).map(({ beganAtMs }, index) => beganAtMs - (looks[index]?.endedAtMs ?? Number.NaN));

test('one wake asks for one delivery', async ({ sql }) => {
  const { app } = await seedApp(sql);
  const endpointId = await seedEndpoint(sql, app.appId);
  await sql`insert into webhook_wake (endpoint_id) values (${endpointId})`;
  const { looks, ...watched } = watchLooks(sql);
  const polling = poll(watched.sql);
  polling.lookSoon();
  await vi.waitUntil(() => looks.length > 2);
  await polling.close();
  expect(polling.deliveries()).toBe(1);
  expect(await sql`select from outbox where workflow_id = ${`webhooks/${endpointId}`}`).toHaveLength(1);
});

test('looks again after activities, every 100 ms at most', async ({ sql }) => {
  const { looks, ...watched } = watchLooks(sql);
  const polling = poll(watched.sql);
  await vi.waitUntil(() => looks[0]?.endedAtMs !== undefined);
  await delay(150);
  polling.lookSoon(); // At once: the last look is long enough ago.
  await vi.waitUntil(() => looks[1]?.endedAtMs !== undefined);
  polling.lookSoon();
  polling.lookSoon();
  await vi.waitUntil(() => looks.length > 2);
  await delay(150);
  await polling.close();
  const [first, second] = pauses(looks);
  expect(first).toBeLessThan(900);
  expect(second).toBeGreaterThan(95);
  expect(second).toBeLessThan(900);
  expect(looks).toHaveLength(3);
});

test('a look in progress does not lose the question for another one', async ({ sql }) => {
  const { held, release } = hold();
  const { looks, ...watched } = watchLooks(sql, (look) => (look === 1 ? held : Promise.resolve()));
  const polling = poll(watched.sql);
  await vi.waitUntil(() => looks.length > 0);
  polling.lookSoon();
  await delay(20);
  release();
  await vi.waitUntil(() => looks.length > 1, { timeout: 900 });
  await polling.close();
});

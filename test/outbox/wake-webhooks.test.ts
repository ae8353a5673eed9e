import { expect, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { pollWebhookWakes } from '../../src/outbox/wake-webhooks.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

test('one wake asks for one delivery', async ({ sql }) => {
  const endpointId = await seedEndpoint(sql, (await seedApp(sql)).app.appId);
  await sql`insert into webhook_wake (endpoint_id) values (${endpointId})`;
  const [looked, deliverSoon] = [vi.fn(), vi.fn()];
  const watched = new Proxy(sql, {
    apply: (target, self, args) => {
      if (String(args[0]).includes('webhook_wake')) looked();
      return Reflect.apply(target, self, args);
    },
  });
  const polling = pollWebhookWakes({ sql: watched, log: createLog('silent') }, { deliverSoon });
  polling.lookSoon();
  await vi.waitUntil(() => looked.mock.calls.length > 2);
  await polling.close();
  expect(deliverSoon).toHaveBeenCalledOnce();
  expect(await sql`select from outbox where workflow_id = ${`webhooks/${endpointId}`}`).toHaveLength(1);
});

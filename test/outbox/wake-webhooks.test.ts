import { vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { pollWebhookWakes } from '../../src/outbox/wake-webhooks.ts';
import { test } from '../kit/postgres.ts';
import { hold } from './stage.ts';

test('a look in progress does not lose the question for another one', async ({ sql }) => {
  const { held, release } = hold();
  let looks = 0;
  const watched = new Proxy(sql, {
    apply: (target, self, args) => {
      if (!String(args[0]).includes('webhook_wake')) return Reflect.apply(target, self, args);
      looks += 1;
      return (looks === 1 ? held : Promise.resolve()).then(() => Reflect.apply(target, self, args));
    },
  });
  const polling = pollWebhookWakes({ sql: watched, log: createLog('silent') }, { deliverSoon: () => undefined });
  await vi.waitUntil(() => looks > 0);
  polling.lookSoon();
  release();
  await vi.waitUntil(() => looks > 1, { timeout: 900 });
  await polling.close();
});

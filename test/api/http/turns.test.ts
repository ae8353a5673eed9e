import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../../../src/api/http/exchange.ts';
import { Turns } from '../../../src/api/http/turns.ts';
import { codesOf, startService } from '../../kit/graphql-service.ts';

/** Queues requests, and records the names of those that got their turn. */
function stage(max: { running: number; waiting: number }) {
  const turns = new Turns(max);
  const got: string[] = [];
  const ask = (name: string, key = 'a') => {
    const exchange = { atEnd: [] } as unknown as Exchange & { atEnd: (() => void)[] };
    const taken = turns.take(key, exchange).then(() => void got.push(name));
    return { taken, end: () => exchange.atEnd.forEach((one) => void one()) };
  };
  return { ask, got };
}

test('requests of one app run in order, and do not delay those of another app', async () => {
  const { ask, got } = stage({ running: 2, waiting: 10 });
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => ask(name));
  ask('other', 'b');
  await aTurn();
  expect(got).toEqual(['1', '2', 'other']);
  second?.end();
  await aTurn();
  expect(got).toEqual(['1', '2', 'other', '3']);
  first?.end();
  third?.end();
  await aTurn();
  expect(got.at(-1)).toBe('4');
  fourth?.end();
  await ask('5').taken;
});

test('a turn ends with the answer, even if the request was refused or failed', async () => {
  const turns = new Turns({ running: 1, waiting: 0 });
  const service = await startService({
    authorize: async ({ exchange }) => {
      await turns.take('a', exchange);
      return {};
    },
  });
  for (const query of [
    '{ integrationReadiness { idpIdentityAvailable } }',
    '{ connection(scope: 1) }',
    '{ connectn }',
  ]) {
    for (let n = 0; n < 3; n += 1) expect(codesOf(await service.ask(query)) ?? []).not.toContain('RATE_LIMITED');
  }
  await service.close();
});

test('of many simultaneous requests, only those over the queue limit are refused', async () => {
  const turns = new Turns({ running: 2, waiting: 3 });
  let running = 0;
  let most = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = await startService({
    authorize: async ({ exchange }) => {
      await turns.take('a', exchange);
      running += 1;
      most = Math.max(most, running);
      exchange.atEnd.push(() => {
        running -= 1;
      });
      await held;
      return {};
    },
  });
  const asked = Array.from({ length: 8 }, () => service.ask('{ integrationReadiness { idpIdentityAvailable } }'));
  let answered = 0;
  for (const one of asked) {
    void one.then(() => {
      answered += 1;
    });
  }
  await vi.waitFor(() => expect(answered).toBe(3));
  release();
  const codes = (await Promise.all(asked)).map((answer) => codesOf(answer)?.[0] ?? 'OK');
  expect(codes.filter((code) => code === 'OK')).toHaveLength(5);
  expect(most).toBe(2);
  await service.close();
});

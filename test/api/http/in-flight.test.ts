import { expect, test, vi } from 'vitest';
import type { Exchange } from '../../../src/api/http/exchange.ts';
import { InFlight } from '../../../src/api/http/in-flight.ts';
import { codesOf, startService } from '../service.ts';

const exchange = () => ({ atEnd: [] }) as unknown as Exchange & { atEnd: (() => void)[] };
const end = ({ atEnd }: Exchange) => atEnd.forEach((one) => void one());

test('an app has so many requests under way, and one more when one has ended', () => {
  const inFlight = new InFlight(2);
  const [first, second] = [exchange(), exchange()];
  inFlight.enter('a', first);
  inFlight.enter('a', second);
  expect(() => inFlight.enter('a', exchange())).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }),
  );
  expect(() => inFlight.enter('b', exchange())).not.toThrow();
  end(first);
  expect(() => inFlight.enter('a', exchange())).not.toThrow();
  expect(() => inFlight.enter('a', exchange())).toThrow('under way');
});

test('a request ends with its answer, whether it worked, was refused or failed', async () => {
  const inFlight = new InFlight(1);
  const service = await startService({
    authorize: async (_authorization, one) => {
      inFlight.enter('a', one);
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

test('requests of one app at the same time are bounded, and the rest told to come again', async () => {
  const inFlight = new InFlight(3);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = await startService({
    authorize: async (_authorization, one) => {
      inFlight.enter('a', one);
      await held;
      return {};
    },
  });
  const asked = Array.from({ length: 8 }, () => service.ask('{ integrationReadiness { idpIdentityAvailable } }'));
  let answered = 0;
  for (const one of asked) void one.then(() => void answered++);
  await vi.waitFor(() => expect(answered).toBe(5));
  release();
  const codes = (await Promise.all(asked)).map((answer) => codesOf(answer)?.[0] ?? 'OK');
  expect(codes.toSorted()).toEqual(['OK', 'OK', 'OK', ...Array.from({ length: 5 }, () => 'RATE_LIMITED')]);
  await service.close();
});

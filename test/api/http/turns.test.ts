import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../../src/api/http/turns.ts';
import { codesOf, startService } from '../../kit/graphql-service.ts';

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

test('requests of one app wait for each other, and delay none of another app', async () => {
  const turns = new Turns({ running: 1, waiting: 10 });
  const got: string[] = [];
  const ask = (app: string) => {
    const atEnd: (() => void)[] = [];
    void turns.take(app, { atEnd }).then(() => got.push(app));
    return () => atEnd.forEach((one) => void one());
  };
  const end = ask('one');
  ask('one');
  ask('other');
  await aTurn();
  expect(got).toEqual(['one', 'other']);
  end();
  await aTurn();
  expect(got).toEqual(['one', 'other', 'one']);
});

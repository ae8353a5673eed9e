import type { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createGuardedLookup } from '../../src/providers/guarded-connector.ts';
import { isPublicAddress } from '../../src/providers/public-address.ts';

type Found = { address: string; family: number };

/** A name server that gives this answer for every name. */
const answering = (...addresses: string[]) =>
  ((_name: string, _options: object, callback: (error: null, found: Found[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

const ask = (all: boolean, ...addresses: string[]) =>
  promisify<unknown>((done) =>
    createGuardedLookup(isPublicAddress, answering(...addresses))('platform.example', { all }, (error, found) =>
      done(error, found),
    ),
  )();

test('only the public addresses of a mixed answer are tried', async () => {
  const mixed = ['127.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2a00:1450::1', '169.254.169.254'];
  expect(await ask(true, ...mixed)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2a00:1450::1', family: 6 },
  ]);
  expect(await ask(false, ...mixed)).toBe('8.8.8.8');
});

test('an answer without a public address is refused, and so is an empty one', async () => {
  for (const addresses of [['10.0.0.1', 'fd00::1'], ['::1'], []]) {
    await expect(ask(true, ...addresses)).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  }
});

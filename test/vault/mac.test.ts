import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMac } from '../../src/vault/mac.ts';

const key = (kid: string) => ({ kid, kty: 'oct', k: randomBytes(32).toString('base64url') });

const mac = createMac({ keys: [key('k1')] });

test('a keyed hash made for one purpose serves no other', () => {
  const made = mac.of('receipt', 'a');
  expect(mac.verify(made, 'receipt', 'a')).toBe(true);
  expect(mac.verify(made, 'cursor', 'a')).toBe(false);
  expect(mac.verify(made, 'receipt', 'b')).toBe(false);
});

test('a keyed hash distinguishes parts by their borders', () => {
  expect(mac.of('p', 'ab', 'c')).not.toEqual(mac.of('p', 'a', 'bc'));
  expect(mac.of('p', 'a"', '"b')).not.toEqual(mac.of('p', 'a', '""b'));
  expect(mac.of('p', 'a')).not.toEqual(mac.of('p', 'a', ''));
});

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMac } from '../../src/vault/mac.ts';

const key = (kid: string, bytes = 32) => ({ kid, kty: 'oct', k: randomBytes(bytes).toString('base64url') });

describe('a keyed hash', () => {
  const mac = createMac({ keys: [key('k1')] });

  test('is the same for the same parts, and 32 bytes long', () => {
    expect(mac.of('receipt', 'a', 'b')).toEqual(mac.of('receipt', 'a', 'b'));
    expect(mac.of('receipt', 'a', 'b')).toHaveLength(32);
  });

  test('made for one purpose serves no other', () => {
    const made = mac.of('receipt', 'a');
    expect(mac.verify(made, 'receipt', 'a')).toBe(true);
    expect(mac.verify(made, 'cursor', 'a')).toBe(false);
    expect(mac.verify(made, 'receipt', 'b')).toBe(false);
  });

  test('distinguishes parts by their borders', () => {
    expect(mac.of('p', 'ab', 'c')).not.toEqual(mac.of('p', 'a', 'bc'));
    expect(mac.of('p', 'a"', '"b')).not.toEqual(mac.of('p', 'a', '""b'));
    expect(mac.of('p', 'a')).not.toEqual(mac.of('p', 'a', ''));
  });

  test('refuses a hash of another length', () => {
    const made = mac.of('p', 'a');
    for (const wrong of [Buffer.alloc(0), made.subarray(1), Buffer.concat([made, made])]) {
      expect(mac.verify(wrong, 'p', 'a')).toBe(false);
    }
  });

  test('uses the current key, and is found with every configured key', () => {
    const [old, current] = [key('old'), key('current')];
    const before = createMac({ keys: [old] }).of('p', 'a');
    const rotated = createMac({ keys: [current, old] });
    expect(rotated.of('p', 'a')).not.toEqual(before);
    expect(rotated.verify(before, 'p', 'a')).toBe(true);
    expect(rotated.allOf('p', 'a')).toEqual([rotated.of('p', 'a'), before]);
    expect(createMac({ keys: [current] }).verify(before, 'p', 'a')).toBe(false);
  });

  test('needs a key of at least 256 bits, and names a shorter one by its id only', () => {
    const short = key('short', 31);
    expect(() => createMac({ keys: [short] })).toThrow('MAC key short must be');
    expect(() => createMac({ keys: [short] })).not.toThrow(short.k);
    expect(() => createMac({ keys: [{ kid: 'pair', kty: 'EC' }] })).toThrow('MAC key pair must be');
    expect(() => createMac({ keys: [] }).of('p')).toThrow('at least one key');
  });
});

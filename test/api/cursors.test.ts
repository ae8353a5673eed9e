import { expect, test } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { readCursor, writeCursor } from '../../src/api/cursors.ts';
import { createMac } from '../../src/vault/mac.ts';

test('a cursor has 4,096 characters at most', async () => {
  const mac = createMac(JSON.parse((await makeKeys()).VAULT_MAC_KEYS));
  const binding = { kind: 'continuation', of: ['app'] } as const;
  // 32 bytes of the hash, and the text in its brackets and quotes.
  const [longest, longer] = [3_036, 3_037].map((length) => writeCursor(mac, binding, ['x'.repeat(length)]));
  expect([longest?.length, longer?.length]).toEqual([4_096, 4_098]);
  expect(readCursor(mac, binding, longest ?? '', 'after')).toEqual(['x'.repeat(3_036)]);
  expect(() => readCursor(mac, binding, longer ?? '', 'after')).toThrow('is not a cursor');
});

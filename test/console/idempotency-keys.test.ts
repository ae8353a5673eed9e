import { expect, test } from 'vitest';
import { createIdempotencyKeys } from '../../console/src/admin-client/idempotency-keys.ts';

test('a request that repeats without an answer keeps its key, and any other request gets a new one', () => {
  const fresh = ['key-1', 'key-2', 'key-3'];
  const keys = createIdempotencyKeys(() => fresh.shift() ?? 'none left');
  expect(keys.keyFor('a')).toBe('key-1');
  expect(keys.keyFor('a')).toBe('key-1');
  expect(keys.keyFor('b')).toBe('key-2');
  keys.answered();
  expect(keys.keyFor('b')).toBe('key-3');
});

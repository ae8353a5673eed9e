import { expect, test } from 'vitest';
import { createKeysOfMaking } from '../../src/console/ask/keys-of-making.ts';

test('what is sent again without an answer has the same key, and anything else another one', () => {
  const fresh = ['key-1', 'key-2', 'key-3'];
  const keys = createKeysOfMaking(() => fresh.shift() ?? 'none left');
  expect(keys.keyFor('a')).toBe('key-1');
  expect(keys.keyFor('a')).toBe('key-1');
  expect(keys.keyFor('b')).toBe('key-2');
  keys.answered();
  expect(keys.keyFor('b')).toBe('key-3');
});

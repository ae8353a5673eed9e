import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/providers/json.ts';

test('keeps the digits of an integer that a double would round', () => {
  expect(parseJson('{"id":9007199254740993,"list":[-123456789012345678901],"small":42}')).toEqual({
    id: '9007199254740993',
    list: ['-123456789012345678901'],
    small: 42,
  });
});

test('returns undefined for text that is not JSON', () => {
  for (const text of ['', '<html>', '{"a":', '{"a":"9007199254740993', '"\\']) expect(parseJson(text)).toBeUndefined();
});

test('reads JSON without long integers exactly as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value, (_key, inner: unknown) =>
        typeof inner === 'number' && Math.abs(inner) >= 1e15 && Math.abs(inner) < 1e21 ? 0 : inner,
      );
      fc.pre(!/\\u(?:0000|d[89a-f])/i.test(text) && !text.includes('__proto__'));
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('replaces characters that Postgres cannot store, in keys too, and leaves every other one', () => {
  expect(parseJson('{"nul\\u0000":["a\\u0000b","\\ud83d","\\ude00 x","\\ud83d\\ude00","é\\n\\t"]}')).toEqual({
    'nul\ufffd': ['a\ufffdb', '\ufffd', '\ufffd x', '😀', 'é\n\t'],
  });
});

test('never treats a key as the prototype', () => {
  const read = parseJson('{"__proto__":{"polluted":true},"constructor":1,"inner":{"__proto__":{"polluted":true}}}');
  expect(read).toEqual({ constructor: 1, inner: {} });
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(read).not.toHaveProperty('polluted');
});

test('rejects text that is nested too deep or too long', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(parseJson(nested(50))).toBeDefined();
  for (const levels of [51, 5_000, 1_000_000]) expect(parseJson(nested(levels))).toBeUndefined();
  expect(parseJson(JSON.stringify(Array(1_000).fill(1)))).toHaveLength(1_000);
  expect(parseJson(JSON.stringify(Array(1_001).fill(1)))).toBeUndefined();
  const keys = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, 1]));
  expect(parseJson(JSON.stringify(keys))).toBeUndefined();
});

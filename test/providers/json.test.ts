import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/providers/json.ts';

test('keeps the digits of an integer a double would round', () => {
  expect(parseJson('{"id":9007199254740993,"list":[-123456789012345678901],"small":42}')).toEqual({
    id: '9007199254740993',
    list: ['-123456789012345678901'],
    small: 42,
  });
});

test('leaves fractions, exponents and text alone', () => {
  const text =
    '{"f":1.1234567890123456789,"e":12345678901234567e3,"s":"id: 9007199254740993","q":"\\"9007199254740993,"}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('says undefined for what is not JSON', () => {
  for (const text of ['', '<html>', '{"a":', '{"a":"9007199254740993', '"\\']) expect(parseJson(text)).toBeUndefined();
});

test('reads whatever JSON without long integers exactly as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value, (_key, inner: unknown) =>
        typeof inner === 'number' && Math.abs(inner) >= 1e15 && Math.abs(inner) < 1e21 ? 0 : inner,
      );
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('takes one pass over a text that only looks like strings', () => {
  const text = `"${'\\"'.repeat(500_000)}`;
  const startedAt = performance.now();
  expect(parseJson(text)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

import { describe, expect, test } from 'vitest';
import {
  wireCount,
  wireCursor,
  wireId,
  wireInstant,
  wireList,
  wireSeconds,
  wireToken,
} from '../../src/providers/answers.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('a value from a platform is accepted up to its limit and not beyond', () => {
  test.each([
    ['an id of 1 character', wireId, 'x', true],
    ['an id of 255', wireId, 'x'.repeat(255), true],
    ['an id of 256', wireId, 'x'.repeat(256), false],
    ['an id with a space', wireId, 'a b', false],
    ['an id that is a fraction', wireId, 1.5, false],
    ['a token of 8192 characters', wireToken, 'x'.repeat(8192), true],
    ['a token of 8193', wireToken, 'x'.repeat(8193), false],
    ['an empty token', wireToken, '', false],
    ['a cursor of 1 character', wireCursor, 'x', true],
    ['an empty cursor', wireCursor, '', false],
    ['a cursor of 2048', wireCursor, 'x'.repeat(2048), true],
    ['a cursor of 2049', wireCursor, 'x'.repeat(2049), false],
    ['a list of 100', wireList(wireId), Array(100).fill('x'), true],
    ['a list of 101', wireList(wireId), Array(101).fill('x'), false],
    ['0 seconds', wireSeconds, 0, true],
    ['a billion seconds in digits', wireSeconds, '1000000000', true],
    ['more than a billion seconds', wireSeconds, 1_000_000_001, false],
    ['negative seconds', wireSeconds, -1, false],
    ['the first instant', wireInstant, '1970-01-01T00:00:00Z', true],
    ['an instant before 1970', wireInstant, '1969-12-31T23:59:59.999Z', false],
    ['the last instant', wireInstant, '9999-12-31T23:59:59.999Z', true],
    ['an instant after the year 9999', wireInstant, '9999-12-31T23:59:59-00:01', false],
    ['an instant of a 13th month', wireInstant, '2026-13-01T00:00:00Z', false],
  ] as const)('%s', (_name, schema, value, accepted) => {
    expect(schema.safeParse(value).success).toBe(accepted);
  });

  test('a zone without a colon is the same instant', () => {
    expect(wireInstant.parse('2026-11-21T14:00:00+0200')).toEqual(NOW);
  });
});

test.each([
  [7, '7'],
  ['007', '7'],
  ['9'.repeat(30), '9'.repeat(30)],
  ['9'.repeat(31), null],
  [-1, null],
  [1.5, null],
  [2 ** 53, null],
  ['', null],
  [true, null],
  [null, null],
  [undefined, null],
])('a count of %s reads as %s', (value, expected) => {
  expect(wireCount.parse(value)).toBe(expected);
});

import { describe, expect, test } from 'vitest';
import type { ProviderErrorType } from '../../src/basics/codes.ts';
import {
  addSeconds,
  classifyUnknownAnswer,
  createFailure,
  isWithin,
  judgeClient,
  readRetryAfter,
  wireCount,
  wireCursor,
  wireId,
  wireInstant,
  wireList,
  wireSeconds,
  wireToken,
} from '../../src/providers/answers.ts';
import type { HttpAnswer } from '../../src/providers/http.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const answer = (status: number, text: string, headers: Record<string, string> = {}) =>
  ({ status, text, headers }) as HttpAnswer;

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

test.each([
  ['17', 17],
  [' 17 ', 17],
  ['Sat, 21 Nov 2026 12:01:30 GMT', 90],
  ['Saturday, 21-Nov-26 12:01:30 GMT', 90],
  ['Sat Nov 21 12:01:30 2026', 90],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['1.5', undefined],
  ['Sat, 21 Nov 2026 14:00:00 GMT', 7_200],
  ['-1', undefined],
  ['soon', undefined],
  ['', undefined],
])('Retry-After of "%s" is %s seconds', (value, expected) => {
  expect(readRetryAfter(answer(503, '', { 'retry-after': value }), NOW).retryAfterSeconds).toBe(expected);
});

test('an answer without Retry-After gives no delay', () => {
  expect(readRetryAfter(answer(503, ''), NOW)).toEqual({});
});

test.each<[number, string, ProviderErrorType]>([
  [199, '{}', 'RetryLater'],
  [200, '{}', 'ContractBroken'],
  [299, '{}', 'ContractBroken'],
  [300, '{}', 'RetryLater'],
  [200, '<html>', 'RetryLater'],
  [429, '<html>', 'PlatformLimit'],
])('an unknown answer of status %i with %s is %s', (status, text, type) => {
  expect(classifyUnknownAnswer(answer(status, text), 'here', NOW)).toMatchObject({ type, status });
});

test('a probe returns whether our client was accepted', () => {
  expect(judgeClient(createFailure('GrantDead', 'here'))).toEqual({ verdict: 'TAKEN' });
  const refusal = createFailure('ClientRejected', 'here');
  expect(judgeClient(refusal)).toEqual({ verdict: 'REFUSED', refusal });
  expect(judgeClient(createFailure('ContractBroken', 'here'))).toEqual({ verdict: 'UNCLEAR' });
  expect(judgeClient(undefined)).toEqual({ verdict: 'UNCLEAR' });
  for (const type of ['RetryLater', 'PlatformLimit'] as const)
    expect(() => judgeClient(createFailure(type, 'here'))).toThrow('here');
});

test('a post is in a window from its first instant up to, but not at, its last', () => {
  const window = { publishedAfter: NOW, publishedBefore: new Date(NOW.getTime() + 1000) };
  expect(isWithin(window.publishedAfter, window)).toBe(true);
  expect(isWithin(new Date(NOW.getTime() + 999), window)).toBe(true);
  expect(isWithin(window.publishedBefore, window)).toBe(false);
  expect(isWithin(new Date(NOW.getTime() - 1), window)).toBe(false);
  expect(isWithin(null, window)).toBe(false);
});

test('seconds after an instant are exact', () => {
  expect(addSeconds(NOW, 90)).toEqual(new Date('2026-11-21T12:01:30.000Z'));
});

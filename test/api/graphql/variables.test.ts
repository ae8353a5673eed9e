import { describe, expect, test } from 'vitest';
import { type Answer, codesOf, messagesOf, useService } from '../../kit/graphql-service.ts';

/** Answers longer than this would make an attack cheaper than its answer. */
const MOST_BYTES = 8 * 1024;
const READ = 'query ($scope: SubjectScope!) { connections(scope: $scope) { pageInfo { endCursor } } }';
const SCOPE = { tenantKey: 't', externalSubjectId: 's' };

const members = (count: number, of: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

const service = useService();

const expectRefused = (answer: Answer, message: string | RegExp) => {
  expect({ status: answer.status, codes: codesOf(answer) }).toEqual({ status: 400, codes: ['BAD_USER_INPUT'] });
  expect(messagesOf(answer)[0]).toMatch(message);
  expect(JSON.stringify(answer.body).length).toBeLessThan(MOST_BYTES);
};

describe('variables over a bound are refused with one sentence that names field and bound', () => {
  test.each([
    [
      'unknown keys',
      { scope: { ...SCOPE, ...members(5_000, (n) => [`k${n}`, 1]) } },
      /^variables must hold at most 250 values\.$/,
    ],
    [
      'elements',
      { scope: SCOPE, x: { list: Array(101).fill(1) } },
      /^variables\.x\.list must have at most 100 elements\.$/,
    ],
    ['levels', { scope: nested(8) }, /^variables\.scope(\.a)+ must be nested at most 8 deep\.$/],
  ])('%s', async (_name, variables, message) => {
    for (let use = 1; use <= 4; use += 1) expectRefused(await service.ask(READ, { variables }), message);
  });

  test('the largest ones that fit are answered', async () => {
    const variables = { scope: SCOPE, list: Array(100).fill(1), more: members(140, (n) => [`k${n}`, 1]) };
    expect((await service.ask(READ, { variables })).status).toBe(200);
    expect((await service.ask(READ, { variables: { scope: SCOPE, deep: nested(7) } })).status).toBe(200);
  });
});

test('an alias has at most 64 characters, because the answer repeats it for each item', async () => {
  const aliased = (length: number) =>
    service.ask(`{ content(scope: { tenantKey: "t", externalSubjectId: "s" }, connectionId: "c",
    window: { publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "2026-01-02T00:00:00Z", first: 50 })
    { pageInfo { ${'a'.repeat(length)}: hasNextPage } } }`);
  expect((await aliased(64)).status).toBe(200);
  expectRefused(await aliased(65), /limit of 64 characters of an alias/);
  const spread = await service.ask(`{ status { ...F } } fragment F on ApiStatus { ${'a'.repeat(65)}: ok }`);
  expectRefused(spread, /limit of 64 characters of an alias/);
});

import { expect, test } from 'vitest';
import { codesOf, messagesOf, useService } from '../../kit/graphql-service.ts';

const service = useService();

const fields = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(' ');

test.each([
  [
    'count at every spread of their fragment',
    '{ status { ...F } ...G } fragment G on Query { status { ...F } integrationReadiness { providers { a: available } } } fragment F on ApiStatus { a: ok b: ok c: ok d: ok }',
    /alias limit of 8/,
  ],
  [
    'count as deep as their fragments are spread',
    `{ __schema { types { ofType { ...A } } } } fragment A on __Type { ofType { ofType { ...B } } }
     fragment B on __Type { ofType { ofType { ofType { name } } } }`,
    /depth limit of 8/,
  ],
  ['cost the same if skipped', `{ status { ${fields(91, () => 'ok @skip(if: true)')} ok } }`, /cost limit of 100/],
])('fields %s', async (_what, query, limit) => {
  const answer = await service.ask(query);
  expect({ status: answer.status, codes: new Set(codesOf(answer)) }).toEqual({
    status: 400,
    codes: new Set(['BAD_USER_INPUT']),
  });
  expect(messagesOf(answer).some((message) => limit.test(message))).toBe(true);
  expect(answer.body).not.toHaveProperty('data');
});

test('50 fragments are answered, and one more is refused, also if they have one name', async () => {
  const used = (count: number) =>
    `{ status { ${fields(count, (n) => `...F${n}`)} } } ${fields(count, (n) => `fragment F${n} on ApiStatus { ok }`)}`;
  expect((await service.ask(used(50))).status).toBe(200);
  const equal = fields(51, () => 'fragment F on ApiStatus { ok }');
  for (const query of [used(51), `{ status { ok } } ${equal}`]) {
    const answer = await service.ask(query);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)).toEqual(['The request exceeds the limit of 50 fragments.']);
  }
});

const doubling = (count: number) => fields(count, (n) => `fragment F${n} on ApiStatus { ...F${n + 1} ...F${n + 1} }`);

test.each([
  ['fragments that double 200 times', `{ status { ...F0 } } ${doubling(200)} fragment F200 on ApiStatus { ok }`],
  ['fragments that double 48 times', `{ status { ...F0 } } ${doubling(48)} fragment F48 on ApiStatus { ok }`],
  [
    'fragments in a cycle',
    '{ status { ...A } } fragment A on ApiStatus { ok ...B } fragment B on ApiStatus { ok ...A }',
  ],
  ['a long cycle of fragments', `{ status { ...F0 } } ${doubling(200)} fragment F200 on ApiStatus { ...F0 }`],
  ['thousands of overlapping fields', `{ status { ${fields(20_000, () => 'ok')} } }`],
  ['inline fragments just below the token limit', `{ status { ok ${'... { ok '.repeat(900)} ${'}'.repeat(900)} } }`],
  [
    'a list just below the token limit',
    `{ connections(first: ${'['.repeat(1_900)}${']'.repeat(1_900)}) { items { id } } }`,
  ],
])('a document designed to take long is refused at once: %s', async (_what, query) => {
  const before = process.cpuUsage();
  const answer = await service.ask(query);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
  expect(answer.status).toBe(400);
  expect(new Set(codesOf(answer))).toEqual(new Set(['BAD_USER_INPUT']));
});

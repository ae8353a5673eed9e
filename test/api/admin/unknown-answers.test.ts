import { expect } from 'vitest';
import { MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { createTestAdmin, type Operator, refusalOf } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { newSeenAnswer, seeAnswer } from '../../kit/seed.ts';

const LIST = `query ($p: SocialProvider, $n: Int, $a: String) { unknownAnswers(provider: $p, first: $n, after: $a) {
  items { id provider request status code text madeOfIt times firstSeenAt lastSeenAt } pageInfo { endCursor hasNextPage }
} }`;
const DISMISS = 'mutation ($id: ID!) { dismissUnknownAnswer(id: $id) { code } }';

async function readAll(operator: Operator, provider?: string) {
  const items = [];
  let after: string | null = null;
  do {
    const { unknownAnswers } = await operator(LIST, { p: provider, n: 2, a: after });
    items.push(...unknownAnswers.items);
    after = unknownAnswers.pageInfo.hasNextPage ? unknownAnswers.pageInfo.endCursor : null;
  } while (after !== null);
  return items;
}

test('lists unknown answers, those first seen last first, page by page and by provider', async ({ sql }) => {
  const operator = (await createTestAdmin(sql)).as('VIEWER');
  const answers = [
    newSeenAnswer({ provider: 'PROVIDER_A', place: 'PROVIDER_A videos' }),
    newSeenAnswer(),
    newSeenAnswer({ text: '' }),
  ];
  for (const answer of answers) {
    await moveClock(sql, MINUTE_MS);
    await seeAnswer(sql, answer, 1);
  }
  await moveClock(sql, MINUTE_MS);
  const [first, second, third] = answers;
  if (first === undefined) throw new Error('There are too few.');
  await seeAnswer(sql, first, 4); // Seen again, it keeps its place.
  await moveClock(sql, -4 * MINUTE_MS);
  const codes = answers.map(({ code }) => code);
  const ours = (await readAll(operator)).filter(({ code }) => codes.includes(code));
  expect(ours.map(({ code }) => code)).toEqual([third?.code, second?.code, first.code]);
  const { place: request, ...rest } = first;
  const shown = { ...rest, request, id: expect.any(String), times: 5 };
  expect(ours[2]).toEqual({ ...shown, firstSeenAt: expect.any(String), lastSeenAt: expect.any(String) });
  expect(ours[2].lastSeenAt > ours[2].firstSeenAt).toBe(true);
  const ofB = (await readAll(operator, 'PROVIDER_B')).filter(({ code }) => codes.includes(code));
  expect(ofB.map(({ code }) => code)).toEqual([third?.code, second?.code]);
});

test('dismisses one: the others stay, and it counts as new if it comes again', async ({ sql }) => {
  const admin = await createTestAdmin(sql);
  const [one, other] = [newSeenAnswer(), newSeenAnswer()];
  for (const answer of [one, other]) await seeAnswer(sql, answer, 1);
  const idOf = async ({ code }: { code: string }) =>
    (await readAll(admin.as('VIEWER'))).find((item) => item.code === code)?.id;
  const id = await idOf(one);
  expect(await refusalOf(admin.as('VIEWER')(DISMISS, { id }))).toMatchObject({ code: 'FORBIDDEN' });
  expect(await admin.as('OPERATOR')(DISMISS, { id })).toEqual({ dismissUnknownAnswer: { code: one.code } });
  expect([await idOf(one), await idOf(other)]).toEqual([undefined, expect.any(String)]);
  expect(await refusalOf(admin.as('OPERATOR')(DISMISS, { id }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await seeAnswer(sql, one, 1)).toBe('FIRST');
});

import { expect } from 'vitest';
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

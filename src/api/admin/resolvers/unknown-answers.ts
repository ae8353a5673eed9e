import * as store from '../../../store/unknown-answers.ts';
import type { Mutations, Queries } from '../contract.ts';
import { readPage } from '../pages.ts';
import { getExisting } from './lookups.ts';

const toUnknownAnswer = ({ unknownAnswerId, place, ...answer }: store.UnknownAnswer) => ({
  id: unknownAnswerId,
  request: place,
  ...answer,
});

export const Query = {
  unknownAnswers: async ({ provider, ...page }, { mac, sql }) =>
    await readPage(
      mac,
      'unknownAnswers',
      { ...page, filter: { provider } },
      {
        list: (asked) => store.listUnknownAnswers(sql, { provider, ...asked }),
        place: (row) => [row.firstSeenAt, row.unknownAnswerId],
        show: (rows) => rows.map(toUnknownAnswer),
      },
    ),
} satisfies Partial<Queries>;

export const Mutation = {
  dismissUnknownAnswer: async ({ id }, { sql }) =>
    toUnknownAnswer(await getExisting('answer', id, (known) => store.deleteUnknownAnswer(sql, known))),
} satisfies Partial<Mutations>;

import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import * as store from '../../../store/unknown-answers.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage, readPageCursor } from '../pages.ts';
import { getExisting } from './lookups.ts';

export const unknownAnswers: QueryResolvers<AdminContext>['unknownAnswers'] = async (_root, given, { mac, sql }) => {
  const { provider, first, after } = parseArgs(args.UnknownAnswersArgs, given);
  const listing = bindListing('unknownAnswers', { provider });
  const page = { provider, limit: first + 1, after: readPageCursor(mac, listing, after) };
  const rows = await store.listUnknownAnswers(sql, page);
  const place = (row: store.UnknownAnswer) => [row.firstSeenAt.toISOString(), row.unknownAnswerId];
  return buildPage(mac, listing, { rows, first }, place, toUnknownAnswer);
};

export const dismissUnknownAnswer: MutationResolvers<MutationContext>['dismissUnknownAnswer'] = async (
  _root,
  given,
  { sql },
) => {
  const { id } = parseArgs(args.UnknownAnswerArgs, given);
  return toUnknownAnswer(await getExisting('answer', id, (known) => store.deleteUnknownAnswer(sql, known)));
};

const toUnknownAnswer = ({ unknownAnswerId, place, ...answer }: store.UnknownAnswer) => ({
  id: unknownAnswerId,
  request: place,
  ...answer,
});

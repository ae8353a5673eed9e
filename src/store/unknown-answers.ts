import { z } from 'zod';
import { PROVIDER_NAMES, type ProviderErrorType, type ProviderName } from '../basics/codes.ts';
import { newId, UnknownAnswerId } from '../basics/ids.ts';
import type { Sql } from './driver/sql.ts';
import type { NewestKey } from './newest-key.ts';
import { columnsOf, findRow, listRows } from './rows.ts';

/** Platforms have hundreds of error texts, but one that puts a new word into each must not fill the table. */
const MOST_EACH = 200;
/** Of answers that a person's browser brings, and can make up. They leave room for the others. */
const MOST_OF_BROWSERS = 20;

/** An answer that no adapter knows, as far as people may read it. */
export interface SeenAnswer {
  readonly provider: ProviderName;
  readonly place: string;
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly madeOfIt: ProviderErrorType;
}

/**
 * Stores that an answer came so many times more.
 * @returns `FIRST` if it was not known, `AGAIN` if it was, `FULL` if the provider has too many of them
 */
export async function noteUnknownAnswer(
  sql: Sql,
  { provider, place, status, code, text, madeOfIt }: SeenAnswer,
  times: number,
  { byBrowser = false }: { byBrowser?: boolean } = {},
): Promise<'FIRST' | 'AGAIN' | 'FULL'> {
  const isSame = sql`
    provider = ${provider} and place = ${place} and status = ${status} and code = ${code} and text = ${text}
  `;
  const [row] = await sql`
    insert into unknown_answer (unknown_answer_id, provider, place, status, code, text, made_of_it, times)
    select ${newId<UnknownAnswerId>()}, ${provider}, ${place}, ${status}, ${code}, ${text}, ${madeOfIt}, ${times}
    where exists (select from unknown_answer where ${isSame})
      or (select count(*) from unknown_answer where provider = ${provider} ${byBrowser ? sql`and place = ${place}` : sql``})
        < ${byBrowser ? MOST_OF_BROWSERS : MOST_EACH}
    on conflict (provider, place, status, code, text) do update set times = unknown_answer.times + excluded.times,
      last_seen_at = business_now(), made_of_it = excluded.made_of_it
    returning unknown_answer.times = ${times}::bigint as is_new
  `;
  if (row === undefined) return 'FULL';
  return row.isNew === true ? 'FIRST' : 'AGAIN';
}

const UnknownAnswer = z.object({
  unknownAnswerId: UnknownAnswerId,
  provider: z.enum(PROVIDER_NAMES),
  place: z.string(),
  status: z.number(),
  code: z.string(),
  text: z.string(),
  madeOfIt: z.string(),
  times: z.number(),
  firstSeenAt: z.date(),
  lastSeenAt: z.date(),
});
export type UnknownAnswer = z.infer<typeof UnknownAnswer>;

const columns = columnsOf('unknown_answer', UnknownAnswer, {
  times: (sql) => sql`least(times, 2147483647)::int`,
});

/** Those seen first last come first. */
export async function listUnknownAnswers(
  sql: Sql,
  { provider, limit, after }: { provider: ProviderName | null; limit: number; after: NewestKey | null },
): Promise<UnknownAnswer[]> {
  return await listRows(sql, UnknownAnswer)`
    select ${columns(sql)} from unknown_answer
    where ${provider === null ? sql`true` : sql`provider = ${provider}`}
      and ${after === null ? sql`true` : sql`(first_seen_at, unknown_answer_id) < (${after.at}, ${after.id})`}
    order by first_seen_at desc, unknown_answer_id desc limit ${limit}
  `;
}

/** An operator has seen it. It counts as new if it comes again. @returns undefined if there is none with this id */
export async function deleteUnknownAnswer(sql: Sql, id: UnknownAnswerId): Promise<UnknownAnswer | undefined> {
  return await findRow(sql, UnknownAnswer)`
    delete from unknown_answer where unknown_answer_id = ${id} returning ${columns(sql)}
  `;
}

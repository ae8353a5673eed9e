import { findRise } from '../history/growth.ts';
import type { Database } from '../kit/postgres.ts';

/** The tables that are meant to grow, and why. Everything else is flat once its rows' life is over. */
const MEANT: Readonly<Record<string, string>> = {
  account_grant: 'the last grant of each person who never comes back',
  admin_token: 'issued tokens stay, because the audit log names them',
  app_key: 'keys stay',
  audit_log: 'what operators did stays; their reads of persons a year',
  connection: 'people who never come back',
  coverage: 'accounts of people who never come back',
  content_item: 'ids of posts stay until the erase, and people publish',
  deletion_request: 'a year',
  erasure: 'a year',
  scope: 'people who never come back',
  webhook_sequence: 'connections of people who never come back',
};

/** Days after which a table is flat: the life of its rows, and ten days. */
const FLAT_AFTER: Readonly<Record<string, number>> = {
  'coverage of the connected': 40,
  ended_work_count: 45,
  journal_entry: 100,
  registration_usage: 100,
  unknown_answer: 40,
  webhook_delivery: 40,
  webhook_event: 40,
};
const USUALLY_FLAT_AFTER = 17;
/** A table is flat if the last third of the measurements has at most so many more rows than the third before. */
const MOST_GROWTH = 0.25;
const MOST_MORE = 8;
/** Fewer measurements show nothing. */
const LEAST_MEASURED = 6;

type Counts = Readonly<Record<string, number>>;

export async function countRows(sql: Database): Promise<Counts> {
  const tables = await sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not in ('test_clock', 'schema_migration') order by 1
  `;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql`select count(*)::int as count from ${sql(name)}`;
    counts[name] = row?.count;
  }
  const [covered] = await sql`
    select count(*)::int as count from coverage join connection using (connection_id) where status = 'CONNECTED'
  `;
  return { ...counts, 'coverage of the connected': covered?.count };
}

/** @param measured the counts of each day. @returns the tables that grow although they are not meant to */
export function findGrowing(measured: readonly Counts[]): string[] {
  return Object.keys(measured.at(-1) ?? {}).flatMap((name) => {
    if (name in MEANT) return [];
    const flat = measured.slice(FLAT_AFTER[name] ?? USUALLY_FLAT_AFTER).map((counts) => counts[name] ?? 0);
    if (flat.length < LEAST_MEASURED) return [];
    const rise = findRise(flat, (from) => from + Math.max(MOST_MORE, from * MOST_GROWTH));
    return rise === undefined ? [] : [`${name} grows: ${rise.from} and then ${rise.to}`];
  });
}

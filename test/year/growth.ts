import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
/** It is flat if the last third of the measurements has at most so much more than the third before. */
const MOST_GROWTH = 0.25;
const MOST_MORE = 8;
/** Fewer measurements show nothing. */
const LEAST_MEASURED = 6;

type Counts = Readonly<Record<string, number>>;

/** Counts the rows of each table, and what the service holds in this process. */
export async function count(sql: Database): Promise<Counts> {
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
  const [connected] = await sql`select count(*)::int as count from pg_stat_activity where datname = current_database()`;
  return {
    ...counts,
    'coverage of the connected': covered?.count,
    'connections to Postgres': connected?.count,
    'open handles': process.getActiveResourcesInfo().length,
    'MiB in memory': measureMemory(),
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function measureMemory(): number {
  collectGarbage();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
}

/** @param measured the counts of each day. @returns what grows although it is not meant to */
export function findGrowing(measured: readonly Counts[]): string[] {
  return Object.keys(measured.at(-1) ?? {}).flatMap((name) => {
    if (name in MEANT) return [];
    const flat = measured.slice(FLAT_AFTER[name] ?? USUALLY_FLAT_AFTER).map((counts) => counts[name] ?? 0);
    if (flat.length < LEAST_MEASURED) return [];
    // The last third and the third before it; before that they may grow. A median, so that one bad moment decides nothing.
    const third = Math.floor(flat.length / 3);
    const [from, to] = [median(flat.slice(-2 * third, -third)), median(flat.slice(-third))];
    return to > from + Math.max(MOST_MORE, from * MOST_GROWTH) ? [`${name} grows: ${from} and then ${to}`] : [];
  });
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

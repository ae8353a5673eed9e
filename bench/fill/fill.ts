import type { Database } from '../../src/store/driver/sql.ts';
import { attempts, connections, grants, scopes } from './accounts.ts';
import { coverage, posts } from './content.ts';
import { copyRows } from './copy.ts';
import { disconnectJobs, readJobs } from './jobs.ts';
import { auditLog, journalEntries, usage } from './records.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from './webhooks.ts';
import { type FilledApp, type FillKeys, type FillSizes, openWorld, SECOND, type Table, TENANT } from './world.ts';

/** The first of the apps that own the rows, all of them, and the number of rows by table. */
export interface Filled extends FilledApp {
  readonly apps: readonly FilledApp[];
  readonly tenantKey: string;
  readonly rows: Readonly<Record<string, number>>;
}

/** A fill with so many posts rebuilds the indexes of all tables. */
const REBUILD_FROM = 500_000;

/**
 * Fills a database as a year of use would: rows are in the order of time, those of one connection far apart. The given keys
 * seal the tokens, and every kind of row that a sweep lists exists, due and not yet due. The same sizes and seed produce the
 * same rows, except for the app, its clients and the clock.
 */
export async function fill(
  sql: Database,
  sizes: FillSizes,
  keys: FillKeys,
  say: (line: string) => void = () => undefined,
): Promise<Filled> {
  const world = await openWorld(sql, sizes, keys);
  const rows: Record<string, number> = {};
  for (const [name, { columns, made }] of Object.entries(TABLES)) {
    const startedAtMs = performance.now();
    const [table = name] = name.split('/');
    const isLarge = world.posts >= REBUILD_FROM;
    const count = await copyRows(sql, table, columns, made(world), { isLarge });
    rows[table] = (rows[table] ?? 0) + count;
    const seconds = (performance.now() - startedAtMs) / SECOND;
    say(`${name}: ${count} rows in ${seconds.toFixed(1)} s`);
  }
  // A trigger maintains the counts, and the fill disables triggers.
  await sql`delete from connection_count`;
  await sql`
    insert into connection_count (provider, status, change)
    select provider, status, count(*) from connection group by provider, status
  `;
  const connection = await sql.reserve();
  try {
    await connection`set statement_timeout = 0`;
    for (const table of Object.keys(rows)) await connection`vacuum (analyze) ${connection(table)}`;
  } finally {
    await connection`reset statement_timeout`;
    connection.release();
  }
  const { apps } = world;
  return { ...apps[0], apps, tenantKey: TENANT, rows };
}

/** The tables in order: each refers only to earlier ones. */
const TABLES: Readonly<Record<string, Table>> = {
  scope: scopes,
  connection: connections,
  account_grant: grants,
  connect_attempt: attempts,
  content_item: posts,
  coverage,
  read_job: readJobs,
  disconnect_job: disconnectJobs,
  audit_log: auditLog,
  journal_entry: journalEntries,
  registration_usage: usage,
  webhook_endpoint: webhookEndpoints,
  webhook_event: webhookEvents,
  webhook_delivery: webhookDeliveries,
};

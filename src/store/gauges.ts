import { z } from 'zod';
import { OPEN_JOB, PROVIDER_NAMES } from '../basics/codes.ts';
import { type Database, inTransaction, type Sql } from './driver/sql.ts';
import { listOpenTransactions, OpenTransactions } from './open-transactions.ts';
import { countConnections } from './overview.ts';
import { isUsed } from './registrations/registrations.ts';
import { findValue, listOf } from './rows.ts';

const provider = z.enum(PROVIDER_NAMES);
const count = z.number();
const kind = z.string();

/** The state of the service for metrics: counts by closed sets, ages in seconds. */
const Gauges = z.object({
  connections: z.array(z.object({ provider, status: z.string(), count })),
  /** Open jobs. */
  jobs: z.array(z.object({ kind, status: z.string(), count })),
  /**
   * Stuck jobs: open after a failed try, silent, or failed with tokens left to revoke. `open` counts the open ones, and
   * `oldestSeconds`, 0 without any, covers them: failed jobs do not age.
   */
  stuck: z.array(z.object({ kind, provider, count, open: count, oldestSeconds: z.number() })),
  outbox: z.object({
    count,
    refused: count,
    /** The age of the oldest entry of each lane; entries that Temporal refuses have no part in it. */
    oldestSeconds: z.object({ PERSON: z.number(), REQUEST: z.number(), BULK: z.number() }),
  }),
  /**
   * Endpoints by state. `oldestSeconds` covers due deliveries of endpoints that work, `failingSeconds` the endpoint that has failed
   * longest.
   */
  webhooks: z.object({
    working: count,
    failing: count,
    operator: count,
    gone: count,
    disabled: count,
    failingApps: count,
    failingSeconds: z.number(),
    oldestSeconds: z.number(),
  }),
  /** `oldestSeconds`: how late the automatic refresh is that has been due longest, of registrations that may be read. */
  refreshes: z.array(z.object({ provider, oldestSeconds: z.number() })),
  /** How late the upkeep is that has been due longest, and for how long the one has failed that has failed longest. */
  upkeep: z.array(z.object({ provider, lateSeconds: z.number(), failingSeconds: z.number() })),
  /** Age of the oldest fact that is not known to be in the erasure journal. */
  unwrittenSeconds: z.number(),
  registrations: z.array(
    z.object({
      provider,
      usable: count,
      paused: count,
      rejected: count,
      spent: count,
      doubted: count,
      idle: count.default(0),
    }),
  ),
  /** Database connections by process. Their state is `hidden` from a role that may not see other roles' sessions. */
  sessions: z.array(z.object({ process: z.string(), state: z.string(), count })),
  /** The open transactions of all clients, and the age of the oldest. An older version has measured neither. */
  transactions: OpenTransactions.default({}),
  oldestTransactionSeconds: z.number().default(0),
});
export type Gauges = z.infer<typeof Gauges>;

/** The greatest age of a snapshot before a worker measures again. */
const FRESH = '60 seconds';

/** The latest snapshot. One worker at a time measures, at most once a minute; the others wait for its result. */
export async function getGauges(sql: Database): Promise<Gauges> {
  const fresh = await findFresh(sql);
  if (fresh !== undefined) return fresh;
  return await inTransaction(sql, async (tx) => {
    await tx`select from gauge_snapshot for no key update`;
    return (await findFresh(tx)) ?? (await remeasure(tx));
  });
}

async function findFresh(sql: Sql): Promise<Gauges | undefined> {
  return await findValue(sql, Gauges)`
    select state from gauge_snapshot
    where measured_at > business_now() - ${FRESH}::interval and measured_at <= business_now()
  `;
}

async function remeasure(sql: Sql): Promise<Gauges> {
  const [before] = await sql`select state -> 'transactions' as transactions from gauge_snapshot`;
  const gauges = await measureGauges(sql, OpenTransactions.catch({}).parse(before?.transactions));
  await sql`update gauge_snapshot set measured_at = business_now(), state = ${sql.json(gauges)}`;
  return gauges;
}

/** The cost depends on open and recently failed jobs, not on all rows. @internal */
export async function measureGauges(sql: Sql, transactionsBefore: OpenTransactions = {}): Promise<Gauges> {
  const [
    transactions,
    connections,
    jobs,
    stuck,
    outbox,
    webhooks,
    refreshes,
    upkeep,
    journal,
    registrations,
    sessions,
  ] = await Promise.all([
    listOpenTransactions(sql, transactionsBefore),
    countConnections(sql),
    sql`
      select kind, status, count(*)::int as count from (
        select kind, status from read_job where status in ${listOf(sql, OPEN_JOB)}
        union all
        select kind, status from disconnect_job where status in ${listOf(sql, OPEN_JOB)}
      ) job group by kind, status
    `,
    // Two parts with an index each: few of all jobs are open or failed.
    sql`
      select kind, provider, count(*)::int as count, count(*) filter (where open)::int as open,
        coalesce(extract(epoch from business_now() - min(stuck_since) filter (where open)), 0)::float8 as oldest_seconds
      from (
        select kind, provider, stuck_since, open from admin_job where status in ${listOf(sql, OPEN_JOB)} and stuck
        union all
        select kind, provider, stuck_since, open from admin_job where status = 'FAILED' and revocable
      ) job group by kind, provider
    `,
    sql`
      select count(*)::int as count, count(*) filter (where refusals > 0)::int as refused,
        jsonb_build_object(
          'PERSON', coalesce(extract(epoch from business_now() - min(created_at) filter (where lane = 1)), 0),
          'REQUEST', coalesce(extract(epoch from business_now() - min(created_at) filter (where lane = 2)), 0),
          'BULK', coalesce(extract(epoch from business_now() - min(created_at) filter (where lane = 3)), 0)
        ) as oldest_seconds
      from outbox
    `,
    sql`
      select count(*) filter (where enabled and failing_since is null)::int as working,
        count(*) filter (where enabled and failing_since is not null)::int as failing,
        count(*) filter (where disabled_reason = 'OPERATOR')::int as operator,
        count(*) filter (where disabled_reason = 'GONE')::int as gone,
        count(*) filter (where disabled_reason = 'FAILING')::int as disabled,
        count(distinct app_id) filter (where enabled and failing_since is not null)::int as failing_apps,
        greatest(0, extract(epoch from business_now() - min(failing_since) filter (where enabled)))::float8 as failing_seconds,
        greatest(0, extract(epoch from business_now() - min((
          -- One delivery of each endpoint, by its index.
          select min(next_retry_at) from webhook_delivery d where d.endpoint_id = e.endpoint_id and status = 'PENDING'
        )) filter (where enabled and failing_since is null and paused_until is null)))::float8 as oldest_seconds
      from webhook_endpoint e
    `,
    sql`
      select provider, greatest(0, extract(epoch from business_now() - min((
          -- One connection of each app at each registration, by its index.
          select min(refresh_due_at) from connection c
          where c.registration_id = r.registration_id and c.app_id = s.app_id and status = 'CONNECTED'
        ))))::float8 as oldest_seconds
      from registration r left join registration_app s using (registration_id)
      where paused_at is null and rejected_at is null group by provider
    `,
    sql`
      select provider, -- One connection of each app at each provider, by its index.
        greatest(0, extract(epoch from business_now() - (select min((
          select min(upkeep_due_at) from connection c
          where c.provider = p.provider and c.app_id = app.app_id and status = 'CONNECTED'
        )) from app)))::float8 as late_seconds,
        greatest(0, extract(epoch from business_now() - (
          select min(upkeep_failing_since) from connection c where c.provider = p.provider and status = 'CONNECTED'
        )))::float8 as failing_seconds
      from unnest(${[...PROVIDER_NAMES]}::text[]) as p (provider)
    `,
    sql`
      select coalesce(extract(epoch from business_now() - min(happened_at)), 0)::float8 as oldest_seconds
      from journal_entry
    `,
    sql`
      select provider, count(*) filter (where paused_at is null and rejected_at is null
          and coalesce(quota_spent_until <= business_now(), true))::int as usable,
        count(*) filter (where paused_at is not null)::int as paused,
        -- After a pause an operator knows it.
        count(*) filter (where rejected_at is not null and paused_at is null and ${isUsed(sql)})::int as rejected,
        count(*) filter (where quota_spent_until > business_now())::int as spent,
        count(*) filter (where downgrades_held_at is not null)::int as doubted,
        count(*) filter (where paused_at is null and coalesce(last_success_at, created_at) <= business_now() - interval '21 days'
          and exists (select from registration_app a where a.registration_id = r.registration_id))::int as idle
      from registration r group by provider
    `,
    sql`
      select application_name as process, coalesce(state, 'hidden') as state, count(*)::int as count
      from pg_stat_activity where datname = current_database() and application_name in ('api', 'worker')
      group by 1, 2
    `,
  ]);
  return Gauges.parse({
    connections,
    jobs,
    stuck,
    outbox: outbox[0],
    webhooks: webhooks[0],
    refreshes,
    upkeep,
    unwrittenSeconds: journal[0]?.oldestSeconds,
    registrations,
    sessions,
    transactions: transactions.open,
    oldestTransactionSeconds: transactions.oldestSeconds,
  });
}

/** Merges rows of counts, to keep sums cheap. Safe in several processes at once. */
export async function sumConnectionCounts(sql: Sql): Promise<void> {
  await sql`
    with taken as (delete from connection_count returning provider, status, change)
    insert into connection_count (provider, status, change)
    select provider, status, sum(change) from taken group by provider, status having sum(change) <> 0
  `;
}

/** Measures the round trip of a minimal query in seconds, including the wait for a pooled connection. */
export async function measureRoundTrip(sql: Sql): Promise<number> {
  const startedAtMs = performance.now();
  await sql`select 1`;
  return (performance.now() - startedAtMs) / 1000;
}

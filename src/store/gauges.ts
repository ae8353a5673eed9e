import { z } from 'zod';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

const provider = z.enum(PROVIDER_NAMES);
const count = z.number();
const kind = z.string();

const Jobs = z.object({ kind, status: z.string(), count });
/** `oldestSeconds` is of open ones, 0 without any: one that has failed for good gets no older. */
const Stuck = z.object({ kind, count, oldestSeconds: z.number() });
const Outbox = z.object({ count, oldestSeconds: z.number() });
const Journal = z.object({ oldestSeconds: z.number() });
const Registrations = z.object({ provider, usable: count, paused: count, rejected: count, spent: count });
const Sessions = z.object({ process: z.string(), state: z.string(), count });

/** The state of everything, as metrics show it: numbers by closed sets, ages in seconds. */
export interface Gauges {
  /** Open ones. */
  readonly jobs: readonly z.infer<typeof Jobs>[];
  /** As operators see it: open with a failed try, silent, or failed with something left to revoke. */
  readonly stuck: readonly z.infer<typeof Stuck>[];
  readonly outbox: z.infer<typeof Outbox>;
  /** Since the oldest fact was committed that is not known to be in the journal of erasures. */
  readonly unwrittenSeconds: number;
  readonly registrations: readonly z.infer<typeof Registrations>[];
  /** Connections to the database by process; their state is `hidden` from a role that may not see another's. */
  readonly sessions: readonly z.infer<typeof Sessions>[];
}

/** Costs what is open or has lately been let go, not what exists. */
export async function readGauges(sql: Sql): Promise<Gauges> {
  const [jobs, stuck, outbox, journal, registrations, sessions] = await Promise.all([
    sql`
      select kind, status, count(*)::int as count from (
        select kind, status from read_job where status in ('QUEUED', 'RUNNING')
        union all
        select kind, status from release_job where status in ('QUEUED', 'RUNNING')
      ) job group by kind, status
    `,
    // Two halves, so that of the reads, which are many, only the open ones are looked at.
    sql`
      select kind, count(*)::int as count,
        coalesce(extract(epoch from business_now() - min(stuck_since) filter (where open)), 0)::float8 as oldest_seconds
      from (
        select kind, stuck_since, open from admin_job
        where kind in ('SCAN', 'METRICS', 'LOOKUP') and status in ('QUEUED', 'RUNNING') and stuck
        union all
        select kind, stuck_since, open from admin_job
        where kind in ('REVOKE', 'ERASE', 'COMPENSATION') and stuck and (open or revocable)
      ) job group by kind
    `,
    sql`
      select count(*)::int as count,
        coalesce(extract(epoch from business_now() - min(created_at)), 0)::float8 as oldest_seconds
      from outbox
    `,
    sql`
      select coalesce(extract(epoch from business_now() - min(happened_at)), 0)::float8 as oldest_seconds
      from journal_entry
    `,
    sql`
      select provider, count(*) filter (where paused_at is null and rejected_at is null
          and coalesce(quota_spent_until <= business_now(), true))::int as usable,
        count(*) filter (where paused_at is not null)::int as paused,
        count(*) filter (where rejected_at is not null)::int as rejected,
        count(*) filter (where quota_spent_until > business_now())::int as spent
      from registration group by provider
    `,
    sql`
      select application_name as process, coalesce(state, 'hidden') as state, count(*)::int as count
      from pg_stat_activity where datname = current_database() and application_name in ('api', 'worker')
      group by 1, 2
    `,
  ]);
  return {
    jobs: jobs.map((row) => Jobs.parse(row)),
    stuck: stuck.map((row) => Stuck.parse(row)),
    outbox: Outbox.parse(outbox[0]),
    unwrittenSeconds: Journal.parse(journal[0]).oldestSeconds,
    registrations: registrations.map((row) => Registrations.parse(row)),
    sessions: sessions.map((row) => Sessions.parse(row)),
  };
}

/** How long the least of all queries takes in seconds, waiting for a connection of the pool included. */
export async function timeRoundTrip(sql: Sql): Promise<number> {
  const startedAtMs = performance.now();
  await sql`select 1`;
  return (performance.now() - startedAtMs) / 1000;
}

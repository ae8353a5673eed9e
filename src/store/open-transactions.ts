import { z } from 'zod';
import type { Sql } from './driver/sql.ts';

/** When each open transaction was seen first, or began if this role may know; in seconds since 1970. */
export const OpenTransactions = z.record(z.string(), z.number());
export type OpenTransactions = z.infer<typeof OpenTransactions>;

/**
 * Lists the transactions of clients that are open in this database. When a transaction of another role began is hidden from this
 * one, but not the lock that each holds on its own number. The server's own clock, which no test moves, measures how long the oldest one
 * has been open.
 * @param before the last list
 */
export async function listOpenTransactions(
  sql: Sql,
  before: OpenTransactions,
): Promise<{ readonly open: OpenTransactions; readonly oldestSeconds: number }> {
  const [row] = await sql`
    select coalesce(jsonb_object_agg(id, coalesce(extract(epoch from began), (${sql.json(before)}::jsonb ->> id)::numeric, now)), '{}') as open,
      extract(epoch from clock_timestamp())::float8 as now
    from (
      -- Numbers begin anew with the server.
      select concat(virtualtransaction, ' ', extract(epoch from pg_postmaster_start_time())) as id, xact_start as began,
        extract(epoch from clock_timestamp()) as now
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'virtualxid' and mode = 'ExclusiveLock' and datname = current_database() and usesysid is not null
        and pid <> pg_backend_pid()
    ) transaction
  `;
  const open = OpenTransactions.parse(row?.open);
  return { open, oldestSeconds: Math.max(0, ...Object.values(open).map((since) => Number(row?.now) - since)) };
}

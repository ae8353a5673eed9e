import { z } from 'zod';
import type { Sql } from './driver/sql.ts';
import { findRow, listRows } from './rows.ts';

/** The id of the installation that owns this database. Copies of the database have the same. */
export async function getInstallationId(sql: Sql): Promise<string> {
  const [row] = await sql`select installation_id from installation`;
  return String(row?.installationId);
}

/** Longer than Temporal remembers a worker that has ended: five minutes. */
const KNOWN_FOR = '10 minutes';

/**
 * Identifies this database among its copies by dump or as a template. A copy of the files has the same, until it has been without
 * the workers of the original for ten minutes.
 */
const place = (sql: Sql) => sql`(
  select concat_ws('/', (select system_identifier from pg_control_system()), oid) from pg_database where datname = current_database()
)`;

/** Long enough for someone to look for a worker that no longer reports, while others do its work. */
const MISSED_FOR = '15 minutes';

/** A worker's process. */
export interface WorkerName {
  readonly workerId: string;
  /** For people: its host and the port of its health server. */
  readonly name: string;
}

/** Notes that a worker uses this database, and forgets those that are gone. */
export async function recordPresence(sql: Sql, { workerId, name }: WorkerName): Promise<void> {
  await sql`
    insert into worker_presence (worker_id, place, name) values (${workerId}, ${place(sql)}, ${name})
    on conflict (worker_id) do update set place = excluded.place, seen_at = now()
  `;
  await sql`delete from worker_presence where seen_at < now() - ${MISSED_FOR}::interval`;
}

/** Notes that a worker stops on request, so that no alert waits for its reports. */
export async function recordAbsence(sql: Sql, { workerId }: WorkerName): Promise<void> {
  await sql`update worker_presence set ended_at = now() where worker_id = ${workerId}`;
}

const NamedReport = z.object({ name: z.string(), seenAt: z.date(), ageSeconds: z.number() });

/**
 * Lists the last reports of workers, by name, without those that have stopped on request, and those that others have outlived for a
 * while. A worker that starts again has the name of the one before.
 */
export const listReports = (sql: Sql): Promise<z.infer<typeof NamedReport>[]> =>
  listRows(sql, NamedReport)`
    select name, seen_at, extract(epoch from now() - seen_at)::float8 as age_seconds from (
      select distinct on (name) name, seen_at, ended_at, max(seen_at) over () as newest from worker_presence
      where place = ${place(sql)} and name is not null order by name, seen_at desc
    ) latest where ended_at is null and seen_at > newest - ${MISSED_FOR}::interval order by name
  `;

const Report = z.object({ seenAt: z.date(), ageSeconds: z.number() });

/** Finds the last time that a worker reported that it runs. @returns undefined if none has, or it is forgotten. */
export const findLastPresence = (sql: Sql): Promise<z.infer<typeof Report> | undefined> =>
  findRow(sql, Report)`
    select seen_at, extract(epoch from now() - seen_at)::float8 as age_seconds from worker_presence
    where place = ${place(sql)} order by seen_at desc limit 1
  `;

/** @returns how many of these workers do not use this database. */
export async function countForeignWorkers(sql: Sql, workerIds: readonly string[]): Promise<number> {
  const [row] = await sql`
    select count(*)::int as count from unnest(${[...workerIds]}::uuid[]) as worker (id)
    where not exists (
      select from worker_presence
      where worker_id = id and place = ${place(sql)} and seen_at >= now() - ${KNOWN_FOR}::interval
    )
  `;
  return Number(row?.count);
}

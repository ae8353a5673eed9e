import type { Database } from '../../src/store/driver/sql.ts';

/** The next midnight of the quotas' day, at which the day of a simulation begins. */
export async function findMidnight(sql: Database): Promise<number> {
  const [row] = await sql`
    select ((date_trunc('day', now() at time zone 'America/Los_Angeles') + interval '1 day')
      at time zone 'America/Los_Angeles') as at
  `;
  return new Date(row?.at).getTime();
}

/** Stops business time at an instant, for every user of the database. As a constant: then plans are those of a clock that runs. */
export async function stopClock(sql: Database, atMs: number): Promise<void> {
  await sql.unsafe(`
    create or replace function business_now() returns timestamptz language sql stable parallel safe
    return '${new Date(atMs).toISOString()}'::timestamptz
  `);
}

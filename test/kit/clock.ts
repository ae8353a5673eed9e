import { type Database, inTransaction } from './sql.ts';

/**
 * Moves business time for every user of the database, in addition to earlier moves; the clock keeps running. A
 * negative distance moves it back.
 */
export async function moveClock(sql: Database, ms: number): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`create table if not exists test_clock (moved interval not null)`;
    await tx`grant select on test_clock to public`; // Every role reads the time.
    await tx`insert into test_clock select interval '0' where not exists (select from test_clock)`;
    await tx`update test_clock set moved = moved + ${ms} * interval '1 millisecond'`;
    await tx.unsafe(`
      create or replace function business_now() returns timestamptz language sql stable parallel safe
      return date_trunc('milliseconds', statement_timestamp()) + (select moved from test_clock)
    `);
  });
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The database's current business time. */
export async function businessNow(sql: Database): Promise<Date> {
  const [row] = await sql`select business_now() as now`;
  return row?.now as Date;
}

import { z } from 'zod';
import type { ProviderName } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

const Turn = z.object({ taken: z.boolean(), waitSeconds: z.number() });
export type Turn = z.infer<typeof Turn>;

/**
 * Reserves a turn to call a provider. Turns are `1 / callsPerSecond` apart over all workers; unused turns of the last
 * second remain available. Uses the server's own clock, because providers measure real time. A queue longer than any
 * possible one means that the clock was set back, so it starts anew.
 *
 * The commit does not wait for the disk: it holds the row that all calls to this provider need, and a disk that takes 5 ms
 * would allow 200 calls a second. If Postgres crashes, turns of its last moments can be given again.
 * @param patienceSeconds the longest acceptable wait; null for any.
 * @returns the wait, and whether a turn was reserved.
 */
export async function takeTurn(
  sql: Sql,
  provider: ProviderName,
  { callsPerSecond, patienceSeconds }: { callsPerSecond: number; patienceSeconds: number | null },
): Promise<Turn> {
  const gap = sql`make_interval(secs => ${1 / callsPerSecond})`;
  const isOfOtherClock = sql`line.next_call_at > clock_timestamp() + interval '5 minutes' + 10 * ${gap}`;
  const [row] = await sql`
    with turn as (
      insert into provider_rate_limit as line (provider, next_call_at)
      values (${provider}, clock_timestamp() - interval '1 second' + ${gap})
      on conflict (provider) do update
        set next_call_at = ${gap} + case when ${isOfOtherClock} then clock_timestamp()
          else greatest(line.next_call_at, clock_timestamp() - interval '1 second') end
        where coalesce(line.next_call_at <= clock_timestamp() + make_interval(secs => ${patienceSeconds}), true)
          or ${isOfOtherClock}
      returning next_call_at - ${gap} as at
    ), next as (
      select true as taken, at from turn
      union all
      select false, next_call_at from provider_rate_limit where provider = ${provider} and not exists (select from turn)
    )
    select taken, greatest(0, extract(epoch from at - clock_timestamp()))::float8 as wait_seconds,
      set_config('synchronous_commit', 'off', true) -- Until the end of this transaction.
    from next
  `;
  return Turn.parse(row);
}

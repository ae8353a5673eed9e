import { z } from 'zod';
import type { ProviderName } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

const Turn = z.object({ taken: z.boolean(), waitSeconds: z.number() });

/**
 * A turn to call a provider. Turns are `1 / callsPerSecond` apart over all workers together; of the turns that nobody took,
 * the last second's can still be had. Measured by the server's own clock, since real time is what providers measure; a line that
 * is longer than any can get was left by a clock that has been set back, and begins anew.
 * @param patienceSeconds no turn is taken that is further away than this; null takes any.
 * @returns how far away the turn is, and whether it was taken.
 */
export async function takeTurn(
  sql: Sql,
  provider: ProviderName,
  { callsPerSecond, patienceSeconds }: { callsPerSecond: number; patienceSeconds: number | null },
): Promise<z.infer<typeof Turn>> {
  const gap = sql`make_interval(secs => ${1 / callsPerSecond})`;
  const isOfOtherClock = sql`pace.next_at > clock_timestamp() + interval '5 minutes' + 10 * ${gap}`;
  const [row] = await sql`
    with turn as (
      insert into provider_pace as pace (provider, next_at)
      values (${provider}, clock_timestamp() - interval '1 second' + ${gap})
      on conflict (provider) do update
        set next_at = ${gap} + case when ${isOfOtherClock} then clock_timestamp()
          else greatest(pace.next_at, clock_timestamp() - interval '1 second') end
        where coalesce(pace.next_at <= clock_timestamp() + make_interval(secs => ${patienceSeconds}), true)
          or ${isOfOtherClock}
      returning next_at - ${gap} as at
    ), next as (
      select true as taken, at from turn
      union all
      select false, next_at from provider_pace where provider = ${provider} and not exists (select from turn)
    )
    select taken, greatest(0, extract(epoch from at - clock_timestamp()))::float8 as wait_seconds from next
  `;
  return Turn.parse(row);
}

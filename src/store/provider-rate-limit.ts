import { z } from 'zod';
import type { ProviderName } from '../basics/codes.ts';
import type { Sql } from './driver/sql.ts';
import { getRow } from './rows.ts';

const Slot = z.object({ taken: z.boolean(), waitSeconds: z.number() });
export type Slot = z.infer<typeof Slot>;

/**
 * The part of a provider's rate that is guaranteed to a kind of calls: CONNECTS are those that a person
 * waits for in a Connect attempt, GRANTS those that refresh, check or revoke a grant. The rest is always left to reads.
 */
const SHARES = { CONNECTS: 1 / 2, GRANTS: 1 / 4 } as const;
export type Share = keyof typeof SHARES;

const MICROSECONDS = 1_000_000;

/**
 * Takes a slot to call a provider. Slots are `1 / callsPerSecond` apart over all workers; unused slots of the last second remain
 * available. Within its share, a call reserves the next slot, before all that wait for a free one; any other call gets a slot only
 * when that is free. So the guaranteed calls never wait for more than a second and a few slots.
 *
 * Uses the server's own clock, because providers measure real time. If that is set back, the slots move with it.
 *
 * The commit does not wait for the disk: it holds the row that all calls to this provider need, and a disk that takes 5 ms
 * would allow 200 calls a second. If Postgres crashes, slots of its last moments can be given again.
 * @param options.share the share that the call belongs to; null if it has none
 * @param options.patienceSeconds how far ahead a call may reserve a slot within its share; null takes the next slot at any distance
 * @returns whether a slot was taken, and when it is; or when one can be taken.
 */
export async function takeSlot(
  sql: Sql,
  provider: ProviderName,
  options: { callsPerSecond: number; share: Share | null; patienceSeconds: number | null },
): Promise<Slot> {
  const { callsPerSecond, share, patienceSeconds } = options;
  const gap = Math.ceil(MICROSECONDS / callsPerSecond);
  const shareGap = share === null ? null : Math.ceil(gap / SHARES[share]);
  const mostAhead = patienceSeconds === null ? null : patienceSeconds * MICROSECONDS;
  return await getRow(sql, Slot)`
    select taken, (wait / 1e6)::float8 as wait_seconds,
      set_config('synchronous_commit', 'off', true) -- Until the end of this transaction.
    from take_slot(${provider}, ${gap}, ${share}, ${shareGap}, ${mostAhead})
  `;
}

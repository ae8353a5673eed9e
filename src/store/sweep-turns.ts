import type { Sql } from './driver/sql.ts';
import { hasRows } from './rows.ts';

/**
 * Takes the turn of the sweeps that workers run without Temporal. @returns whether it was due: so, of any number of workers, one sweeps in
 * each interval. A turn in the future is due too: the clock has been set back.
 */
export async function takeSweepTurn(sql: Sql, everySeconds: number): Promise<boolean> {
  return await hasRows(sql)`
    update sweep_turn set taken_at = business_now()
    where taken_at <= business_now() - make_interval(secs => ${everySeconds}) or taken_at > business_now()
  `;
}

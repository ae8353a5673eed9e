import { getBusinessTime, type Sql } from './driver/sql.ts';

/**
 * Business time for code that cannot ask SQL: the database's, as it was read last, and the time since then. The clock of this
 * machine may be minutes off: it only measures how long ago that was.
 */
export interface BusinessClock {
  /** Reads the database's clock, which `now` follows from then on. */
  read(sql: Sql): Promise<void>;
  /** @throws Error before the first `read` */
  readonly now: () => Date;
}

export function createBusinessClock(): BusinessClock {
  let known: { readonly instantMs: number; readonly readAtMs: number } | undefined;
  return {
    async read(sql) {
      const askedAtMs = performance.now();
      const instantMs = (await getBusinessTime(sql)).getTime();
      known = { instantMs, readAtMs: askedAtMs };
    },
    now() {
      if (known === undefined) throw new Error('The time of the database has not been read yet.');
      return new Date(known.instantMs + Math.round(performance.now() - known.readAtMs));
    },
  };
}

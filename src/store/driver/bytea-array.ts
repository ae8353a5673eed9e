import type { Fragment, Sql } from './sql.ts';

/*
 * Answers porsager/postgres 527: the driver sends an array of Buffers as one Buffer. `test/store/driver-faults.test.ts` fails when this
 * file can go.
 */

/** Buffers as a `bytea[]`. */
export const byteaArray = (sql: Sql, buffers: readonly Buffer[]): Fragment => sql`
  array(select decode(hex, 'hex') from unnest(${buffers.map((buffer) => buffer.toString('hex'))}::text[]) as hex)
`;

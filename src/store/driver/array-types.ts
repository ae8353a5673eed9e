import type postgres from 'postgres';

/*
 * Answers porsager/postgres 1192: the driver asks each new connection for the array types of the database, and awaits the
 * answer nowhere. If the connection is lost meanwhile, Node ends the process, although the pool connects and asks again.
 * `test/store/driver-faults.test.ts` fails when this file can go.
 */

/** Lets the pool ask until it has one answer, and survives a question without one. */
export function guardArrayTypes({ options }: postgres.Sql): void {
  const { shared } = options as unknown as { readonly shared: { readonly typeArrayMap: object } };
  Object.defineProperty(options, 'fetch_types', { get: () => Object.keys(shared.typeArrayMap).length === 0 });
  surviveLostQuestion();
}

let survivesLostQuestion = false;

/** Every other unhandled rejection still ends the process. */
function surviveLostQuestion(): void {
  if (survivesLostQuestion) return;
  survivesLostQuestion = true;
  process.on('unhandledRejection', (error) => {
    // The driver notes the statement in the error.
    const { query } = (error ?? {}) as { query?: unknown };
    if (typeof query !== 'string' || !query.includes('pg_catalog.pg_type')) throw error;
  });
}

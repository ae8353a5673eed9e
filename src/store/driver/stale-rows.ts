import type postgres from 'postgres';

/*
 * Answers porsager/postgres 1119 and 1181: when a statement fails or its connection is lost after some of its rows have arrived, the
 * driver continues counting from there, so that the rows of the connection's next statement stand behind as many holes. A row that
 * exists would look absent. `test/store/driver-faults.test.ts` fails when this file can go.
 */

type Resolve = (rows: unknown[]) => void;

/** Drops the holes before the rows of every result, in all pools of the process. */
export function dropStaleRows(sql: postgres.Sql): void {
  const statement = Object.getPrototypeOf(sql``);
  if (Object.hasOwn(statement, 'resolve')) return;
  // The driver's constructor sets it in each statement.
  Object.defineProperty(statement, 'resolve', {
    set(resolve: Resolve) {
      const value = (rows: unknown[]) => resolve(withoutHoles(rows));
      Object.defineProperty(this, 'resolve', { value });
    },
  });
}

function withoutHoles<Rows extends unknown[]>(rows: Rows): Rows {
  if (rows.length > 0 && !(0 in rows)) rows.splice(0, Number(Object.keys(rows)[0]));
  return rows;
}

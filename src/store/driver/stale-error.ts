import postgres from 'postgres';

/*
 * Answers a fault of the driver (postgres 3.4.9, src/connection.js: `closed` keeps `errorResponse`): when Postgres ends a connection in the
 * middle of a statement, the error of that statement also rejects the first statement of the connection that replaces it, seconds or minutes
 * later and before that one was sent. `test/store/driver-faults.test.ts` fails when this file can go.
 */

type Reject = (error: unknown) => void;
interface Statement {
  /** Null until the statement has been handed to a connection. */
  readonly state: unknown;
  readonly handler: (statement: Statement) => unknown;
}

/** Sends a statement again, once, if Postgres refused it before it was sent. Works in all pools of the process. */
export function ignoreStaleErrors(sql: postgres.Sql): void {
  const statement = Object.getPrototypeOf(sql``);
  if (Object.hasOwn(statement, 'reject')) return;
  // The driver's constructor sets it in each statement.
  Object.defineProperty(statement, 'reject', {
    set(this: Statement, reject: Reject) {
      let isFirst = true;
      const value: Reject = (error) => {
        // A login that is refused looks the same: its second refusal is reported.
        const isUnsent = this.state === null && error instanceof postgres.PostgresError;
        if (!isUnsent || !isFirst) return reject(error);
        isFirst = false;
        this.handler(this);
      };
      Object.defineProperty(this, 'reject', { value });
    },
  });
}

import { z } from 'zod';
import type { AttemptId } from '../../basics/ids.ts';
import type { Fragment, Sql } from '../driver/sql.ts';

/** The cause of the last failed try of an attempt. */
export interface AttemptCause {
  /** `HTTP_` and the status, the code of a request without a complete answer, or REDIRECT; null if no request was sent. */
  readonly answer: string | null;
  /** The platform's own error codes, joined by slashes. Null without one. */
  readonly code: string | null;
}

/** The answer of an authorization response, which the browser brings. */
export const REDIRECT = 'REDIRECT';

/** The columns of an attempt for operators. */
export const attemptCause = { lastAnswer: z.string().nullable(), lastAnswerCode: z.string().nullable() };

const ANSWER = /^[A-Z][A-Z0-9_]{0,39}$/;
const CODES = /^[A-Za-z0-9_. /-]{1,200}$/;

/** Sets the columns. The platform chooses the texts: others than codes of bounded length are not stored. */
export const setCause = (sql: Sql, { answer, code }: AttemptCause): Fragment => sql`
  last_answer = ${answer !== null && ANSWER.test(answer) ? answer : null},
  last_answer_code = ${code !== null && CODES.test(code) ? code : null}
`;

/** Stores the cause of a failed try while the attempt continues. */
export async function recordAttemptCause(
  sql: Sql,
  table: 'connect_attempt' | 'identity_attempt',
  attemptId: AttemptId,
  cause: AttemptCause,
): Promise<void> {
  await sql`
    update ${sql(table)} set ${setCause(sql, cause)} where attempt_id = ${attemptId} and finished_at is null
  `;
}

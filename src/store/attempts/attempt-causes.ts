import { z } from 'zod';
import type { AttemptId } from '../../basics/ids.ts';
import { type AnswerCause, boundCause } from '../answer-cause.ts';
import type { Fragment, Sql } from '../driver/sql.ts';

/** The answer of an authorization response, which the browser brings. */
export const REDIRECT = 'REDIRECT';

/** The columns of an attempt for operators. */
export const attemptCause = {
  lastAnswer: z.string().nullable(),
  lastAnswerCode: z.string().nullable(),
  lastRefusal: z.string().nullable(),
  lastRefusedAt: z.date().nullable(),
};

/** Sets the columns. */
export const setCause = (sql: Sql, cause: AnswerCause): Fragment => {
  const { answer, code } = boundCause(cause);
  return sql`last_answer = ${answer}, last_answer_code = ${code}`;
};

/** Stores the cause of a failed try while the attempt continues. */
export async function recordAttemptCause(
  sql: Sql,
  table: 'connect_attempt' | 'identity_attempt',
  attemptId: AttemptId,
  cause: AnswerCause,
): Promise<void> {
  await sql`
    update ${sql(table)} set ${setCause(sql, cause)} where attempt_id = ${attemptId} and finished_at is null
  `;
}

/** Stores why a page of ours refused the attempt's browser, also after its end: the person may quote that page. */
export async function recordBrowserRefusal(
  sql: Sql,
  table: 'connect_attempt' | 'identity_attempt',
  attemptId: AttemptId,
  refusal: string,
): Promise<void> {
  await sql`
    update ${sql(table)} set last_refusal = ${refusal}, last_refused_at = business_now() where attempt_id = ${attemptId}
  `;
}

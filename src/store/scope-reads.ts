import { z } from 'zod';
import type { AppId } from '../basics/ids.ts';
import { askTogether } from './driver/batches.ts';
import type { Fragment, Json, Row, Sql } from './driver/sql.ts';
import { createStatement } from './driver/statement.ts';
import type { SubjectScope } from './scopes.ts';

/** The target of a request: an id of one of its scope's rows. */
export interface AskedOfScope {
  readonly appId: AppId;
  readonly scope: SubjectScope;
  /** Undefined if it cannot be an id of ours. */
  readonly id: string | undefined;
}

/**
 * Several questions as the rows of `asked`, numbered from 1 by `place`. They are JSON because Postgres then plans the same
 * for any number of them, and so keeps its plan; for arrays it would plan each statement anew.
 * @param rows from `toAskedRows`. @param columns the declarations of further members.
 */
export const askedRows = (sql: Sql, rows: Json, columns: Fragment = sql``) => sql`
  jsonb_to_recordset(${rows}) as asked (
    place int, app_id uuid, tenant_key text, external_subject_id text, id uuid ${columns}
  )
`;

/** @param more returns further members of a question. */
export const toAskedRows = <Question extends AskedOfScope>(
  sql: Sql,
  questions: readonly Question[],
  more: (question: Question) => object = () => ({}),
): Json =>
  sql.json(
    questions.map((question, index) => ({
      place: index + 1,
      app_id: question.appId,
      tenant_key: question.scope.tenantKey,
      external_subject_id: question.scope.externalSubjectId,
      id: question.id,
      ...more(question),
    })),
  );

/** Whether the tenant of an `asked` row is one of its app's, as an expression. */
export const askedTenantIsRegistered = (sql: Sql) => sql`
  exists (select from tenant t where t.app_id = asked.app_id and t.tenant_key = asked.tenant_key)
`;

const TenantIsRegistered = z.object({ isRegistered: z.boolean() });

/**
 * Creates a read of one row of a scope, and of whether the scope's tenant is registered, in one statement that requests share.
 * Another scope's row, an old one and one that never existed run the same statement, so that timing reveals no difference.
 */
export function createScopeRead<Question extends AskedOfScope, Answer>({
  select,
  more,
  toAnswer,
}: {
  /** Selects the row that an `asked` row names, if any. */
  readonly select: (sql: Sql) => Fragment;
  /** Further members of a question, and their columns. */
  readonly more?: { readonly of: (question: Question) => object; readonly columns: (sql: Sql) => Fragment };
  /** @param row all its columns are null if there is none. */
  readonly toAnswer: (tenantRegistered: boolean, row: Row, question: Question) => Answer;
}): (sql: Sql, question: Question) => Promise<Answer> {
  const statement = createStatement(
    (sql, rows: Json) => sql`
      select ${askedTenantIsRegistered(sql)} as is_registered, found.*
      from ${askedRows(sql, rows, more?.columns(sql))} left join lateral (${select(sql)}) as found on true
      order by asked.place
    `,
  );
  return askTogether(async (sql, asked: readonly Question[]) => {
    const rows = await statement(sql, toAskedRows(sql, asked, more?.of));
    return asked.map((question, index) => {
      const row = rows[index];
      return toAnswer(TenantIsRegistered.parse(row).isRegistered, row as Row, question);
    });
  });
}

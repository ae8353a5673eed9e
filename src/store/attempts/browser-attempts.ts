import { z } from 'zod';
import { UNANSWERED_ATTEMPT } from '../../basics/codes.ts';
import { AttemptId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { listOf, listRows } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

/** A table of attempts that a browser goes through: each is launched once, and has one callback and one exchange. */
interface BrowserAttemptTable<Attempt, Secrets> {
  readonly table: (sql: Sql) => Fragment;
  /** The column with the stage of an unfinished attempt: CREATED, AUTHORIZING or EXCHANGING. */
  readonly stage: (sql: Sql) => Fragment;
  /** As literals, because Postgres uses a partial index for parameters in some plans only. */
  readonly isUnfinished: (sql: Sql) => Fragment;
  /** Selects unfinished attempts at one of these stages. */
  readonly isAt: (sql: Sql, stages: readonly string[]) => Fragment;
  readonly columns: (sql: Sql) => Fragment;
  readonly parse: (row: unknown) => Attempt;
  /** Sets the values that a launch seals for the exchange. */
  readonly setSecrets: (sql: Sql, secrets: Secrets) => Fragment;
  /** Sets the end of an attempt without an answer in time. */
  readonly setUnanswered: (sql: Sql) => Fragment;
}

/** A count of unfinished attempts, and when the first of them expires. */
const UnfinishedCount = z.object({ count: z.number(), oldestExpiresInSeconds: z.number() });

/** Creates the statements that Connect attempts and sign-ins share. */
export function createBrowserAttempts<Attempt, Secrets>(kind: BrowserAttemptTable<Attempt, Secrets>) {
  const { table, stage } = kind;
  const findWhere = async (sql: Sql, condition: Fragment): Promise<Attempt | undefined> => {
    const [row] = await sql`select ${kind.columns(sql)} from ${table(sql)} where ${condition}`;
    return row && kind.parse(row);
  };
  /** @returns false if the attempt is at none of these stages, or has expired. */
  const update = async (sql: Sql, attemptId: AttemptId, from: readonly string[], changes: Fragment, only = sql``) => {
    const { count } = await sql`
      update ${table(sql)} set ${changes}
      where attempt_id = ${attemptId} and ${kind.isAt(sql, from)} ${only} and expires_at > business_now()
    `;
    return count > 0;
  };
  const isUnanswered = (sql: Sql) =>
    sql`${kind.isUnfinished(sql)} and ${stage(sql)} in ${listOf(sql, UNANSWERED_ATTEMPT)} and expires_at <= business_now()`;
  const move = (tx: Transaction, attemptId: AttemptId, to: 'AUTHORIZING' | 'EXCHANGING', changes: Fragment) =>
    update(tx, attemptId, sourcesOf('attempt', to), tx`${stage(tx)} = ${to}, ${changes}`);
  return {
    find: (sql: Sql, attemptId: AttemptId) => findWhere(sql, sql`attempt_id = ${attemptId}`),
    findByLaunchToken: (sql: Sql, tokenSha256: Buffer) => findWhere(sql, sql`launch_token_sha256 = ${tokenSha256}`),
    findByState: (sql: Sql, stateSha256: Buffer) => findWhere(sql, sql`state_sha256 = ${stateSha256}`),

    /** Counts the owner's. Exact while the caller holds the owner's lock. */
    async countUnfinished(tx: Transaction, isOwners: Fragment) {
      const [row] = await tx`
        select count(*)::int as count,
          coalesce(ceil(extract(epoch from min(expires_at) - business_now())), 0)::int as oldest_expires_in_seconds
        from ${table(tx)} where ${isOwners} and ${kind.isUnfinished(tx)} and expires_at > business_now()
      `;
      return UnfinishedCount.parse(row);
    },

    /**
     * Spends the launch token and binds the attempt to one browser.
     * @returns false if the token is spent, or the attempt has ended or expired.
     */
    moveToAuthorizing(
      tx: Transaction,
      attemptId: AttemptId,
      launch: { stateSha256: Buffer; browserSha256: Buffer } & Secrets,
    ) {
      const { stateSha256, browserSha256 } = launch;
      const hashes = tx`state_sha256 = ${stateSha256}, browser_sha256 = ${browserSha256}`;
      return move(tx, attemptId, 'AUTHORIZING', tx`${hashes}, ${kind.setSecrets(tx, launch)}`);
    },

    /** Accepts the only callback of an attempt. @returns false if it had one, has ended, or has expired. */
    moveToExchanging: (tx: Transaction, attemptId: AttemptId, sealedCode: string) =>
      move(tx, attemptId, 'EXCHANGING', tx`sealed_code = ${sealedCode}, code_arrived_at = business_now()`),

    /** Lists attempts past their deadline without a code. No workflow works on them. */
    listUnanswered: (sql: Sql, page: DuePage): Promise<Due[]> =>
      listRows(sql, Due)`
        select attempt_id as id, expires_at as due_at from ${table(sql)}
        where ${isUnanswered(sql)} ${pageClause(sql, sql`expires_at`, sql`attempt_id`, page)}
      `,

    /**
     * Ends those of these attempts without an answer in time, as EXPIRED: callers may have read that. So it needs no lock but
     * the rows' own. @returns how many.
     */
    async endUnanswered(sql: Sql, attemptIds: readonly AttemptId[]): Promise<number> {
      const { count } = await sql`
        update ${table(sql)} set ${kind.setUnanswered(sql)}, finished_at = business_now()
        where attempt_id in (
          select attempt_id from ${table(sql)} where attempt_id = any(${[...attemptIds]}::uuid[]) and ${isUnanswered(sql)}
          order by attempt_id for no key update
        )
      `;
      return count;
    },

    /** Marks the code as spent, before it is sent. @returns false if another call claimed it. */
    claimExchange(sql: Sql, attemptId: AttemptId) {
      const claim = sql`exchange_claimed_at = business_now()`;
      return update(sql, attemptId, ['EXCHANGING'], claim, sql`and exchange_claimed_at is null`);
    },

    /** Lists which of these attempts have no exchange in progress. */
    async listEnded(sql: Sql, attemptIds: readonly AttemptId[]): Promise<AttemptId[]> {
      const rows = await sql`
        select attempt_id from ${table(sql)}
        where attempt_id = any(${[...attemptIds]}::uuid[]) and ${stage(sql)} <> 'EXCHANGING'
      `;
      return rows.map((row) => AttemptId.parse(row.attemptId));
    },
  };
}

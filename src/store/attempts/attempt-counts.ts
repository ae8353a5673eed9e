import { z } from 'zod';
import type { ProviderName } from '../../basics/codes.ts';
import type { AppId, ScopeId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { connectAttempts } from './attempts.ts';

/** Counts unfinished attempts of one subject at one provider. Exact while the caller holds the scope's lock. */
export function countUnfinishedAttempts(
  tx: Transaction,
  scopeId: ScopeId,
  provider: ProviderName,
): ReturnType<typeof connectAttempts.countUnfinished> {
  // An imported one is no caller's.
  return connectAttempts.countUnfinished(tx, tx`scope_id = ${scopeId} and provider = ${provider} and return_url <> ''`);
}

/** Over so long attempts are counted, finished or not: the longest that one takes. Imported ones have no return URL. */
const isRecent = (sql: Sql) => sql`return_url <> '' and created_at > business_now() - interval '10 minutes'`;

/** Attempts of the last ten minutes, and when the first of them is older. */
const RecentCount = z.object({ count: z.number(), oldestLeavesInSeconds: z.number() });
export type RecentCount = z.infer<typeof RecentCount>;

const recentCount = (sql: Sql) => sql`
  count(*)::int as count,
  coalesce(ceil(extract(epoch from min(created_at) + interval '10 minutes' - business_now())), 0)::int
    as oldest_leaves_in_seconds
`;

/** Counts the recent attempts of one subject at one provider. Exact while the caller holds the scope's lock. */
export async function countRecentAttempts(
  tx: Transaction,
  scopeId: ScopeId,
  provider: ProviderName,
): Promise<RecentCount> {
  const [row] = await tx`
    select ${recentCount(tx)} from connect_attempt
    where scope_id = ${scopeId} and provider = ${provider} and ${isRecent(tx)}
  `;
  return RecentCount.parse(row);
}

const CountOfApp = RecentCount.extend({ mostOthers: z.number() });

/**
 * Counts the recent attempts of an app, up to `most`, in its admission lock, the last lock of the transaction. Alone, the count is
 * exact until commit. Beside others, as many attempts may be added meanwhile as the server has connections: `mostOthers`.
 */
export async function countRecentAttemptsOfApp(
  tx: Transaction,
  appId: AppId,
  { most, alone }: { most: number; alone: boolean },
): Promise<z.infer<typeof CountOfApp>> {
  const key = tx`hashtextextended('attempts:' || ${appId}::text, 0)`;
  // In this order: the count begins when the lock is taken.
  const [, [row]] = await Promise.all([
    alone ? tx`select pg_advisory_xact_lock(${key})` : tx`select pg_advisory_xact_lock_shared(${key})`,
    tx`
      select ${recentCount(tx)}, current_setting('max_connections')::int as most_others from (
        select created_at from connect_attempt where app_id = ${appId} and ${isRecent(tx)}
        order by created_at desc limit ${most}
      ) recent
    `,
  ]);
  return CountOfApp.parse(row);
}

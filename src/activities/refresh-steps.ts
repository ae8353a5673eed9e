import type { ProviderName } from '../basics/codes.ts';
import { startRefreshes } from '../domain/reading/start-refreshes.ts';
import { listDailyQuotas } from '../providers/facts.ts';
import {
  listDueRefreshes,
  listPoliciesToReplan,
  listRoom,
  replanConnections,
} from '../store/connections/automatic-refresh.ts';
import { inTransaction } from '../store/driver/sql.ts';
import type { Due } from '../store/due.ts';
import type { Deps } from './deps.ts';
import { handleTogether, type Step } from './sweep-round.ts';

/** Refreshes of one transaction, which locks their connections. */
const TOGETHER = 50;

type PlannerDeps = Pick<Deps, 'sql' | 'facts' | 'callsPerSecond' | 'outbox'>;

/**
 * Starts due refreshes of a provider, the longest due first, within each registration's share of rate limit and quota. A round starts no
 * more than a minute's share: after an outage the backlog is worked off at that rate.
 */
export const createRefreshStep = (
  { sql, facts, callsPerSecond, outbox }: PlannerDeps,
  provider: ProviderName,
): Step => ({
  batch: TOGETHER,
  mostRows: Number.POSITIVE_INFINITY,
  list: async ({ after }) => {
    if (after !== null) return [];
    const rate = { callsPerSecond: callsPerSecond[provider], callsEach: facts[provider].callsPerRefresh };
    const rooms = await listRoom(sql, provider, listDailyQuotas(facts), rate);
    const due: Due[] = [];
    for (const { registrationId, room } of rooms) {
      if (room > 0) due.push(...(await listDueRefreshes(sql, registrationId, room)));
    }
    return due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  },
  handle: async (rows, clock) => {
    let done = 0;
    for (let seen = 0; seen < rows.length; seen += TOGETHER) {
      if (seen > 0 && clock.isOver()) break;
      const part = rows.slice(seen, seen + TOGETHER);
      const handled = await handleTogether<Due>((some) => inTransaction(sql, (tx) => startRefreshes(tx, some)))(
        part,
        clock,
      );
      outbox.deliverSoon();
      done += handled.done;
      if (handled.errors.length > 0) return { ...handled, done, seen: seen + handled.seen };
    }
    // The rest is due in the next round, which begins with the longest due again.
    return { done, errors: [], seen: rows.length, isHopeless: false };
  },
});

/** Plans the connections of a policy that has changed, some at a time. */
export const createReplanStep = ({ sql }: Pick<Deps, 'sql'>, provider: ProviderName): Step => ({
  batch: 1,
  list: (page) => listPoliciesToReplan(sql, provider, page),
  handle: async ([policy], clock) => {
    let done = 0;
    while (policy !== undefined) {
      const planned = await inTransaction(sql, (tx) => replanConnections(tx, policy.id, provider));
      done += planned;
      if (planned === 0 || clock.isOver()) break;
    }
    return { done, errors: [], seen: 1, isHopeless: false };
  },
});

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

/** Takes one refresh of each registration in turn, the longest due one first, up to so many. */
function takeTurns(byRegistration: readonly (readonly Due[])[], most: number): Due[] {
  const firstAtMs = ([first]: readonly Due[]) => first?.dueAt.getTime() ?? Number.POSITIVE_INFINITY;
  const sorted = byRegistration.toSorted((a, b) => firstAtMs(a) - firstAtMs(b));
  const turns = Math.max(0, ...byRegistration.map((due) => due.length));
  return Array.from({ length: turns }, (_, turn) => sorted.flatMap((due) => due[turn] ?? []))
    .flat()
    .slice(0, most);
}

/**
 * Starts due refreshes of a provider, the longest due first for each registration, within its share of rate limit and
 * quota. The registrations share one rate: together they get the largest share of any (D-540). A round starts no more than a minute's share: after an outage the backlog is worked off at that rate.
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
    const byRegistration: Due[][] = [];
    for (const { registrationId, room } of rooms) {
      if (room > 0) byRegistration.push(await listDueRefreshes(sql, registrationId, room));
    }
    return takeTurns(byRegistration, Math.max(0, ...rooms.map(({ most }) => most)));
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

import { setTimeout as delay } from 'node:timers/promises';
import type { AppId, RegistrationId, ScopeId } from '../ids.ts';
import { listDailyQuotas } from '../providers/facts.ts';
import { type Call, ProviderError, type ProviderName } from '../providers/provider.ts';
import { takeTurn } from '../store/provider-rate-limit.ts';
import { countUnits } from '../store/registration-usage.ts';
import type { Deps } from './deps.ts';
import { STEP_MS } from './provider-activity.ts';

/** How far away a turn may be for an exchange, a refresh or a revoke to take it. */
const CLIENT_PATIENCE_SECONDS = 20;
/** How long the first read of a step waits for its turn. */
const READ_PATIENCE_SECONDS = 5;
/** The longest wait of a call that cannot be put off; after it the call goes before its turn. */
const LONGEST_WAIT_SECONDS = 30;
/** A turn is of no use to a step that has less time left than one call may take. */
const LAST_TURN_MS = STEP_MS - 15_000;
/** Between two looks at a line that is too long. */
const LEAST_PAUSE_MS = 200;

/** The registration and app that a call belongs to. */
export interface Caller {
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  /** Identifies the app, for its share of the quota. Null once the scope is erased: then only a revoke is left. */
  readonly scopeId: ScopeId | null;
  /** The app itself, if it is known or there is no scope yet. */
  readonly appId?: AppId;
  /** Whether an automatic refresh makes the call: then it counts against the share of these, too. */
  readonly forRefresh?: boolean;
}

/** The app, or automatic refreshes, have used up their share of the registration's quota. Other calls go on. */
export class ShareSpent extends ProviderError {
  constructor(retryAfterSeconds: number) {
    super('QuotaSpent', "A share of the registration's daily quota is used up.", { retryAfterSeconds });
  }
}

/**
 * The meter that one step gives to an adapter. It counts each HTTP request against the app's share of the daily quota, and
 * holds it until its turn, in one line for all workers.
 *
 * The first request fails with `OwnRateLimit` if its turn is far away: the worker's slot is free for others, and nothing
 * is lost. A later request waits as long as the step lasts, since failing would waste the quota that the step has used.
 */
export function createMeteredCall(deps: Deps, caller: Caller, kind: 'CLIENT' | 'READ', signal: AbortSignal): Call {
  const { sql, facts } = deps;
  const { provider, registrationId, scopeId, appId, forRefresh = false } = caller;
  const user = appId === undefined ? scopeId && { scopeId } : { appId };
  const callsPerSecond = deps.callsPerSecond[provider];
  const lastTurnAtMs = performance.now() + LAST_TURN_MS;
  // A scope is no app: each upkeep of an app with many scopes would pass for an app that has had no turn yet.
  const appKey = appId ?? registrationId;
  let hasSent = false;

  const throwAborted = (): never => {
    throw new ProviderError('RetryLater', 'A call was aborted before its turn.');
  };
  /** @throws ProviderError `RetryLater` when the signal aborts first. */
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal }).catch(throwAborted);

  const take = (patienceSeconds: number | null) => takeTurn(sql, provider, { callsPerSecond, patienceSeconds });

  /**
   * Waits for an exchange's, a refresh's or a revoke's turn.
   * @throws ProviderError `OwnRateLimit` when its turn is too far away, `RetryLater` when the signal aborts first.
   */
  async function waitForTurn(cannotWait: boolean): Promise<void> {
    for (;;) {
      const { taken, waitSeconds } = await take(cannotWait ? null : CLIENT_PATIENCE_SECONDS);
      if (taken) {
        await pause(Math.min(waitSeconds, LONGEST_WAIT_SECONDS) * 1000);
        return;
      }
      if (!hasSent || performance.now() + waitSeconds * 1000 > lastTurnAtMs) throw createLineTooLong(waitSeconds);
      // Takes no turn yet: it would make the line longer for others.
      await pause(Math.max(LEAST_PAUSE_MS, (waitSeconds - CLIENT_PATIENCE_SECONDS) * 1000));
    }
  }

  /** Waits for a read's turn. @throws as `waitForTurn` */
  async function waitForReadTurn(): Promise<void> {
    const latestAtMs = hasSent ? lastTurnAtMs : performance.now() + READ_PATIENCE_SECONDS * 1000;
    const turn = await deps.readLines[provider]
      .waitForTurn(appKey, latestAtMs, signal)
      .catch((error: unknown) => (error === signal.reason ? throwAborted() : Promise.reject(error)));
    if (!turn.taken) throw createLineTooLong(Math.max(turn.waitSeconds, 1 / callsPerSecond));
  }

  return {
    signal,
    async admit({ quotaUnits, cannotWait }) {
      await (kind === 'READ' && !cannotWait ? waitForReadTurn() : waitForTurn(cannotWait));
      if (quotaUnits > 0 && user !== null) {
        const use = { registrationId, user, units: quotaUnits, forRefresh };
        const { counted, resetSeconds } = await countUnits(sql, use, listDailyQuotas(facts));
        if (!counted) throw new ShareSpent(resetSeconds);
      }
      hasSent = true;
    },
  };
}

const createLineTooLong = (retryAfterSeconds: number) =>
  new ProviderError('OwnRateLimit', 'Too many calls to the provider are waiting for their turn.', {
    retryAfterSeconds,
  });

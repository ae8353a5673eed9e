import { setTimeout as delay } from 'node:timers/promises';
import type { RegistrationId, ScopeId } from '../ids.ts';
import { listDailyQuotas } from '../providers/facts.ts';
import { type Call, ProviderError, type ProviderName } from '../providers/provider.ts';
import { takeTurn } from '../store/provider-pace.ts';
import { countUnits } from '../store/registration-usage.ts';
import type { Deps } from './deps.ts';

/**
 * How far away the turn of a call may be for which we wait here, holding a worker's slot. One that is further away gives its
 * activity back. Reads stay close, so that an exchange or a revoke never finds more than that before it.
 */
const READ_PATIENCE_SECONDS = 5;
const CLIENT_PATIENCE_SECONDS = 20;
/** What cannot be put off waits no longer than this either, and then goes before its turn. */
const LONGEST_WAIT_SECONDS = 30;

/** Whose calls they are. */
export interface Caller {
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  /** By which the app is known whose share of the quota is used. Null once the scope is erased: only a revoke is left. */
  readonly scopeId: ScopeId | null;
}

/** The app has used up its share of the registration's quota: nobody else's calls are held back for it. */
export class ShareSpent extends ProviderError {
  constructor(retryAfterSeconds: number) {
    super('QuotaSpent', "The app's share of the registration's daily quota is used up.", { retryAfterSeconds });
  }
}

/**
 * What an adapter is given for its calls: each HTTP request is counted against the app's share of the daily quota, and goes
 * out in its turn, over all workers together.
 */
export function createMeteredCall(deps: Deps, caller: Caller, kind: 'CLIENT' | 'READ', signal: AbortSignal): Call {
  const { sql, facts, callsPerSecond } = deps;
  const { provider, registrationId, scopeId } = caller;
  const patience = kind === 'READ' ? READ_PATIENCE_SECONDS : CLIENT_PATIENCE_SECONDS;

  /** @throws ProviderError `RetryLater` when its turn is too far away, or the signal comes first. */
  async function waitForTurn(patienceSeconds: number | null): Promise<void> {
    const pace = { callsPerSecond: callsPerSecond[provider], patienceSeconds };
    const { taken, waitSeconds } = await takeTurn(sql, provider, pace);
    if (!taken) {
      const message = 'Too many calls to the provider are waiting for their turn.';
      throw new ProviderError('RetryLater', message, { retryAfterSeconds: waitSeconds });
    }
    await delay(Math.min(waitSeconds, LONGEST_WAIT_SECONDS) * 1000, undefined, { signal }).catch(() => {
      throw new ProviderError('RetryLater', 'A call was given up before its turn.');
    });
  }

  return {
    signal,
    async admit({ quotaUnits, cannotWait }) {
      await waitForTurn(cannotWait ? null : patience);
      if (quotaUnits === 0 || scopeId === null) return;
      const use = { registrationId, scopeId, units: quotaUnits };
      const { counted, resetSeconds } = await countUnits(sql, use, listDailyQuotas(facts));
      if (!counted) throw new ShareSpent(resetSeconds);
    },
  };
}

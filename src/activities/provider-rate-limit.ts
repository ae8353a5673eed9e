import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderName } from '../basics/codes.ts';
import type { AppId, RegistrationId } from '../basics/ids.ts';
import type { PermitOf, Purpose } from '../domain/access/may-call.ts';
import { listDailyQuotas } from '../providers/facts.ts';
import { type Call, ProviderError } from '../providers/provider.ts';
import { takeSlot } from '../store/provider-rate-limit.ts';
import { countUnits } from '../store/registrations/registration-usage.ts';
import type { Deps } from './deps.ts';
import { getStepLimits, STEP_MS } from './provider-activity.ts';
import { MOST_AHEAD_SECONDS, type QueueName } from './provider-queue.ts';
import { requirePermit } from './require-permit.ts';

/** How long the first call of a step waits for its slot. */
const PATIENCE_SECONDS = { CONNECTS: MOST_AHEAD_SECONDS, GRANTS: MOST_AHEAD_SECONDS, READS: 5 };
/** The longest wait of a call that cannot be postponed; after it, the call starts before its slot. */
const LONGEST_WAIT_SECONDS = 30;
/** A slot is of no use to a step that has less time left than one call may take. */
const LAST_SLOT_MS = STEP_MS - 15_000;

/** The registration and app that a call belongs to. */
export interface Caller<P extends Purpose = Purpose> {
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  /** Null for a call of our own. */
  readonly appId: AppId | null;
  /** Whether an automatic refresh makes the call: then it counts against the share of these, too. */
  readonly forRefresh?: boolean;
  /** The row that asks for the call, of which each request needs a permit. */
  readonly purpose: P;
}

/** The app, or automatic refreshes, have used up their share of the registration's quota. Other calls continue. */
export class ShareSpent extends ProviderError {
  constructor(retryAfterSeconds: number) {
    super('QuotaSpent', "A share of the registration's daily quota is used up.", { retryAfterSeconds });
  }
}

/**
 * The meter that one step gives to an adapter. It holds each HTTP request until its slot in the given queue, counts it against
 * the app's share of the daily quota, and then asks for its permit.
 *
 * The first request fails with `OwnRateLimit` if its slot is far away: the worker's slot is free for others, and nothing
 * is lost. A later request waits as long as the step lasts, since failing would waste the quota that the step has used.
 */
export function createRateLimitedCall<P extends Purpose>(
  deps: Deps,
  caller: Caller<P>,
  queue: QueueName,
  signal: AbortSignal,
): Call<PermitOf<P>> {
  const { sql, facts } = deps;
  const { provider, registrationId, appId, forRefresh = false, purpose } = caller;
  const callsPerSecond = deps.callsPerSecond[provider];
  const lastSlotAtMs = performance.now() + LAST_SLOT_MS;
  const appKey = appId ?? registrationId;
  let hasSent = false;

  const throwAborted = (): never => {
    throw new ProviderError('RetryLater', 'A call was aborted before its slot.');
  };

  /** Waits for a slot in the queue. @throws ProviderError `OwnRateLimit` when none comes in time */
  async function takeInQueue(): Promise<number> {
    const patienceSeconds = Math.min(PATIENCE_SECONDS[queue], getStepLimits().patienceSeconds);
    const latestAtMs = hasSent ? lastSlotAtMs : performance.now() + patienceSeconds * 1000;
    const slot = await deps.providerQueues[provider][queue]
      .waitForSlot(appKey, latestAtMs, signal)
      .catch((error: unknown) => (error === signal.reason ? throwAborted() : Promise.reject(error)));
    if (slot.taken) return slot.waitSeconds;
    throw new ProviderError('OwnRateLimit', 'Too many calls to the provider are waiting for their slot.', {
      retryAfterSeconds: Math.max(slot.waitSeconds, 1 / callsPerSecond),
    });
  }

  /** The next slot at any distance, which moves all others back. */
  async function takeAtOnce(): Promise<number> {
    const share = queue === 'READS' ? null : queue;
    const slot = await takeSlot(sql, provider, { callsPerSecond, share, patienceSeconds: null });
    return Math.min(slot.waitSeconds, LONGEST_WAIT_SECONDS);
  }

  return {
    signal,
    async admit({ quotaUnits, cannotWait }) {
      const waitSeconds = await (cannotWait ? takeAtOnce() : takeInQueue());
      await delay(waitSeconds * 1000, undefined, { signal }).catch(throwAborted);
      if (quotaUnits > 0 && appId !== null) {
        const use = { registrationId, appId, units: quotaUnits, forRefresh };
        const { counted, resetSeconds } = await countUnits(sql, use, listDailyQuotas(facts));
        if (!counted) throw new ShareSpent(resetSeconds);
      }
      // The permit comes after the wait for the slot, immediately before the request.
      const permit = await requirePermit(sql, purpose);
      hasSent = true;
      return permit;
    },
  };
}

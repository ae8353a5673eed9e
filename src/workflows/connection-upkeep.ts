import * as wf from '@temporalio/workflow';
import { Priority, proxyGrants, store } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showStep, showTry, showWait, toProgressCode } from './progress.ts';
import { isOwnDelay, readFailure } from './read-failure.ts';

const HOUR_SECONDS = 60 * 60;
/** After a temporary failure the next upkeep is due the same day; after any other failure a day later. */
const SOON_SECONDS = 6 * HOUR_SECONDS;
const COOL_DOWN_SECONDS = 24 * HOUR_SECONDS;
/** The person has withdrawn a permission, or closed the channel: no operator can repair that. */
const OF_PERSON = ['PermissionMissing', 'AccountUnusable'];
/** How often one run waits for our own rate limit, or for our own database, before it postpones the upkeep. */
const OWN_DELAYS = 60;

/** Refreshes a grant before it expires and reads a profile before it is too old. The row says when the next upkeep is due. */
export async function connectionUpkeep({
  connectionId,
  provider,
  urgency,
}: InputOf<'connectionUpkeep'>): Promise<void> {
  const { checkGrant } = proxyGrants(provider, 'upkeep', urgency === 'SOON' ? Priority.release : Priority.upkeep);
  showStep('UPKEEP');
  for (let waits = 0; ; waits += 1) {
    try {
      await checkGrant({ connectionId });
      showStep('ENDED', 'Upkeep done.');
      return;
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      if (isOwnDelay(type) && waits < OWN_DELAYS) {
        const [waitingFor, cause] =
          type === 'OwnRateLimit'
            ? (['RATE_LIMIT', 'our own rate limit'] as const)
            : (['NEXT_TRY', 'our own database'] as const);
        const waitMs = Math.max(1, retryAfterSeconds ?? 0) * 1000;
        showWait(waitingFor, Date.now() + waitMs, {
          failed: { tries: 0, code: toProgressCode(type) },
          details: `Waiting for ${cause}.`,
        });
        await wf.sleep(waitMs, { summary: cause });
        showTry();
        continue;
      }
      showStep('RECORD_END', `Upkeep failed: ${type}.`);
      if (type === 'GrantDead') return; // The connection's row already asks for a reconnect.
      const isTemporary = type === 'RetryLater' || type === 'Interrupted' || isOwnDelay(type) || type === 'QuotaSpent';
      const pause = isTemporary ? SOON_SECONDS : COOL_DOWN_SECONDS;
      await store.postponeUpkeep({
        connectionId,
        seconds: Math.max(pause, retryAfterSeconds ?? 0),
        hasFailed: !OF_PERSON.includes(type),
      });
      return;
    }
  }
}

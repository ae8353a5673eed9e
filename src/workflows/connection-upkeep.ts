import * as wf from '@temporalio/workflow';
import { isOwnDelay, ruleOf } from '../basics/failures.ts';
import { Priority, proxyGrants, store } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd, showStep, showTry, showWait, toProgressCode } from './progress.ts';
import { getWaitAfter, readFailure } from './read-failure.ts';

const HOUR_SECONDS = 60 * 60;
/**
 * After a temporary failure the next upkeep is due the same day; after any other failure a day later. A refusal that is not confirmed yet
 * is asked for again within minutes, as by a read.
 */
const SOON_SECONDS = 6 * HOUR_SECONDS;
const COOL_DOWN_SECONDS = 24 * HOUR_SECONDS;
/** How often one run waits for our own rate limit, or for our own database, before it postpones the upkeep. */
const OWN_DELAYS = 60;

/** Refreshes a grant before it expires and reads a profile before it is too old. The row has the time of the next upkeep. */
export async function connectionUpkeep({
  connectionId,
  provider,
  urgency,
}: InputOf<'connectionUpkeep'>): Promise<void> {
  const { checkGrant } = proxyGrants(provider, 'upkeep', urgency === 'SOON' ? Priority.revoke : Priority.upkeep);
  showStep('UPKEEP');
  for (let waits = 0; ; waits += 1) {
    try {
      await checkGrant({ connectionId });
      return showEnd('Upkeep done.');
    } catch (error) {
      const { type, retryAfterSeconds, isUnconfirmed } = readFailure(error);
      if (isOwnDelay(type) && waits < OWN_DELAYS) {
        const waitingFor = getWaitAfter(type);
        const cause = waitingFor === 'RATE_LIMIT' ? 'our own rate limit' : 'our own database';
        const waitMs = Math.max(1, retryAfterSeconds ?? 0) * 1000;
        showWait(waitingFor, Date.now() + waitMs, {
          failed: { tries: 0, code: toProgressCode(type) },
          details: `Waiting for ${cause}.`,
        });
        await wf.sleep(waitMs, { summary: cause });
        showTry();
        continue;
      }
      const details = `Upkeep failed: ${type}.`;
      showStep('RECORD_END', details);
      const { shows, upkeep } = ruleOf(type).grant;
      // The row of a connection with a dead grant already asks for a reconnect.
      if (shows === 'DEAD') return showEnd(details, toProgressCode(type));
      const pause = isUnconfirmed ? 0 : upkeep === 'SOON' ? SOON_SECONDS : COOL_DOWN_SECONDS;
      await store.postponeUpkeep({
        connectionId,
        seconds: Math.max(pause, retryAfterSeconds ?? 0),
        // The person has withdrawn a permission, or closed the channel: no operator can repair that.
        hasFailed: shows !== 'ALIVE',
      });
      return showEnd(details, toProgressCode(type));
    }
  }
}

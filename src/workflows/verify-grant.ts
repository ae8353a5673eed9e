import * as wf from '@temporalio/workflow';
import type { ProviderName } from '../basics/codes.ts';
import type { JobErrorCode } from '../basics/failure-codes.ts';
import { isOwnDelay, ruleOf } from '../basics/failures.ts';
import type { ConnectionId } from '../basics/ids.ts';
import { Priority, proxyGrants, store } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd, showStep, showTry, showWait, toProgressCode } from './progress.ts';
import { getWaitAfter, readFailure } from './read-failure.ts';
import { countRetrySignals, isHistoryLong } from './retry-until-settled.ts';

const FIRST_WAIT_SECONDS = 60;
/** The longest wait, also when the provider asks for more: suspended connections wait for the answer. */
const LONGEST_WAIT_SECONDS = 60 * 60;

/** The state of one connection's verification. One run hands it to the next. */
export interface PendingVerification {
  readonly tries: number;
  /** The earliest next try, in ms since the epoch; 0 for at once. */
  readonly notBeforeMs: number;
}

/** The wait for the next check of one connection. */
export interface NextCheck {
  readonly waitingFor: 'NEXT_TRY' | 'RATE_LIMIT';
  /** In ms since the epoch. */
  readonly until: number;
  readonly tries: number;
  /** Null if the last failure was an earlier run's. */
  readonly code: JobErrorCode | null;
}

const NOT_TRIED: PendingVerification = { tries: 0, notBeforeMs: 0 };

/**
 * Verifies a grant that may have ended: its platform sent a notification, or a revoke may have ended it too. Only the
 * platform's answer to a call with the grant counts.
 */
export async function verifyGrant(
  input: InputOf<'verifyGrant'> & { readonly pending?: PendingVerification },
): Promise<void> {
  const { connectionId, provider, pending: before = NOT_TRIED } = input;
  const countSignals = countRetrySignals();
  showStep('VERIFY', 'The grant may have ended: asking its platform.');
  const report = (wait: NextCheck | null) =>
    wait === null ? showTry() : showWait(wait.waitingFor, wait.until, { failed: wait });
  const getPending = await verifyUntilAnswered(connectionId, provider, { countSignals, report }, before);
  if (getPending !== undefined) await wf.continueAsNew<typeof verifyGrant>({ ...input, pending: getPending() });
  showEnd('The platform has answered; the connection shows the result.');
}

/**
 * Asks the provider until it answers whether a connection's grant is alive. A suspended connection with a live grant resumes.
 * @param report is called when a wait begins, and with null when it ends.
 * @returns a function that returns the state, if the run has to continue as new first. Call it last: until then a signal
 * still counts.
 */
export async function verifyUntilAnswered(
  connectionId: ConnectionId,
  provider: ProviderName,
  { countSignals, report }: { countSignals(): number; report(wait: NextCheck | null): void },
  { tries, notBeforeMs }: PendingVerification = NOT_TRIED,
): Promise<(() => PendingVerification) | undefined> {
  const { checkGrant } = proxyGrants(provider, 'check the grant', Priority.refresh);
  let seen = 0; // A signal that arrived before the first task of this run counts too.
  let failed: Pick<NextCheck, 'waitingFor' | 'code'> = { waitingFor: 'NEXT_TRY', code: null };
  let summary = 'next check';
  for (;;) {
    const waitMs = notBeforeMs - Date.now();
    if (waitMs > 0) {
      report({ ...failed, until: notBeforeMs, tries });
      await wf.condition(() => countSignals() > seen || isHistoryLong(), waitMs, { summary });
    }
    if (isHistoryLong()) return () => ({ tries, notBeforeMs: countSignals() > seen ? 0 : notBeforeMs });
    report(null);
    seen = countSignals(); // A signal that arrives during a try asks for another try after it.
    try {
      await checkGrant({ connectionId });
      break;
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      const { shows } = ruleOf(type).grant;
      if (shows === 'DEAD') return undefined; // The connection's row already asks for a reconnect.
      if (shows === 'ALIVE' || shows === 'OTHER_ACCOUNT') break;
      // A delay of our own is no failure of the provider: the back-off stays the same.
      const backOff = isOwnDelay(type) ? 1 : FIRST_WAIT_SECONDS * 2 ** Math.min(tries, 6);
      if (!isOwnDelay(type)) tries += 1;
      notBeforeMs = Date.now() + Math.min(LONGEST_WAIT_SECONDS, Math.max(backOff, retryAfterSeconds ?? 0)) * 1000;
      failed = { waitingFor: getWaitAfter(type), code: toProgressCode(type) };
      summary = `next check: ${type}`;
    }
  }
  await store.resumeSibling({ connectionId });
  return undefined;
}

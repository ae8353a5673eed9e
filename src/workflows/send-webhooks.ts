import * as wf from '@temporalio/workflow';
import { proxyWebhooks } from './calls.ts';
import { type InputOf, WEBHOOKS_DUE } from './contract.ts';
import { markFailure, showEnd, showStep, showWait } from './progress.ts';
import type { WaitingDeliveries } from './results.ts';
import { isHistoryLong } from './retry-until-settled.ts';

/** @internal */
export const webhooksDue = wf.defineSignal(WEBHOOKS_DUE);

/** The wait of a run for further events before it ends: a busy endpoint keeps one run, a quiet one needs none. */
const LINGER_SECONDS = 30;
/** The highest number to which the activity counts. */
const MOST_COUNTED = 10;

/**
 * Sends an app's webhooks to one endpoint: all due ones, then waits for the next try or for a signal. One timer waits for
 * all deliveries of the endpoint. All state is in the rows, so a new run continues where another one ended.
 */
export async function sendWebhooks(input: InputOf<'sendWebhooks'>): Promise<void> {
  let signals = 0;
  wf.setHandler(
    webhooksDue,
    () => {
      signals += 1;
    },
    { description: 'Sends due webhooks at once. Takes no input; safe to repeat.' },
  );
  const { sendDueWebhooks } = proxyWebhooks();
  for (;;) {
    // One signal, or many, during a try: one more try follows it.
    const seen = signals;
    showStep('SEND_WEBHOOKS', 'Sending.');
    const { waitSeconds, paused, waiting } = await sendDueWebhooks(input);
    if (waiting !== undefined || waitSeconds === null) markFailure(waiting?.lastAnswer ?? null);
    if (waitSeconds !== 0) {
      const idle = waitSeconds === null;
      const waitMs = (waitSeconds ?? LINGER_SECONDS) * 1_000;
      const until = new Date(Date.now() + waitMs).toISOString();
      showWait(idle ? 'EVENTS' : 'NEXT_TRY', until, {
        failed: { tries: waiting?.tries ?? 0, code: waiting?.lastAnswer ?? null },
        details: idle ? 'Nothing to send.' : describeWait(paused, until, waiting),
      });
      const summary = idle ? 'further events' : nameTry(waiting);
      const woken = await wf.condition(() => signals > seen, waitMs, { summary });
      if (idle && !woken) return showEnd('Nothing to send.');
    }
    if (isHistoryLong()) await wf.continueAsNew<typeof sendWebhooks>(input);
  }
}

const nameTry = (waiting: WaitingDeliveries | undefined): string =>
  waiting?.lastAnswer ? `next try: ${waiting.lastAnswer}` : 'next try';

function describeWait(paused: boolean, until: string, waiting: WaitingDeliveries | undefined): string {
  const next = `Next try ${until}; the signal ${WEBHOOKS_DUE} asks for one at once.`;
  if (waiting === undefined) return `Our own database is away. ${next}`;
  const { count, since, tries, lastAnswer } = waiting;
  const what = `${count}${count === MOST_COUNTED ? ' or more' : ''} ${count === 1 ? 'delivery waits' : 'deliveries wait'}, the oldest since ${since}.`;
  const last = lastAnswer === null ? '' : ` Last answer ${lastAnswer}, try ${tries} of 10.`;
  const pause = paused ? ' The endpoint is paused: it fails, or asked us to wait.' : '';
  return `${what}${last}${pause} ${next}`;
}

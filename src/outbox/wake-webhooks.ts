import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../basics/log.ts';
import { type Database, inTransaction } from '../store/driver/sql.ts';
import { insertDispatches } from '../store/outbox.ts';
import { hasWebhookWakes, takeWebhookWakes } from '../store/webhooks/webhook-wakes.ts';
import { buildDispatch } from '../workflows/dispatches.ts';
import type { Dispatcher } from './dispatcher.ts';

/** A committed event waits so long at most, so that its transaction need not notify anybody (D-256). */
const LOOK_EVERY_MS = 100;
/** Of its time: dead rows that a long transaction keeps make a look dearer. */
const LARGEST_SHARE = 0.1;
const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * Turns the wakes of committed events into entries of the outbox, one for each endpoint.
 * @returns how many there were, and whether more may be left. @internal
 */
export async function wakeWebhooks(sql: Database): Promise<{ count: number; isFull: boolean }> {
  if (!(await hasWebhookWakes(sql))) return { count: 0, isFull: false };
  return await inTransaction(sql, async (tx) => {
    const { count, isFull, endpoints } = await takeWebhookWakes(tx);
    await insertDispatches(
      tx,
      endpoints.map((endpoint) => buildDispatch('sendWebhooks', { ...endpoint, correlationId: null })),
    );
    return { count, isFull };
  });
}

/** Wakes the workflows of endpoints soon after their events commit, whichever process wrote them. */
export function pollWebhookWakes(
  { sql, log }: { sql: Database; log: Log },
  { deliverSoon }: Pick<Dispatcher, 'deliverSoon'>,
): { close(): Promise<void> } {
  const closing = new AbortController();
  const poll = async () => {
    while (!closing.signal.aborted) {
      const beganAtMs = performance.now();
      let pauseMs = LOOK_EVERY_MS;
      try {
        const { count, isFull } = await wakeWebhooks(sql);
        if (count > 0) deliverSoon();
        // Behind those of one app, others wait: a backlog is taken without a pause.
        pauseMs = isFull ? 0 : Math.max(LOOK_EVERY_MS, (performance.now() - beganAtMs) / LARGEST_SHARE);
      } catch (error) {
        log.debug('Webhooks not woken', { error });
        pauseMs = PAUSE_AFTER_ERROR_MS;
      }
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const polling = poll();
  return {
    async close() {
      closing.abort();
      await polling;
    },
  };
}

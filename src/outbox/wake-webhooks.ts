import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../basics/log.ts';
import { type Database, inTransaction } from '../store/driver/sql.ts';
import { insertDispatches } from '../store/outbox.ts';
import { hasWebhookWakes, takeWebhookWakes } from '../store/webhooks/webhook-wakes.ts';
import { buildDispatch } from '../workflows/dispatches.ts';
import type { Dispatcher } from './dispatcher.ts';

/** The longest wait of a committed event. Its transaction does not notify: commits would wait for each other (D-256). */
const LOOK_EVERY_MS = 1_000;
/** Most events commit in an activity of this process: it queries after each one, at most this often. */
const LOOK_AGAIN_MS = 100;
/** The most of its time for these queries: dead rows that a long transaction keeps make them more expensive. */
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

/** Wakes the workflows of endpoints soon after their events commit, in this process or another one. */
export interface WebhookWakes {
  /** Queries again soon: this process may have committed an event. */
  lookSoon(): void;
  close(): Promise<void>;
}

export function pollWebhookWakes(
  { sql, log }: { sql: Database; log: Log },
  { deliverSoon }: Pick<Dispatcher, 'deliverSoon'>,
): WebhookWakes {
  const closing = new AbortController();
  let asked = new AbortController();
  const rest = (ms: number, { signal }: AbortController) => delay(ms, undefined, { signal }).catch(() => undefined);

  /** @returns the least time until the next query, in ms; 0 if that must follow at once. */
  async function look(): Promise<number> {
    const beganAtMs = performance.now();
    try {
      const { count, isFull } = await wakeWebhooks(sql);
      if (count > 0) deliverSoon();
      // Others wait behind the events of one app, so a backlog is taken without a pause.
      return isFull ? 0 : Math.max(LOOK_AGAIN_MS, (performance.now() - beganAtMs) / LARGEST_SHARE);
    } catch (error) {
      log.debug('Webhooks not woken', { error });
      return PAUSE_AFTER_ERROR_MS;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      asked = new AbortController(); // Before the query, which may miss rows that commit meanwhile.
      const leastMs = await look();
      if (leastMs === 0) continue;
      await rest(leastMs, closing);
      await rest(LOOK_EVERY_MS - leastMs, asked);
    }
  }
  const polling = run();
  return {
    lookSoon: () => asked.abort(),
    async close() {
      closing.abort();
      asked.abort();
      await polling;
    },
  };
}

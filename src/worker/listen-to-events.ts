import type { WorkerConfig } from '../config.ts';
import type { Log } from '../log.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import { listen } from '../store/notifications.ts';

/**
 * Delivers the outbox entry of an event as soon as its transaction commits, whichever process wrote it. Without
 * notifications, behind a pooler that drops them, the sweep delivers it within ten seconds.
 */
export function listenToEvents(
  config: Pick<WorkerConfig, 'DATABASE_URL' | 'DATABASE_CA'>,
  { deliverSoon }: Pick<Dispatcher, 'deliverSoon'>,
  log: Log,
) {
  return listen(
    config.DATABASE_URL,
    { channel: 'webhooks_due', applicationName: 'worker', ca: config.DATABASE_CA },
    {
      notified: deliverSoon,
      listening: deliverSoon,
      lost: (error) => log.debug('No notifications of webhook events', { error }),
    },
  );
}

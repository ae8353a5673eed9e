import { bodyLimit } from 'hono/body-limit';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from 'social-account-connection-client';
import { newRoutes, type Studio } from '../context.ts';

/** Far larger than any event. */
const limit = bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.text('Too large.', 413) });

/**
 * Takes the service's webhooks. An event tells only that something changed: the pages it concerns read the service again. So an
 * event that arrives twice or late does no harm, and this application keeps no list of the events it has seen.
 */
export function webhookRoutes({ config, sessions, storage }: Studio) {
  const routes = newRoutes();
  if (config.WEBHOOK_SECRETS.length === 0) return routes;

  routes.post('/webhooks', limit, async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer()); // As it arrived: the signature covers every byte.
    try {
      announce(await verifyWebhook({ headers: c.req.raw.headers, body }, config.WEBHOOK_SECRETS));
    } catch (error) {
      if (error instanceof WebhookVerificationError) return c.text('The signature does not fit.', 400);
      throw error;
    }
    return c.body(null, 204); // Answers at once: the pages do the work.
  });

  /** Tells the people whose pages an event changes. */
  function announce({ data }: WebhookEvent): void {
    const started = 'sessionId' in data ? sessions.findByAttempt(data.sessionId) : undefined;
    const owner = data.connectionId === null ? undefined : storage.findOwner(data.connectionId);
    const own = owner === undefined ? [] : sessions.listOf(owner.id);
    for (const session of new Set([...own, ...(started ? [started] : [])])) session.changes.announce();
  }

  return routes;
}

import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from 'social-account-connection-client';
import type { Studio, StudioEnv } from '../context.ts';
import type { Session } from '../sessions.ts';

/** Far larger than any event. */
const MAX_EVENT_BYTES = 64 * 1024;

/**
 * Takes the service's webhooks. An event tells only that something changed: the pages it concerns read the service again. So an
 * event that arrives twice or late does no harm, and this application keeps no list of the events it has seen.
 */
export function webhookRoutes({ config, sessions, storage }: Studio): Hono<StudioEnv> {
  const routes = new Hono<StudioEnv>();
  if (config.webhookSecrets.length === 0) return routes;

  routes.post(
    '/webhooks',
    bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: (c) => c.text('Too large.', 413) }),
    async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer()); // As it arrived: the signature covers every byte.
      let event: WebhookEvent;
      try {
        event = await verifyWebhook({ headers: c.req.raw.headers, body }, config.webhookSecrets);
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        return c.text('The signature does not fit.', 400);
      }
      for (const session of findSessions(event)) session.changes.announce();
      return c.body(null, 204); // Answers at once: the pages do the work.
    },
  );

  /** The people whose pages an event changes. */
  function findSessions({ data }: WebhookEvent): readonly Session[] {
    const started = 'sessionId' in data ? sessions.findByAttempt(data.sessionId) : undefined;
    const owner = data.connectionId === null ? undefined : storage.findOwner(data.connectionId);
    const own = owner === undefined ? [] : sessions.listOf(owner.id);
    return started === undefined || own.includes(started) ? own : [...own, started];
  }

  return routes;
}

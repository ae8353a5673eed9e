import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { verifyWebhook, WebhookVerificationError } from 'social-account-connection-client';
import { newRoutes, type Studio } from '../context.ts';
import { findAccount, findReceipt } from '../storage.ts';
import { getAccountName } from '../texts.ts';

/** Shorter than the idle time-outs of common proxies. It also finds browsers that have gone. */
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Open pages of one browser. Only pages in view have a stream. */
const MAX_STREAMS_OF_SESSION = 6;
const MAX_STREAMS = 1_000;

/**
 * Server-sent events: notifies a page that it shows old data. A stream belongs to the session of its cookie and carries nothing
 * but a version, so there is no id that a stranger could ask for.
 */
export function eventRoutes({ config }: Studio) {
  const routes = newRoutes();
  if (config.WEBHOOK_SECRETS.length === 0) return routes; // Nothing would ever be announced.
  let streams = 0;

  routes.get('/events', (c) => {
    const { session } = c.get('visit');
    if (session === undefined) return c.text('No session.', 401);
    const { changes, expiresAtMs } = session;
    if (streams >= MAX_STREAMS || changes.streams >= MAX_STREAMS_OF_SESSION) return c.text('Too many streams.', 429);
    streams += 1;
    changes.streams += 1;
    c.header('x-accel-buffering', 'no'); // Nginx would hold the events back.
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => changes.wake());
      try {
        // The content of the page. A browser that reconnects repeats the last id it received.
        let seen = c.req.header('last-event-id') ?? c.req.query('seen');
        await stream.write(`retry: ${RETRY_MS}\n\n`);
        while (!stream.aborted && !changes.isOver && Date.now() < expiresAtMs) {
          const { version } = changes; // Several changes become one event: a slow reader makes no queue.
          if (seen === version) await stream.write(':\n\n');
          else await stream.writeSSE({ event: 'changed', id: version, data: version });
          seen = version;
          if (seen !== changes.version || stream.aborted || changes.isOver) continue;
          await changes.wait(Math.min(HEARTBEAT_MS, expiresAtMs - Date.now()));
        }
      } finally {
        streams -= 1;
        changes.streams -= 1;
      }
    });
  });

  return routes;
}

/** Far larger than any event. */
const limit = bodyLimit({ maxSize: 64 * 1024, onError: (c) => c.text('Too large.', 413) });

/**
 * Takes the service's webhooks. An event announces only that something changed: the pages it concerns read the service again. So an
 * event that arrives twice or late does no harm, and this application keeps no list of the events it has seen.
 */
export function webhookRoutes({ config, sessions, storage }: Studio) {
  const routes = newRoutes();
  if (config.WEBHOOK_SECRETS.length === 0) return routes;

  routes.post('/webhooks', limit, async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer()); // As it arrived: the signature covers every byte.
    try {
      const { type, timestamp, data } = await verifyWebhook(
        { headers: c.req.raw.headers, body },
        config.WEBHOOK_SECRETS,
      );
      const owner = data.connectionId === null ? undefined : storage.findOwner(data.connectionId);
      if (owner !== undefined && data.connectionId !== null) {
        const { connectionId } = data;
        const known = findAccount(owner, connectionId);
        const isDisconnect = type === 'connection.disconnected' || type === 'receipt.settled';
        // An operator or the platform can end the access, too. The person then finds the receipt on the home page. Any event can come first.
        if (isDisconnect && known !== undefined && findReceipt(owner, connectionId) === undefined) {
          const name = getAccountName({ ...known, profile: null }, known);
          storage.saveReceipt(owner, { connectionId, provider: known.provider, name, at: timestamp });
        }
        const receipt = findReceipt(owner, connectionId);
        if (type === 'receipt.settled' && receipt !== undefined) {
          const job = data.kind === 'REVOKE' ? { revokeJobId: data.jobId } : { eraseJobId: data.jobId };
          storage.saveReceipt(owner, { ...receipt, ...job });
        }
        // The application's copies of an account end with it.
        if (type === 'connection.erased') storage.deleteAccount(owner, connectionId);
      }
      const attemptId = 'sessionId' in data ? data.sessionId : undefined;
      for (const { changes } of sessions.list({ userId: owner?.id, attemptId })) changes.announce();
    } catch (error) {
      if (error instanceof WebhookVerificationError) return c.text('The signature does not fit.', 400);
      throw error;
    }
    return c.body(null, 204); // Answers at once: the pages do the work.
  });

  return routes;
}

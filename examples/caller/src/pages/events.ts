import { streamSSE } from 'hono/streaming';
import { newRoutes, type Studio } from '../context.ts';

/** Shorter than the idle time-outs of common proxies. It also finds browsers that have gone. */
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Open pages of one browser. Only pages in view have a stream. */
const MAX_STREAMS_OF_SESSION = 6;
const MAX_STREAMS = 1_000;

/**
 * Server-sent events: tells a page that it shows old data. A stream belongs to the session of its cookie and carries nothing
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
        // What the page shows. A browser that reconnects repeats the last id it received.
        let seen = c.req.header('last-event-id') ?? c.req.query('seen');
        await stream.write(`retry: ${RETRY_MS}\n\n`);
        while (!stream.aborted && !changes.isOver && Date.now() < expiresAtMs) {
          if (seen === changes.version) await stream.write(':\n\n');
          else {
            seen = changes.version; // Several changes become one event: a slow reader makes no queue.
            await stream.writeSSE({ event: 'changed', id: seen, data: seen });
          }
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

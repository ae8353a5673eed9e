import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { World } from './world.ts';

/**
 * Keeps what changes the sandbox to people and tests on this machine: not other hosts, not a page of another site that
 * a browser here has open, and not a name that was made to point here.
 */
export function refuseOtherHosts(
  world: World,
  allowNonLoopback: boolean,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const remote = context.env.incoming.socket.remoteAddress ?? '';
    const isNear = allowNonLoopback || remote === '::1' || /^(::ffff:)?127\./.test(remote);
    const host = (context.req.header('host') ?? '').replace(/:\d+$/, '');
    const isOurName = ['127.0.0.1', 'localhost', '[::1]', new URL(world.url).hostname].includes(host);
    const isReading = context.req.method === 'GET'; // A link from the application leads here, too.
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (!isNear || !isOurName || !(isReading || ['none', 'same-origin'].includes(site))) {
      return context.json({ error: 'The control API answers to this machine only.' }, 403);
    }
    return await next();
  };
}

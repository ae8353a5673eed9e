import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { World } from './world.ts';

/**
 * Lets only people and tests on this machine change the sandbox. It refuses other hosts, pages of other sites in a local
 * browser, and foreign names that resolve to this machine (DNS rebinding).
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
    const isReading = context.req.method === 'GET'; // Applications may link to these pages.
    const site = context.req.header('sec-fetch-site') ?? 'none';
    if (!isNear || !isOurName || !(isReading || ['none', 'same-origin'].includes(site))) {
      return context.json({ error: 'The control API answers only requests from this machine.' }, 403);
    }
    return await next();
  };
}

import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type ListenAt, listen } from '../basics/listen.ts';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `/healthz`: the process is alive. `/readyz`: its workers poll, and the database can be used; otherwise 503 with the reasons. Answers
 * OPTIONS too, at `/` like `/readyz`, and HTTP/1.0, as HAProxy needs it.
 * @throws ListenError
 */
export async function startHealthServer(
  options: ListenAt,
  unready: () => Promise<readonly string[]>,
): Promise<HealthServer> {
  const app = new Hono();
  const answerReadiness = async (c: Context) => {
    const reasons = await unready();
    return reasons.length === 0 ? c.text('ready') : c.text(reasons.join('\n'), 503);
  };
  app.on(['GET', 'OPTIONS'], '/healthz', (c) => c.text('alive'));
  app.on(['GET', 'OPTIONS'], '/readyz', answerReadiness);
  app.options('/', answerReadiness);
  const server = createAdaptorServer({ fetch: app.fetch, hostname: 'localhost' }) as Server;
  return {
    port: await listen(server, options),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

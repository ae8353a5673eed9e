import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `/healthz`: the process is alive. `/readyz`: its workers poll, and the database can be used; otherwise 503 with the reasons. */
export async function startHealthServer(
  options: { host: string; port: number },
  unready: () => Promise<readonly string[]>,
): Promise<HealthServer> {
  const app = new Hono();
  app.get('/healthz', (c) => c.text('alive'));
  app.get('/readyz', async (c) => {
    const reasons = await unready();
    return reasons.length === 0 ? c.text('ready') : c.text(reasons.join('\n'), 503);
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : options.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

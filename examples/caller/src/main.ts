import { serve } from '@hono/node-server';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

/** How long requests may continue after the process has received a stop signal. */
const GRACE_MS = 3_000;

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

try {
  const config = readConfig(process.env);
  const { HOST: hostname, PORT: port } = config;
  const { fetch } = createApp(config);
  const server = serve({ fetch, hostname, port }, () => console.log(`Demo Studio is running at ${config.PUBLIC_URL}`));
  server.on('error', fail);
  const stop = () => {
    server.close(() => process.exit(0));
    setTimeout(() => process.exit(0), GRACE_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
} catch (error) {
  fail(error);
}

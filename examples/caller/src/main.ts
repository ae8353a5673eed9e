import { serve } from '@hono/node-server';
import { createApp } from './app.tsx';
import { readConfig } from './config.ts';

/** How long requests may continue after the process has received a stop signal. */
const GRACE_MS = 3_000;

function main(): void {
  const config = readConfig(process.env);
  const server = serve({ fetch: createApp(config).fetch, hostname: config.host, port: config.port }, () =>
    console.log(`Demo Studio is running at ${config.publicUrl}`),
  );
  server.on('error', fail);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0));
      setTimeout(() => process.exit(0), GRACE_MS).unref();
    });
  }
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

try {
  main();
} catch (error) {
  fail(error);
}

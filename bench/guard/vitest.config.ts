import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Starts the services of one version as tests do, and keeps them for as long as the guard asks. */
export default defineConfig({
  test: {
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['bench/guard/serve.bench.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    testTimeout: 0,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
});

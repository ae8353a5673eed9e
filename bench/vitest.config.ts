import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { resolve } from '../vitest.config.ts';

/** Measures whole services, built like those of the tests. One runs at a time, with the machine to itself. */
export default defineConfig({
  resolve,
  test: {
    root: path.join(import.meta.dirname, '..'),
    include: ['bench/*.bench.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});

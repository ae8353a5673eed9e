import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Separate from the other tests: these may call the real platforms, one call after the other. */
export default defineConfig({
  root: path.join(import.meta.dirname, '..', '..'),
  test: { include: ['test/contract/*.contract.ts'], testTimeout: 60_000, fileParallelism: false },
});

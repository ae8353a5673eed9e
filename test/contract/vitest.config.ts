import { defineConfig } from 'vitest/config';

/** Separate from the other tests: these may call the real platforms, one call after the other. */
export default defineConfig({
  test: { include: ['test/contract/*.contract.ts'], testTimeout: 60_000, fileParallelism: false },
});

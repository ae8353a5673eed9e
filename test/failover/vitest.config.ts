import { defineConfig } from 'vitest/config';

/** Run by `npm run test:failover`. */
export default defineConfig({
  test: {
    include: ['test/failover/*.failover.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    fileParallelism: false,
    testTimeout: 400_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});

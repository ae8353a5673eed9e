import { defineConfig } from 'vitest/config';

/** Run by `npm run test:kubernetes`. */
export default defineConfig({
  test: {
    include: ['test/kubernetes/*.kubernetes.ts'],
    globalSetup: 'test/kubernetes/cluster.ts',
    testTimeout: 400_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});

import { defineConfig } from 'vitest/config';

/** Run by `npm run test:hosting`. */
export default defineConfig({
  test: {
    include: ['test/hosting/*.hosting.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

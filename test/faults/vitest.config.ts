import { defineConfig } from 'vitest/config';

/** Run by `npm run test:faults`. */
export default defineConfig({
  test: {
    include: ['test/faults/*.faults.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});

import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Run by `npm run test:faults`. */
export default defineConfig({
  test: {
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['test/faults/*.faults.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});

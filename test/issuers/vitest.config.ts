import { defineConfig } from 'vitest/config';
import { resolve } from '../../vitest.config.ts';

/** Run by `npm run test:issuers`, which brings the servers. One at a time: Keycloak alone fills a core. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/issuers/*.issuers.ts'],
    globalSetup: ['test/kit/global-setup.ts'],
    maxWorkers: 1,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 400_000, // The first test of a file waits for its server.,
    hookTimeout: 300_000,
  },
});

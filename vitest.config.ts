import { defineConfig } from 'vitest/config';

/** Layers that are tested against a real Postgres and a real Temporal; both are started once for all of them. */
const SERVED = [
  'test/{store,activities,workflows,outbox,worker,cli,journal}/**/*.test.ts',
  'test/api/{resolvers,connect,admin,platform}/**/*.test.ts',
  'test/conformance/*.test.ts',
];
/** The whole service as its own processes, driven from outside. */
const STACK = ['test/stack/**/*.test.ts', 'test/conformance/service/*.test.ts'];

/** Tests of the example use the client's sources, not its last build. */
const resolve = {
  alias: { 'social-account-connection-client': `${import.meta.dirname}/clients/typescript/src/index.ts` },
};
const globalSetup = 'test/kit/global-setup.ts';

export default defineConfig({
  test: {
    // One process for each core: a whole service waits more than it computes, so two of them run side by side as well.
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          isolate: false,
          setupFiles: ['test/kit/shared-process.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...SERVED, ...STACK],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'services',
          include: SERVED,
          globalSetup: [globalSetup, 'test/kit/behaviours-report.ts'],
          isolate: false,
          setupFiles: ['test/kit/shared-process.ts'],
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          name: 'stack',
          include: STACK,
          globalSetup: [globalSetup, 'test/kit/conformance-report.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_LIMIT_MS, WAIT_LIMIT_MS } from './test/kit/limits.ts';

// Not a plain import: that would put the generators into the bundle of this file.
await import(path.join(import.meta.dirname, 'scripts', 'codegen.mjs'));

/** Layers that are tested against a real Postgres and a real Temporal; both are started once for all of them. */
const SERVED = [
  'test/{store,activities,workflows,outbox,temporal,worker,cli,journal,orders,issuers,year}/**/*.test.ts',
  'test/api/{resolvers,connect,admin,platform-callbacks}/**/*.test.ts',
  'test/conformance/*.test.ts',
];
/**
 * These have processes of their own. Temporal's replay leaves a hook on every promise of its process, which throws on Node 24, and the
 * orders replace Temporal's library.
 */
const ALONE = ['test/workflows/replay.test.ts', 'test/orders/*.test.ts', 'test/year/*.test.ts'];
/** The whole service as its own processes, driven from outside. */
const STACK = [
  'test/stack/**/*.test.ts',
  'test/browser/tasks/*.test.ts',
  'test/conformance/service/*.test.ts',
  'test/fourth/*.test.ts',
];
/** A test in the copy that the one of `test/fourth` makes. */
const COPIED = 'test/fourth/tree/**';
/** Minutes of upgrades, for `npm run test:upgrade`. */
const UPGRADES = ['test/stack/rolling-upgrade.test.ts'];
const UPGRADE = process.env.OPEN_WORKFLOWS === undefined ? UPGRADES : [];

export const resolve = {
  alias: {
    // Tests of the example use the client's sources, not its last build.
    'social-account-connection-client': `${import.meta.dirname}/clients/typescript/src/index.ts`,
    // The copy that the libraries load. With another one beside it, no compiled document with an argument works.
    graphql: `${import.meta.dirname}/node_modules/graphql/index.js`,
  },
};
const limits = { expect: { poll: { timeout: WAIT_LIMIT_MS } }, testTimeout: TEST_LIMIT_MS, hookTimeout: TEST_LIMIT_MS };
/** More than two cores: most tests wait for Postgres, Temporal or a page. */
const WAITING = 4;
const globalSetup = 'test/kit/global-setup.ts';
/** Not run by `npm test`, or under the conditions of `npm run test:odd`. An argument would not reach the projects. */
const leftOut = process.env.LEFT_OUT?.split(' ') ?? [];
/** A seed shuffles files and tests: as an argument, it would replace the order of the projects. */
const seed = process.env.SHUFFLE_SEED;
const shuffled = seed === undefined ? {} : { shuffle: { files: true, tests: true }, seed: Number(seed) };

const SECONDS = new Map(
  [
    ...readFileSync(path.join(import.meta.dirname, 'test', 'long-tests.md'), 'utf8').matchAll(
      /^\| \[[^\]]+\]\(([^)]+)\).* (\d+) \|$/gm,
    ),
  ].map(([, file = '', seconds]) => [path.join(import.meta.dirname, 'test', file), Number(seconds)]),
);
/** A long file that begins last would hold up the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification) => SECONDS.get(moduleId) ?? 0;
    return (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}

export default defineConfig({
  test: {
    sequence: seed === undefined ? { sequencer: LongestFirst } : shuffled,
    // All projects load the same sources: each is transformed once, until it changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: path.join(import.meta.dirname, '.cache', 'modules') },
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          ...limits,
          isolate: false,
          setupFiles: ['test/kit/shared-process.ts', 'test/kit/equal-secrets.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...SERVED, ...STACK, COPIED, ...leftOut],
          maxWorkers: WAITING,
          sequence: shuffled,
        },
      },
      {
        resolve,
        test: {
          name: 'services',
          ...limits,
          include: SERVED,
          exclude: [...ALONE, ...leftOut],
          globalSetup,
          isolate: false,
          setupFiles: ['test/kit/shared-process.ts', 'test/kit/equal-secrets.ts'],
          maxWorkers: WAITING,
          sequence: shuffled,
        },
      },
      {
        resolve,
        test: {
          name: 'alone',
          setupFiles: ['test/kit/patience.ts', 'test/kit/equal-secrets.ts'],
          ...limits,
          include: ALONE,
          exclude: leftOut,
          globalSetup,
          maxWorkers: WAITING,
          sequence: shuffled,
        },
      },
      {
        resolve,
        test: {
          name: 'stack',
          ...limits,
          isolate: false,
          setupFiles: ['test/kit/shared-process.ts', 'test/kit/equal-secrets.ts'],
          include: STACK,
          exclude: [...UPGRADE, ...leftOut],
          globalSetup: [globalSetup, 'test/conformance/report/report.ts'],
          maxWorkers: WAITING,
          sequence: shuffled,
        },
      },
    ],
  },
});

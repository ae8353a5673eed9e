import { defineConfig } from 'vitest/config';
import { resolve } from '../vitest.config.ts';

/** The tests below `test/NAME`. Each suite has a script that prepares what it needs: `npm run contract`, `npm run test:failover` and so on. */
const suite = (name: string, ...globalSetup: readonly string[]) => ({
  resolve,
  test: {
    name,
    include: [`test/${name}/*.${name}.ts`],
    globalSetup: [...globalSetup],
    ...{ testTimeout: 400_000, hookTimeout: 600_000 }, // The first test of a file may wait for its server.
    expect: { poll: { timeout: 20_000 } },
  },
});

/** Suites that bring servers of their own, or may call the real platforms: one file at a time. */
export default defineConfig({
  test: {
    fileParallelism: false,
    disableConsoleIntercept: true,
    projects: [
      ...['contract', 's3'].map((name) => suite(name)),
      ...['failover', 'faults', 'hosting', 'issuers'].map((name) => suite(name, 'test/kit/global-setup.ts')),
      suite('kubernetes', 'test/kubernetes/cluster.ts'),
    ],
  },
});

import { test as base } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';

/** A fresh sandbox for each test. */
export const test = base.extend<{ sandbox: Sandbox }>({
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ port: 0 });
    await use(sandbox);
    await sandbox.close();
  },
});

export const violations = (sandbox: Sandbox): readonly string[] =>
  sandbox.control.calls().flatMap((call) => call.violations.map((violation) => `${call.route}: ${violation}`));

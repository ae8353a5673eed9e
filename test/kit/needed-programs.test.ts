import { expect, onTestFinished, test, vi } from 'vitest';
import { describeSkipped } from './needed-programs.ts';

test('a missing program is named with the files whose tests it skips, unless the run leaves them all out', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('REQUIRE_GO', '');
  const line = 'Go is missing, so tests of these files are skipped: test/stack/minimal.test.ts.';
  expect(describeSkipped(() => false)).toContain(line);
  expect(describeSkipped((file) => file === 'test/stack/minimal.test.ts').join()).not.toContain('Go');
});

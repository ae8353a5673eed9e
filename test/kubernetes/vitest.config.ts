import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A fail-over comes after what a deployment without one can do. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId));
  }
}

/** Run by `npm run test:kubernetes`. */
export default defineConfig({
  test: {
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['test/kubernetes/*.kubernetes.ts'],
    globalSetup: 'test/kubernetes/cluster.ts',
    fileParallelism: false,
    sequence: { sequencer: ByName },
    testTimeout: 400_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import base from '../../vitest.config.ts';

const projects = (base.test?.projects ?? []) as TestProjectInlineConfiguration[];

/** Runs the files of one run in the given order. */
class GivenOrder {
  async sort<T>(files: T[]): Promise<T[]> {
    return files;
  }

  async shard<T>(files: T[]): Promise<T[]> {
    return files;
  }
}

/** The projects of `npm test`, in one process, up to the first failure. Child processes are not mutated. */
export default defineConfig({
  test: {
    sequence: { sequencer: GivenOrder },
    projects: projects
      .filter(({ test }) => test?.name !== 'stack')
      .map((project) => ({
        ...project,
        test: {
          ...project.test,
          maxWorkers: 1,
          testTimeout: 60_000, // A busy machine must not look like a killed mutant.
          setupFiles: [...[project.test?.setupFiles ?? []].flat(), 'test/mutation/record-reach.ts'],
        },
      })),
  },
});

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import base from '../../vitest.config.ts';

const projects = (base.test?.projects ?? []) as TestProjectInlineConfiguration[];

/** Runs the files of one run in the given order. */
class GivenOrder {
  sort = async <T>(files: T[]): Promise<T[]> => files;
  shard = async <T>(files: T[]): Promise<T[]> => files;
}

/** The projects of `npm test`, each in one process. With a mutant, many tests wait in vain. */
export default defineConfig({
  test: {
    sequence: { sequencer: GivenOrder },
    projects: projects
      .filter(({ test }) => test?.name !== 'stack')
      .map((project) => ({
        ...project,
        test: { ...project.test, maxWorkers: 1, testTimeout: 60_000, expect: { poll: { timeout: 20_000 } } },
      })),
  },
});

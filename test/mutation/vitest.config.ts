import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import base from '../../vitest.config.ts';
import { keptProcesses } from './kept-process.ts';

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

/** The projects of `npm test`, each in one process. Child processes are not mutated. */
export default defineConfig({
  test: {
    sequence: { sequencer: GivenOrder },
    projects: projects
      .filter(({ test }) => test?.name !== 'stack')
      .map((project) => ({
        ...project,
        test: {
          ...project.test,
          pool: keptProcesses,
          maxWorkers: 1,
          runner: 'test/mutation/limited-runner.ts',
          testTimeout: 30_000,
          setupFiles: [...[project.test?.setupFiles ?? []].flat(), 'test/mutation/record-reach.ts'],
        },
      })),
  },
});

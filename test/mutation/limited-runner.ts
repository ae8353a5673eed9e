import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunnerTask, RunnerTestCase } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { getFn } from 'vitest/suite';

/** Not those that a test replaces. */
const { setTimeout, clearTimeout } = globalThis;

type Limits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The name that Vitest compares with a pattern. */
export const nameOf = ({ suite, name }: RunnerTask): string => (suite ? `${nameOf(suite)} ${name}` : name);

/** Ends a test that takes much longer with a mutant than without: most wait for what will not come. */
export default class LimitedRunner extends VitestTestRunner {
  #limits: Limits = {};

  override onCollectStart(file: Parameters<VitestTestRunner['onCollectStart']>[0]): void {
    super.onCollectStart(file);
    this.#limits = JSON.parse(readFileSync(process.env.MUTATION_LIMITS ?? '', 'utf8'));
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const limit = this.#limits[path.relative(this.config.root, test.file.filepath)]?.[nameOf(test)];
    const run = getFn(test);
    if (limit === undefined) return void (await run());
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Test timed out in ${limit}ms.`)), limit);
    });
    try {
      await Promise.race([run(), patience]);
    } finally {
      clearTimeout(timer);
    }
  }
}

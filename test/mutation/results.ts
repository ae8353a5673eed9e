import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';
import type { Placed } from './find-tests.ts';
import { readJson, writeJson } from './test-runner.ts';
import { PLACE } from './tree.ts';

export type Status = 'killed' | 'timed out' | 'survived' | 'not reached';
export interface Result {
  readonly status: Status;
  /** The test that failed. */
  readonly by?: string;
  /** The number of tests that reach a survivor but exceed the budget, and that budget. */
  readonly untried?: number;
  readonly budgetMs?: number;
  /** The hash of the tests that it survived. */
  readonly version?: string;
}

export const isKill = (status: Status | undefined): boolean => status === 'killed' || status === 'timed out';

/** A killed mutant stays killed; another is tried again after its tests change, and with a larger budget. */
export const isSettled = (result: Result, version: string, budgetMs: number): boolean =>
  isKill(result.status) ||
  (result.version === version && ((result.untried ?? 0) === 0 || (result.budgetMs ?? 0) >= budgetMs));

/** The folder whose results and tests belong to a mutant: `src/store`. */
export const folderOf = ({ file }: Pick<Placed, 'file'>): string => file.split('/').slice(0, 2).join('/');

const fileOf = (folder: string) => path.join(PLACE, `results-${path.basename(folder)}.json`);

/** The kills that the repository keeps: the ids of each source file. */
const KEPT = path.join(ROOT, 'test', 'mutation', 'killed.json');

/** What earlier runs found, by the ids of mutants. */
export class Results {
  readonly #all = new Map<string, Result>();

  constructor() {
    for (const ids of Object.values(readJson<Record<string, string>>(KEPT, {})))
      for (const id of ids.split(' ')) this.#all.set(id, { status: 'killed' });
    for (const name of readdirSync(PLACE).filter((file) => /^results-.*\.json$/.test(file))) {
      const known = readJson<Record<string, Result>>(path.join(PLACE, name), {});
      for (const [id, result] of Object.entries(known)) this.#all.set(id, result);
    }
  }

  of(id: string): Result | undefined {
    return this.#all.get(id);
  }

  keep(mutant: Placed, result: Result): void {
    const file = fileOf(folderOf(mutant));
    this.#all.set(mutant.id, result);
    // Another run may have added to it.
    writeJson(file, { ...readJson<Record<string, Result>>(file, {}), [mutant.id]: result });
  }

  /** Writes the kills of these mutants to the repository, for other checkouts. */
  keepKills(mutants: readonly Placed[]): void {
    const kept = readJson<Record<string, string>>(KEPT, {});
    for (const file of new Set(mutants.map((mutant) => mutant.file))) {
      const killed = mutants.filter((mutant) => mutant.file === file && isKill(this.of(mutant.id)?.status));
      if (killed.length > 0) kept[file] = killed.map(({ id }) => id).join(' ');
    }
    const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMachine, median, quantile } from '../measure.mjs';
import type { Processes } from './stage.ts';

const FILE = path.join(import.meta.dirname, '..', '..', '.cache', 'bench', 'flows.json');

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  /** Does one round. @returns the measured value, such as ms or jobs a second. */
  once(round: number): Promise<number>;
  /** Jobs in one round, for processor time by job; 1 by default. */
  readonly jobs?: number;
}

interface Options {
  readonly unit: 'ms' | '/s';
  readonly rounds: number;
  readonly warmUps: number;
  readonly processors: () => Processes;
}

/**
 * Runs all sides in every round, in turns, so that a noisy machine disturbs all of them equally. Prints each side's median
 * beside the first one's, the spread of the rounds' ratios, and processor time by job. Adds them to the result file.
 */
export async function compare(title: string, sides: readonly Side[], options: Options): Promise<void> {
  const { unit, rounds, warmUps, processors } = options;
  const taken = sides.map(() => ({ values: [] as number[], ms: {} as Record<string, number> }));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const index = (turn + round + warmUps) % sides.length;
      const [side, own] = [sides[index], taken[index]];
      if (side === undefined || own === undefined) continue;
      const before = processors();
      const value = await side.once(round);
      if (round < 0) continue;
      own.values.push(value);
      for (const [name, ms] of Object.entries(processors()))
        own.ms[name] = (own.ms[name] ?? 0) + ms - (before[name] ?? 0);
    }
  }
  const first = taken[0]?.values ?? [];
  const results = sides.map(({ name, jobs = 1 }, index) => {
    const { values = [], ms = {} } = taken[index] ?? {};
    const ratios = values.map((value, round) => value / (first[round] ?? Number.NaN));
    return {
      name,
      median: median(values),
      p95: quantile(values, 0.95),
      ofFirst: {
        ofMedians: median(values) / median(first),
        median: median(ratios),
        low: quantile(ratios, 0.1),
        high: quantile(ratios, 0.9),
      },
      processorMsPerJob: Object.fromEntries(
        Object.entries(ms).map(([process, sum]) => [process, sum / (values.length * jobs)]),
      ),
    };
  });
  print(`${title}, ${unit}`, results);
  keep(title, { unit, rounds, results });
}

type Result = {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly ofFirst: { readonly ofMedians: number; readonly low: number; readonly high: number };
  readonly processorMsPerJob: Processes;
};

function print(title: string, results: readonly Result[]): void {
  const processes = Object.keys(results[0]?.processorMsPerJob ?? {});
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(46)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  const lines = results.map(({ name, median: half, p95, ofFirst, processorMsPerJob }) =>
    row(name, [
      half.toFixed(1),
      p95.toFixed(1),
      `× ${ofFirst.ofMedians.toFixed(2)}`,
      `${ofFirst.low.toFixed(2)}-${ofFirst.high.toFixed(2)}`,
      ...processes.map((process) => (processorMsPerJob[process] ?? 0).toFixed(1)),
    ]),
  );
  const head = row('', ['median', 'p95', 'of first', 'spread', ...processes]);
  console.log([`\n${title}; then processor ms by job`, head, ...lines].join('\n'));
}

/** Replaces this title's figures in the result file. */
function keep(title: string, figures: object): void {
  mkdirSync(path.dirname(FILE), { recursive: true });
  const cases = readResults();
  writeFileSync(
    FILE,
    `${JSON.stringify({ machine: describeMachine(), cases: { ...cases, [title]: { at: new Date().toISOString(), ...figures } } }, undefined, 2)}\n`,
  );
}

function readResults(): object {
  try {
    return (JSON.parse(readFileSync(FILE, 'utf8')) as { cases: object }).cases;
  } catch {
    return {};
  }
}

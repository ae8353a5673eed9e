import { expect, test } from 'vitest';
import type { Entry } from './history.ts';
import { DAMAGES } from './nemesis.ts';
import type { Outcome, RunOptions } from './run.ts';
import { shrink } from './shrink.ts';

const OPTIONS: RunOptions = {
  seed: 's',
  ms: 600_000,
  people: 8,
  faultEveryMs: 1_000,
  settleWithinMs: 1_000,
  withNetwork: false,
  damages: DAMAGES,
};
const entry = (flow: string, at: number): Entry => ({ type: 'clock', ms: 0, flow, at });
const ENTRIES: readonly Entry[] = [
  entry('flow-7', 100_000),
  entry('flow-7', 130_000),
  { type: 'phase', phase: 'healed', flow: 'run', at: 600_000 },
  entry('flow-7', 700_000), // Read again at the end.
];

/** Runs that break a promise if they have all of these. */
function fake(needs: { flow?: number; damages: readonly string[] }) {
  const runs: RunOptions[] = [];
  const run = async (options: RunOptions): Promise<Outcome> => {
    runs.push(options);
    const fails =
      needs.damages.every((one) => options.damages?.some((damage) => damage === one)) &&
      (needs.flow === undefined || (options.flows?.includes(needs.flow) ?? true));
    const objections = fails ? [{ rule: 'posts', flow: 'flow-7', message: 'lost' } as const] : [];
    return {
      figures: { objections } as unknown as Outcome['figures'],
      soak: undefined,
      report: 'its report',
      entries: ENTRIES,
    };
  };
  return { run, runs };
}

test('finds the one flow, its time and the damage that break a promise', async () => {
  const { run, runs } = fake({ flow: 7, damages: ['freeze', 'clock'] });
  const smaller = await shrink(OPTIONS, await run(OPTIONS), run);
  expect(smaller?.options).toMatchObject({ flows: [7], ms: 35_000, damages: ['freeze', 'clock'] });
  expect(smaller?.report).toContain("--seed s --minutes 0.58 --people 8 --flows 7 --damages 'freeze,clock'");
  expect(smaller?.report).toContain('its report');
  expect(runs.length).toBeLessThan(25);
});

test('keeps all flows if the one alone breaks nothing', async () => {
  const { run } = fake({ flow: 3, damages: ['kill'] });
  const smaller = await shrink(OPTIONS, await run(OPTIONS), run);
  expect(smaller?.options.flows).toBeUndefined();
  expect(smaller?.options.damages).toEqual(['kill']);
});

test('reports that no smaller run breaks it', async () => {
  const { run } = fake({ flow: 3, damages: DAMAGES });
  expect(await shrink(OPTIONS, await run(OPTIONS), run)).toBeUndefined();
});

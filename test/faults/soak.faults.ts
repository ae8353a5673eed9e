import { expect, test } from 'vitest';
import type { Damage } from './nemesis.ts';
import { runFaults } from './run.ts';
import { findGrowth, type Sample } from './sampler.ts';

const { FAULTS_MINUTES = '5', FAULTS_SEED = String(Date.now()), FAULTS_PEOPLE = '4' } = process.env;
const ms = Number(FAULTS_MINUTES) * 60_000;
/** A process that is killed starts with fresh memory, so these runs kill none. */
const DAMAGES: readonly Damage[] = ['platform', 'freeze', 'network', 'platforms away', 'endpoint away', 'clock'];

test(
  `${FAULTS_MINUTES} minutes of half the maximum load with faults (seed ${FAULTS_SEED}) let nothing grow`,
  async () => {
    const { figures, soak, report } = await runFaults({
      seed: FAULTS_SEED,
      ms,
      people: Number(FAULTS_PEOPLE),
      faultEveryMs: 3_000,
      settleWithinMs: 180_000,
      withNetwork: true,
      damages: DAMAGES,
      load: 0.5,
    });
    if (soak === undefined) throw new Error('There was no load.');
    const { maximum, rate, answered, failed, samples } = soak;
    console.log(report);
    console.log(
      `load: ${rate.toFixed(0)} of at most ${maximum.toFixed(0)} a second; ${answered} answered, ${failed} not`,
    );
    for (const index of [0, 1, 2, 3, 4]) console.log(describe(samples[Math.floor((index / 4) * (samples.length - 1))]));
    expect(samples.length).toBeGreaterThan(10);
    expect(findGrowth(samples)).toEqual([]);
    expect(figures.objections.map(({ rule, flow, message }) => `${rule}: ${flow}: ${message}`)).toEqual([]);
  },
  2 * ms + 1_800_000,
);

function describe(sample: Sample | undefined): string {
  if (sample === undefined) return '';
  const list = (values: Readonly<Record<string, number>>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value.toFixed(0)}`)
      .join(', ');
  const { memory, handles, connections, outbox, bloat, latency } = sample;
  return (
    `MiB: ${list(memory)}; handles: ${list(handles)}; connections: ${list(connections)}; outbox ${outbox}; ` +
    `dead rows ${bloat.toFixed(2)}; p95 ${latency?.toFixed(0) ?? '-'} ms`
  );
}

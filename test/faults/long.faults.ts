import { expect, test } from 'vitest';
import { DAMAGES } from './nemesis.ts';
import { runFaults } from './run.ts';

const {
  FAULTS_MINUTES = '5',
  FAULTS_SEED = String(Date.now()),
  FAULTS_PEOPLE = '8',
  FAULTS_APIS = '2',
  FAULTS_WORKERS = '2',
  FAULTS_FLOWS,
  FAULTS_DAMAGES,
  FAULTS_LIE,
} = process.env;
const ms = Number(FAULTS_MINUTES) * 60_000;
const IS_LIE = FAULTS_LIE !== undefined;

test(
  `a run of ${FAULTS_MINUTES} minutes with the seed ${FAULTS_SEED} breaks no promise`,
  async () => {
    const { objections, report } = await runFaults({
      seed: FAULTS_SEED,
      ms,
      people: Number(FAULTS_PEOPLE),
      apis: Number(FAULTS_APIS),
      workers: Number(FAULTS_WORKERS),
      faultEveryMs: 1_000,
      // A lie may keep the service from ever settling. The checker wants two quiet minutes before the clock moves.
      settleWithinMs: IS_LIE ? 130_000 : 180_000,
      ...(IS_LIE && { giveUpMs: 30_000 }),
      withNetwork: !IS_LIE,
      damages: DAMAGES.filter((damage) => FAULTS_DAMAGES?.split(',').includes(damage) ?? true),
      ...(FAULTS_FLOWS !== undefined && { flows: FAULTS_FLOWS.split(',').map(Number) }),
    });
    console.log(report);
    expect(objections.map(({ rule, flow, message }) => `${rule}: ${flow}: ${message}`)).toEqual([]);
  },
  2 * ms + 3_600_000,
);

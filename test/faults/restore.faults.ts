import { expect, test } from 'vitest';
import { PEOPLE } from './restore-people.ts';
import { type RoundFigures, runRound } from './restore-round.ts';
import { openStage } from './stage.ts';

const { FAULTS_ROUNDS = '3', FAULTS_SEED = String(Date.now()) } = process.env;
const rounds = Number(FAULTS_ROUNDS);
/** A round takes about a minute. */
const ROUND_MS = 900_000;

test(
  `${rounds} restores of a backup during faults (seed ${FAULTS_SEED}) bring back nothing that was erased`,
  async () => {
    const stage = await openStage(rounds * PEOPLE, { withNetwork: false, withJournal: true });
    const keeper = setInterval(() => stage.keepCalls(), 1_000);
    const done: RoundFigures[] = [];
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const startedAt = Date.now();
        const figures = await runRound(stage, `${FAULTS_SEED}/${round}`);
        done.push(figures);
        console.log(`round ${round}: ${((Date.now() - startedAt) / 1_000).toFixed(0)} s, ${describeRound(figures)}`);
        for (const objection of figures.objections) console.log(`OBJECTION restore, round ${round}: ${objection}`);
      }
    } catch (error) {
      console.log(error); // The rest may not even close then.
      throw error;
    } finally {
      clearInterval(keeper);
      await stage.close();
    }
    console.log(describeAll(done));
    expect(done.flatMap(({ objections }) => objections)).toEqual([]);
  },
  rounds * ROUND_MS,
);

const describeRound = ({ replays, replaysKilled, settleSeconds, objections }: RoundFigures): string =>
  `${replays} replays, ${replaysKilled} of them killed, settled after ${describeSeconds(settleSeconds)}, ` +
  `objections ${objections.length}`;

const describeSeconds = (seconds: number | null): string =>
  seconds === null ? '(only after the clock moved)' : `${seconds.toFixed(1)} s`;

function describeAll(done: readonly RoundFigures[]): string {
  const sum = (count: (figures: RoundFigures) => number) => done.reduce((total, one) => total + count(one), 0);
  const faults = new Map<string, number>();
  for (const [kind, times] of done.flatMap((one) => [...one.faults])) faults.set(kind, (faults.get(kind) ?? 0) + times);
  const longest = done.some(({ settleSeconds }) => settleSeconds === null)
    ? null
    : Math.max(...done.map(({ settleSeconds }) => settleSeconds ?? 0));
  return [
    `seed ${FAULTS_SEED}: ${done.length} restores, ${sum(({ people }) => people)} people, ` +
      `${sum(({ erased }) => erased)} connections erased after the backup`,
    `replays: ${sum(({ replays }) => replays)}, killed: ${sum(({ replaysKilled }) => replaysKilled)}`,
    `faults: ${[...faults.values()].reduce((total, times) => total + times, 0)}`,
    ...[...faults].sort(([one], [other]) => one.localeCompare(other)).map(([kind, times]) => `  ${kind}: ${times}`),
    `settled ${describeSeconds(longest)} after the last repair, at the latest`,
    `objections: ${sum(({ objections }) => objections.length)}`,
  ].join('\n');
}

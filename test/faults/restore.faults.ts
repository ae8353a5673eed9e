import { expect, test } from 'vitest';
import { PEOPLE } from './restore-people.ts';
import { runRound } from './restore-round.ts';
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
    const all: string[] = [];
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const { replays, settleSeconds, objections } = await runRound(stage, `${FAULTS_SEED}/${round}`);
        const settled = settleSeconds === null ? 'only after the clock moved' : `after ${settleSeconds.toFixed(1)} s`;
        console.log(`round ${round}: ${replays.started} replays, ${replays.killed} killed; settled ${settled}`);
        for (const objection of objections) console.log(`OBJECTION restore, round ${round}: ${objection}`);
        all.push(...objections);
      }
    } catch (error) {
      console.log(error); // The rest may not even close then.
      throw error;
    } finally {
      clearInterval(keeper);
      await stage.close();
    }
    expect(all).toEqual([]);
  },
  rounds * ROUND_MS,
);

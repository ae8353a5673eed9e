import { setTimeout as delay } from 'node:timers/promises';
import { sweepNow } from '../kit/trouble.ts';
import { listOpen, listRunning } from './remains.ts';
import type { Stage } from './stage.ts';

const GIVE_UP_MS = 180_000;

export interface Patience {
  /** How long the service may take to settle after the last fault. Then the clock moves past its waits. */
  readonly settleWithinMs: number;
  /** Work that is still open so long after the clock has begun to move never ends. Three minutes by default. */
  readonly giveUpMs?: number;
}

/**
 * Waits until nothing is open. Every few seconds, an operator retries work that waits for its next try. Work that waits for a claim
 * to expire or for a webhook's next try waits longer than a test can: then the clock moves.
 * @returns the seconds that it took; null if the clock had to move
 */
export async function settle(
  stage: Stage,
  since: number,
  { settleWithinMs, giveUpMs = GIVE_UP_MS }: Patience,
): Promise<number | null> {
  let patientUntil = Date.now() + settleWithinMs;
  const giveUpAt = patientUntil + giveUpMs;
  let hasMoved = false;
  for (let round = 1; (await listOpen(stage)).length > 0; round += 1) {
    if (Date.now() > giveUpAt) return null;
    if (round % 5 === 0) {
      await stage.believePlatforms();
      await stage.retryJobs();
      await stage.sendTestEvent();
      if (Date.now() > patientUntil) {
        hasMoved = true;
        patientUntil = Date.now() + settleWithinMs;
        await stage.moveClocks(6 * 60_000);
        await sweepNow(stage.service);
      }
    }
    await delay(1_000);
  }
  return hasMoved ? null : (Date.now() - since) / 1_000;
}

/**
 * Automatic refreshes begin at any time: work that is open now and then is not left. A verification that is in doubt waits longer than a
 * test can: an operator wakes it.
 */
export async function listRemaining(stage: Stage): Promise<string[]> {
  let left: string[] = [];
  for (let tries = 0; tries < 30; tries += 1) {
    const workflows = (await listRunning(stage)).map((id) => `workflow ${id}`);
    left = [...(await listOpen(stage, { withWaiting: true })), ...workflows];
    if (left.length === 0) return left;
    if (tries % 5 === 4) {
      await stage.believePlatforms();
      await stage.wakeVerifications();
    }
    await delay(1_000);
  }
  return left;
}

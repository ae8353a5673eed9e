import fc from 'fast-check';
import { test as plainTest } from 'vitest';
import { setEnabled } from '../kit/seed.ts';
import { type Real, steps } from './commands.ts';
import { Model } from './model.ts';
import { openStage, type Stage } from './stage.ts';

// Set by `npm run test:model`. `npm run test:long` takes a few short sequences, always the same.
const RUNS = Number(process.env.MODEL_RUNS ?? 6);
const SEED = Number(process.env.MODEL_SEED ?? 1);
const MAX_STEPS = Number(process.env.MODEL_STEPS ?? 30);

const test = plainTest.extend<{ $file: { stage: Stage } }>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      const stage = await openStage();
      await use(stage);
      await stage.close();
    },
    { scope: 'file' },
  ],
});

async function openReal(stage: Stage): Promise<Real> {
  const { service } = stage;
  service.control.clearFaults();
  const first = await service.newUser();
  const idOf = (provider: 'PROVIDER_B' | 'PROVIDER_C', note: RegExp) => first.account(provider, note);
  return {
    stage,
    people: [first, await service.newUser(first)],
    accounts: {
      PROVIDER_B: [idOf('PROVIDER_B', /^No posts/), idOf('PROVIDER_B', /right to left/)],
      PROVIDER_C: [idOf('PROVIDER_C', /^No posts/), idOf('PROVIDER_C', /right to left/)],
    },
    sessions: new Map(),
    consents: new Map(),
    connectionIds: new Map(),
    jobIds: new Map(),
    windows: new Map(),
    startedAt: Date.now(),
    steps: 0,
  };
}

test('callers read what the specification says after any sequence of steps', { timeout: 3_600_000 }, async ({
  stage,
}) => {
  let count = 0;
  const startedAt = Date.now();
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: MAX_STEPS, size: 'max' }), async (commands) => {
      const real = await openReal(stage);
      await fc.asyncModelRun(() => ({ model: new Model(), real }), commands);
      await setEnabled(stage.service.sql, real.people[0].appId, false);
      count += real.steps;
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.MODEL_SHRINK === undefined },
  );
  console.log(`model: ${RUNS} sequences, ${count} steps, seed ${SEED}, ${(Date.now() - startedAt) / 1_000} s`);
});

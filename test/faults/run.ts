import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { check, type Objection, PROMISES } from '../history/check.ts';
import { printFlow } from '../history/history.ts';
import { type Remains, type Run, recordCalls } from '../history/run.ts';
import { CACHE } from '../kit/run-folder.ts';
import { Flow } from './flow.ts';
import { type Damage, Nemesis } from './nemesis.ts';
import { findTraces, listCrashes, listGrants, listOpen } from './remains.ts';
import { listRemaining, type Patience, settle } from './settle.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

const SHOWN_OF_EACH_RULE = 10;

export interface RunOptions extends Patience, StageOptions {
  readonly seed: string;
  /** How long things are broken. */
  readonly ms: number;
  /** How many people are there at once. */
  readonly people: number;
  /** The mean time between two faults. */
  readonly faultEveryMs: number;
  /** The only damage that is done; all by default. */
  readonly damages?: readonly Damage[];
  /** The numbers of the only flows that are lived; without them, new ones begin until the time is up. */
  readonly flows?: readonly number[];
}

/** Runs flows while everything around them breaks, lets the service settle, and checks the result. */
export async function runFaults(options: RunOptions) {
  const { seed, ms, people, faultEveryMs, damages } = options;
  const stage = await openStage(Math.ceil((ms / 1_000) * people * 0.1) + 60, options);
  const timer = setTimeout(() => {
    stage.isHealing = true;
  }, ms);
  // The sandbox remembers its last calls only.
  const keeper = setInterval(() => stage.keepCalls(), 1_000);
  try {
    const nemesis = new Nemesis(stage, seed, faultEveryMs, damages);
    const breaking = nemesis.run();
    const flows: Flow[] = [];
    const numbers = (options.flows ?? Array.from({ length: 100_000 }, (_, number) => number)).values();
    const live = async () => {
      for (const number of numbers) {
        if (stage.isHealing) return;
        const flow = new Flow(stage, number, seed);
        flows.push(flow);
        await flow.live();
      }
    };
    const living = Promise.all(Array.from({ length: people }, live)).finally(() => {
      stage.isHealing = true;
    });
    while (!stage.isHealing) await delay(100);
    nemesis.stop();
    await breaking;
    stage.history.add('run', { type: 'phase', phase: 'healed' });
    const healedAt = Date.now();
    await living;
    const recoverySeconds = await settle(stage, healedAt, options);
    await stage.redeemAll();
    await endWaiting(stage);
    await stage.redeemAll(); // Those whose person never came back have expired now.
    stage.history.add('run', { type: 'phase', phase: 'settled' });
    for (const flow of flows) await flow.conclude();
    await settle(stage, Date.now(), options);
    const remains: Remains = {
      open: await listRemaining(stage),
      traces: await findTraces(stage),
      crashes: listCrashes(stage),
    };
    const run = collect(stage, remains);
    keepHistory(run, seed);
    const objections = check(run);
    const settled = recoverySeconds === null ? 'only after the clock moved' : `${recoverySeconds.toFixed(1)} s`;
    const requests = run.entries.filter(({ type }) => type === 'answered').length;
    const lines = [
      `seed ${seed}: ${flows.length} flows, ${requests} requests answered, ${stage.calls.length} calls to platforms`,
      ...[...nemesis.counts].toSorted().map(([kind, times]) => `  ${kind}: ${times}`),
      `settled after the last repair: ${settled}`,
      ...describe(objections, run),
    ];
    return { objections, requests, faults: nemesis.counts, report: lines.join('\n') };
  } finally {
    clearTimeout(timer);
    clearInterval(keeper);
    await stage.close();
  }
}

/** Moves the clock past the deadline of every attempt whose person never came back, and waits until the workers have ended it. */
async function endWaiting(stage: Stage): Promise<void> {
  await stage.moveClocks(12 * 60_000);
  for (let tries = 0; tries < 20; tries += 1) {
    await delay(1_000);
    if ((await listOpen(stage, { withWaiting: true })).length === 0) return;
    if (tries % 5 === 4) await stage.sendTestEvent();
  }
}

function collect(stage: Stage, remains: Remains): Run {
  stage.keepCalls();
  return {
    entries: stage.history.entries,
    remains,
    platform: {
      grants: listGrants(stage),
      posts: stage.posts.map(({ id, accountId, publishedAt, isPublic, views }) => ({
        id,
        account: accountId,
        publishedAt,
        isPublic,
        views,
      })),
      calls: recordCalls(stage.calls),
    },
  };
}

/** Writes the whole run to a file, to find the cause. */
function keepHistory(run: Run, name: string): void {
  const folder = path.join(CACHE, 'faults');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name.replace(/\W/g, '-')}.json`), JSON.stringify(run), { mode: 0o600 });
}

/** The broken promises, and the history of the first flow that one was broken to. */
function describe(objections: readonly Objection[], { entries }: Run): string[] {
  const lines = (Object.keys(PROMISES) as Objection['rule'][]).flatMap((rule) => {
    const own = objections.filter((one) => one.rule === rule);
    const shown = own.slice(0, SHOWN_OF_EACH_RULE).map(({ flow, message }) => `OBJECTION ${rule}, ${flow}: ${message}`);
    return [`${rule}: ${own.length} objections`, ...shown];
  });
  const flow = objections.find((one) => one.flow !== 'run')?.flow;
  return flow === undefined ? lines : [...lines, '', `The history of ${flow}:`, printFlow(entries, flow)];
}

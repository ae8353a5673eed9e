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

export interface Figures {
  readonly seed: string;
  /** How long things were broken. */
  readonly ms: number;
  /** The flows that ran. */
  readonly parts: string;
  readonly flows: number;
  /** Requests that the service accepted, and those whose answer was lost. */
  readonly requests: number;
  readonly lost: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly platformCalls: number;
  readonly events: number;
  /** From the last repair until nothing was open any more. Null: an operator's clock had to help. */
  readonly recoverySeconds: number | null;
  readonly objections: readonly Objection[];
}

export interface Outcome {
  readonly figures: Figures;
  /** For a person. */
  readonly report: string;
}

/** Runs flows while everything around them breaks, lets the service settle, and checks the result. */
export async function runFaults(options: RunOptions): Promise<Outcome> {
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
    const { entries } = stage.history;
    const figures: Figures = {
      seed,
      ms,
      parts: `${stage.service.apis.length} apis, ${stage.service.workers.length} workers`,
      flows: flows.length,
      requests: entries.filter(({ type }) => type === 'answered').length,
      lost: entries.filter(({ type }) => type === 'lost').length,
      faults: Object.fromEntries([...nemesis.counts].sort(([one], [other]) => one.localeCompare(other))),
      platformCalls: stage.calls.length,
      events: new Set(entries.flatMap((entry) => (entry.type === 'event' ? [entry.id] : []))).size,
      recoverySeconds,
      objections,
    };
    return { figures, report: describe(figures, run) };
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

/** The figures for a person, and the history of the first flow that a promise was broken to. */
function describe(figures: Figures, { entries }: Run): string {
  const { objections, faults } = figures;
  const count = (rule: string) => objections.filter((one) => one.rule === rule).length;
  const lines = [
    `seed ${figures.seed}: ${figures.flows} flows, ${figures.requests} requests answered, ${figures.lost} answers lost on the way,`,
    `${figures.platformCalls} calls to platforms, ${figures.events} events`,
    `faults: ${Object.values(faults).reduce((sum, one) => sum + one, 0)}`,
    ...Object.entries(faults).map(([kind, times]) => `  ${kind}: ${times}`),
    `settled ${figures.recoverySeconds?.toFixed(1) ?? '(only after the clock moved)'} s after the last repair`,
    `objections: ${Object.keys(PROMISES)
      .map((rule) => `${rule} ${count(rule)}`)
      .join(', ')}`,
  ];
  const shown = new Map<string, number>();
  for (const { rule, flow, message } of objections) {
    shown.set(rule, (shown.get(rule) ?? 0) + 1);
    if (Number(shown.get(rule)) <= SHOWN_OF_EACH_RULE) lines.push(`OBJECTION ${rule}, ${flow}: ${message}`);
  }
  const flow = objections.find((one) => one.flow !== 'run')?.flow;
  if (flow !== undefined) lines.push('', `The history of ${flow}:`, printFlow(entries, flow));
  return lines.join('\n');
}

// `npm run bench -- --guard`: which cases got slower since the version before, in processor time, beyond noise.
//
// Both versions run at the same time, each with its own services and databases, and have two turns in every round: before, now, now,
// before, and in the next round the other way around. So a noisy machine disturbs both alike, also if it gets busier in the meantime.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/run.mjs';
import { describeMachine, median, printTable } from '../measure.mjs';
import { findBase, prepareBase } from './base.mjs';
import { chooseCases } from './cases.mjs';
import { startSide } from './side.mjs';
import { compareRounds, findGrown, judge, LEAST_ROUNDS } from './statistics.mjs';

const FOLDER = path.join(ROOT, '.cache', 'bench');
const FILE = path.join(FOLDER, 'guard.json');
/** A case ends once its interval is as narrow as this, or its time is over; a case that is unclear gets twice the time. */
const NARROW = 0.05;
const CASE_MS = 60_000;
const SIDES = ['before', 'now'];

/**
 * Exits with 1 if a case got slower, and with 2 if a case has no answer.
 * @param {{ base?: string, only?: readonly string[] }} options
 */
export async function guard({ base, only }) {
  try {
    const names = chooseCases(only);
    const commit = findBase(base);
    console.log(`The version before: ${commit}`);
    report({ commit, results: await compareCases(names, [await prepareBase(commit), ROOT]) });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}

async function compareCases(names, roots) {
  mkdirSync(FOLDER, { recursive: true });
  const sides = [];
  const results = {};
  try {
    for (const [index, root] of roots.entries())
      sides.push(await startSide(root, path.join(FOLDER, `guard-${SIDES[index]}.log`)));
    for (const name of names) {
      results[name] = await compareCase(name, sides).catch((error) => ({ verdict: 'failed', error: error.message }));
      console.log(`  ${name}: ${describe(results[name])}`);
    }
    return results;
  } finally {
    for (const side of sides) await side.stop();
  }
}

/** A case that looks slower gets a second look, at new processes: each compiles its code a little differently. */
async function compareCase(name, sides) {
  const first = await takeRounds(name, sides);
  if (first.verdict !== 'slower') return first;
  console.log(`  ${name}: ${describe(first)}; once more, at new processes`);
  for (const side of sides) await side.ask({ kind: 'restart' });
  const second = await takeRounds(name, sides);
  return { ...second, first };
}

async function takeRounds(name, sides) {
  const rounds = SIDES.map(() => []);
  let startedAt = performance.now();
  let summary;
  for (let round = -1; ; round += 1) {
    const turns = SIDES.map(() => []);
    const [first, second] = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of [first, second, second, first])
      turns[index].push(await sides[index].ask({ kind: 'turn', name }));
    if (round < 0) {
      startedAt = performance.now();
      continue; // It was to warm up.
    }
    for (const [index, own] of turns.entries()) rounds[index].push(joinTurns(own));
    if (round + 1 < LEAST_ROUNDS) continue;
    summary = summarize(rounds);
    const { low, high } = summary.processor;
    const ms = performance.now() - startedAt;
    if (high / low - 1 <= NARROW || ms > 2 * CASE_MS || (ms > CASE_MS && summary.verdict !== 'unclear')) break;
  }
  return { ...summary, rounds };
}

function joinTurns(turns) {
  const names = Object.keys(turns[0].processorMs);
  return {
    jobs: sum(turns.map(({ jobs }) => jobs)),
    ms: sum(turns.map(({ ms }) => ms)),
    processorMs: Object.fromEntries(names.map((name) => [name, sum(turns.map((turn) => turn.processorMs[name]))])),
  };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Each figure is of one job. */
function summarize(rounds) {
  const processor = rounds.map((own) => own.map(({ processorMs, jobs }) => sum(Object.values(processorMs)) / jobs));
  const clock = rounds.map((own) => own.map(({ ms, jobs }) => ms / jobs));
  const each = ([before, now]) => ({ before: median(before), now: median(now), ...compareRounds(before, now) });
  const processes = Object.fromEntries(
    Object.keys(rounds[0][0].processorMs).map((name) => {
      const [before, now] = rounds.map((own) => own.map(({ processorMs, jobs }) => processorMs[name] / jobs));
      // The system counts in steps of 10 ms: a process may have none in a turn.
      const isCounted = [...before, ...now].every((ms) => ms > 0);
      return [name, isCounted ? each([before, now]) : { before: median(before), now: median(now) }];
    }),
  );
  const whole = each(processor);
  const hasGrown = findGrown(whole.before, processes).length > 0;
  return { processor: whole, clock: each(clock), processes, verdict: judge(whole, hasGrown) };
}

const describe = ({ verdict, error, processor, rounds }) =>
  error ?? `× ${processor.ratio.toFixed(2)} after ${rounds[0].length} rounds, ${verdict}`;

function report({ commit, results }) {
  const at = new Date().toISOString();
  writeFileSync(FILE, `${JSON.stringify({ at, before: commit, machine: describeMachine(), results }, undefined, 2)}\n`);
  const head = ['', 'before', 'now', 'ratio', 'interval', 'by clock', 'verdict'];
  const lines = Object.entries(results).map(([name, { processor, clock, verdict }]) =>
    processor === undefined
      ? [name, '', '', '', '', '', verdict]
      : [
          name,
          processor.before.toFixed(2),
          processor.now.toFixed(2),
          processor.ratio.toFixed(2),
          `${processor.low.toFixed(2)}-${processor.high.toFixed(2)}`,
          clock.ratio.toFixed(2),
          verdict,
        ],
  );
  printTable('Processor ms of api, worker and Postgres, by job', [head, ...lines]);
  const having = (verdict) => Object.keys(results).filter((name) => results[name].verdict === verdict);
  const [slower, open] = [having('slower'), [...having('failed'), ...having('unclear')]];
  for (const name of slower) console.log(`\n${name} got slower: ${describeProcesses(results[name].processes)}`);
  if (open.length > 0)
    console.error(`\nNo answer for ${open.join(', ')}: the machine is too busy, or a version failed.`);
  console.log(`\nAll figures: ${path.relative(ROOT, FILE)}`);
  process.exitCode = slower.length > 0 ? 1 : open.length > 0 ? 2 : 0;
}

const describeProcesses = (processes) =>
  Object.entries(processes)
    .map(([name, { before, now }]) => `${name} ${before.toFixed(2)} to ${now.toFixed(2)} ms`)
    .join(', ');

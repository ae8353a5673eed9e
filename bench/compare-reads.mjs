// Compares reads over HTTP, sent from a separate process: the built api, a bare program, Mercurius with its JIT, and stock Yoga.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { ROOT } from '../scripts/run.mjs';
import { describeMachine, interleave, printTable, startLoad, summarize } from './measure.mjs';
import { cases } from './reads.mjs';
import { openStage, SIZES, startApi, startBaseline } from './stage.mjs';

const LENGTHS = {
  quick: { rounds: 8, sliceMs: 400, warmUpMs: 1_500, warmUpRequests: 1_000 },
  usual: { rounds: 15, sliceMs: 800, warmUpMs: 3_000, warmUpRequests: 3_000 },
  full: { rounds: 30, sliceMs: 1_500, warmUpMs: 6_000, warmUpRequests: 10_000 },
};
const CONNECTIONS = [16, 1];
/** Only `content` is compared with all programs. */
const BASELINES = { content: ['bare', 'mercurius', 'yoga'] };
const RESULTS = path.join(ROOT, '.cache', 'bench', 'reads.json');

export const names = Object.keys(cases);

/** @param profile a folder for the api's CPU profile. */
export async function compareReads({ only, size, profile }) {
  const chosen = names.filter((name) => only === undefined || only.includes(name));
  const stage = await openStage(size, console.log);
  const programs = [];
  const load = await startLoad();
  const results = {};
  try {
    const execArgv = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const api = await startApi(stage, { execArgv });
    programs.push(api);
    const baselines = new Map();
    for (const name of new Set(chosen.flatMap((one) => BASELINES[one] ?? ['bare']))) {
      baselines.set(name, await startBaseline(name, stage));
      programs.push(baselines.get(name));
    }
    for (const name of chosen) {
      const compared = [...(BASELINES[name] ?? ['bare']).map((one) => baselines.get(one)), api];
      results[name] = await compareCase(name, { stage, load, compared, size });
    }
  } finally {
    await load.stop();
    for (const program of programs) await program.stop();
    await stage.stop();
  }
  const machine = describeMachine();
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  const at = new Date().toISOString();
  writeFileSync(RESULTS, `${JSON.stringify({ at, machine, size, rows: SIZES[size], results }, undefined, 2)}\n`);
  console.log(`\nAll figures: ${path.relative(ROOT, RESULTS)}`);
}

async function compareCase(name, { stage, load, compared, size }) {
  const targets = await findTargets(name, stage.databaseUrl);
  await load.ask({ kind: 'case', name, targets, appKeys: stage.appKeys });
  const results = {};
  for (const connections of CONNECTIONS) {
    const options = { ...LENGTHS[size], connections, postgresPid: stage.postgresPid };
    const slices = await interleave(load, compared, options);
    results[`${connections} connections`] = summarize(compared, slices);
    print(`${name}, ${connections} at a time, ${targets.length} different`, results[`${connections} connections`]);
  }
  return results;
}

async function findTargets(name, databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    return await cases[name].findTargets(sql);
  } finally {
    await sql.end();
  }
}

function print(title, rows) {
  const head = ['', 'requests/s', 'of first', 'spread', 'p50 ms', 'p99 ms', 'cpu ms', 'Postgres', 'bytes'];
  const lines = rows.map((row) => [
    row.name,
    row.perSecond.toFixed(0),
    row.ofFirst.median.toFixed(2),
    `${row.ofFirst.low.toFixed(2)}-${row.ofFirst.high.toFixed(2)}`,
    row.latencyMs.p50.toFixed(2),
    row.latencyMs.p99.toFixed(2),
    row.cpuMsPerRequest.toFixed(2),
    row.postgresCpuMsPerRequest.toFixed(2),
    String(row.bytes),
  ]);
  printTable(title, [head, ...lines]);
}

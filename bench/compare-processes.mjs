// Compares the api as a process with a bare program that loads the same libraries: the time from start to first answer, the memory at
// rest, and the memory under full load, minute by minute.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { ROOT } from '../scripts/run.mjs';
import { describeMachine, median, memoryOf, startLoad } from './measure.mjs';
import { cases } from './reads.mjs';
import { openStage, startApi, startBaseline } from './stage.mjs';

const STARTS = 7;
const SETTLE_MS = 3_000;
const MINUTE_MS = 60_000;
/** Minutes of full load on each program. */
const MINUTES = { quick: 1, usual: 3, full: 10 };
const RESULTS = path.join(ROOT, '.cache', 'bench', 'processes.json');

/** @returns the packages that the built api imports before it answers, found in its files. */
function listLibraries() {
  const [files, libraries] = [new Set(), new Set()];
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, from] of readFileSync(file, 'utf8').matchAll(
      /^(?:(?:import|export)[^;'"]* from |import )['"]([^'"]+)['"];/gm,
    )) {
      if (from.startsWith('.')) visit(path.resolve(path.dirname(file), from));
      else if (!from.startsWith('node:')) libraries.add(from);
    }
  };
  visit(path.join(ROOT, 'dist', 'main.js'));
  visit(path.join(ROOT, 'dist', 'api', 'main.js'));
  return [...libraries];
}

export async function compareProcesses({ size }) {
  const stage = await openStage('quick', console.log);
  const libraries = listLibraries();
  const starts = {
    libraries: () => startBaseline('libraries', stage, { LIBRARIES: libraries.join(' ') }),
    api: () => startApi(stage),
  };
  const results = Object.keys(starts).map((name) => ({ name, startMs: [], restMb: [], loadedMb: [] }));
  try {
    for (let round = 0; round < STARTS; round += 1) {
      for (const result of round % 2 === 0 ? results : [...results].reverse()) {
        const program = await starts[result.name]();
        await delay(SETTLE_MS);
        result.startMs.push(program.startMs);
        result.restMb.push(memoryOf(program.pid));
        await program.stop();
      }
    }
    for (const result of results) result.loadedMb = await loadFor(MINUTES[size], stage, starts[result.name]);
  } finally {
    await stage.stop();
  }
  print(results);
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  const at = new Date().toISOString();
  writeFileSync(RESULTS, `${JSON.stringify({ at, machine: describeMachine(), libraries, results }, undefined, 2)}\n`);
  console.log(`\nAll figures: ${path.relative(ROOT, RESULTS)}`);
}

/** @returns the memory in MB after each minute of full load. */
async function loadFor(minutes, stage, start) {
  const program = await start();
  const load = await startLoad();
  const sql = postgres(stage.databaseUrl, { max: 1 });
  const memory = [];
  try {
    const targets = await cases.content.findTargets(sql);
    await load.ask({ kind: 'case', name: 'content', targets, appKeys: stage.appKeys });
    for (let minute = 0; minute < minutes; minute += 1) {
      const { name, url } = program;
      await load.ask({ kind: 'run', name, url, ms: MINUTE_MS, connections: 16 });
      memory.push(memoryOf(program.pid));
    }
    return memory;
  } finally {
    await sql.end();
    await load.stop();
    await program.stop();
  }
}

function print(results) {
  const [first] = results;
  console.log(
    '\nprocesses       start ms   of first    MB at rest   of first   MB after each minute of content, 16 at a time',
  );
  for (const { name, startMs, restMb, loadedMb } of results) {
    const cells = [
      median(startMs).toFixed(0).padStart(12),
      (median(startMs) / median(first.startMs)).toFixed(2).padStart(11),
      median(restMb).toFixed(0).padStart(14),
      (median(restMb) / median(first.restMb)).toFixed(2).padStart(11),
      `   ${loadedMb.map((value) => value.toFixed(0)).join(' ')}`,
    ];
    console.log(`  ${name.padEnd(12)}${cells.join('')}`);
  }
}

// Compares each read and each accept with itself on databases of growing size: one Postgres, a database and a built api for each
// size, all loaded in turns.
import { mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { ROOT } from '../scripts/run.mjs';
import { cases as accepts, restore } from './accepts.mjs';
import { describeMachine, interleave, median, printTable, quantile, startLoad, summarize } from './measure.mjs';
import { cases as reads } from './reads.mjs';
import { openStages, startApi } from './stage.mjs';

/** Connections of each database, with ten times as many posts. */
const SIZES = {
  quick: [1_000, 10_000],
  usual: [1_000, 10_000, 100_000],
  full: [10_000, 100_000, 1_000_000],
};
/** So many that the limit of jobs in flight, which each app has, refuses nothing. */
const APPS = 100;
/** One connection in ten has posts, so that a page of the newest is full: 100 posts each. */
const sizesOf = (connections) => ({ connections, posts: 10 * connections, apps: APPS, authors: connections / 10 });

const LENGTHS = {
  quick: { rounds: 6, sliceMs: 400, warmUpMs: 1_000, warmUpRequests: 500 },
  usual: { rounds: 10, sliceMs: 600, warmUpMs: 2_000, warmUpRequests: 1_000 },
  full: { rounds: 12, sliceMs: 1_000, warmUpMs: 4_000, warmUpRequests: 4_000 },
};
const CONNECTIONS = [16, 1];
const COUNTED_MS = 1_000;
/** After this time without work, each process of Postgres has reported how many rows it read. */
const REPORTED_MS = 12_000;
/** Tables with a few rows for each app, which Postgres reads as a whole: they do not grow with connections and posts. */
const SMALL = [
  'app',
  'app_key',
  'app_policy',
  'tenant',
  'return_url',
  'registration',
  'registration_app',
  'webhook_endpoint',
];
/** The largest ratio to the smallest database that the project allows. */
const GOAL = 1.2;
const RESULTS = path.join(ROOT, '.cache', 'bench', 'growth.json');

const cases = { ...reads, ...accepts };
const isAccept = (name) => name in accepts;

export async function compareGrowth({ size }) {
  // Of a machine's memory, as Postgres' manual advises.
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` };
  const { stages, stop } = await openStages('growth', SIZES[size].map(sizesOf), { say: console.log, settings });
  const programs = [];
  const load = await startLoad();
  const results = {};
  try {
    for (const stage of stages) programs.push(await openProgram(stage));
    for (const name of Object.keys(cases)) results[name] = await compareCase(name, { load, programs, size });
    const rows = await countRows(load, programs);
    for (const [name, counts] of Object.entries(rows)) results[name].rowsPerRequest = counts;
  } finally {
    await load.stop();
    for (const program of programs) await program.close();
    await stop();
  }
  for (const [name, result] of Object.entries(results)) print(name, result);
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  const [at, machine, sizes] = [new Date().toISOString(), describeMachine(), SIZES[size].map(sizesOf)];
  writeFileSync(RESULTS, `${JSON.stringify({ at, machine, size, sizes, settings, results }, undefined, 2)}\n`);
  console.log(`\nAll figures: ${path.relative(ROOT, RESULTS)}`);
}

/** An api on one of the databases, which is in memory. */
async function openProgram(stage) {
  const sql = postgres(stage.databaseUrl, { max: 1, onnotice: () => undefined });
  const filledAt = new Date(stage.atMs);
  await restore(sql, filledAt); // An earlier run may have been aborted.
  await sql`create extension if not exists pg_prewarm`;
  await sql`
    select pg_prewarm(oid::regclass, 'read') from pg_class
    where relkind in ('r', 'i', 't') and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)
  `;
  const api = await startApi(stage, {
    name: `api-${stage.sizes.connections}`,
    settings: { SUSPEND_SIBLINGS: 'true' }, // As in production.
  });
  const close = async () => {
    await api.stop();
    await sql.end();
  };
  return { ...api, stage, sql, close, restore: () => restore(sql, filledAt) };
}

/** Gives the load the requests for each program. */
async function prepare(name, { load, programs }) {
  for (const { name: program, stage, sql } of programs) {
    const targets = await cases[name].findTargets(sql);
    const most = cases[name].countTargets?.(targets);
    await load.ask({ kind: 'case', name, program, targets, appKeys: stage.appKeys, most });
  }
}

async function compareCase(name, { load, programs, size }) {
  await prepare(name, { load, programs });
  const results = {};
  for (const connections of CONNECTIONS) {
    const [{ stage }] = programs;
    const slices = await interleave(load, programs, {
      ...LENGTHS[size],
      ...(connections === CONNECTIONS[0] ? {} : { warmUpRequests: 0 }), // They are warm.
      connections,
      postgresPid: stage.postgresPid,
      restore: isAccept(name) ? (program) => program.restore() : undefined,
    });
    results[`${connections} connections`] = summarize(programs, slices).map((row, index) => ({
      ...programs[index].stage.sizes,
      ...row,
      p50OfFirst: compareMedians(slices[index], slices[0]),
    }));
    const times = results[`${connections} connections`].map(({ perSecond }) => perSecond.toFixed(0));
    console.log(`${name}, ${connections} at a time: ${times.join(', ')} a second`);
  }
  return results;
}

/** The median over the rounds, whose programs share the machine's state. */
const compareMedians = (own, first) =>
  median(own.map(({ latencies }, round) => quantile(latencies, 0.5) / quantile(first[round].latencies, 0.5)));

/**
 * Counts the rows of growing tables, and the entries of their indexes, that Postgres reads for a request.
 * @returns by case, for each program.
 */
async function countRows(load, programs) {
  const rows = {};
  await delay(REPORTED_MS);
  for (const name of Object.keys(cases)) {
    await prepare(name, { load, programs });
    const counted = [];
    for (const { name: program, url, sql } of programs) {
      const before = await countRowsRead(sql);
      const { count } = await load.ask({ kind: 'run', name: program, url, ms: COUNTED_MS, connections: 1 });
      counted.push({ before, count });
    }
    await delay(REPORTED_MS);
    rows[name] = [];
    for (const [index, { sql, restore }] of programs.entries()) {
      const { before, count } = counted[index];
      rows[name].push(((await countRowsRead(sql)) - before) / count);
      if (isAccept(name)) await restore();
    }
  }
  return rows;
}

async function countRowsRead(sql) {
  await sql`select pg_stat_force_next_flush()`; // The reads of this connection are not the api's.
  const [{ count }] = await sql`
    select (select sum(seq_tup_read) from pg_stat_user_tables where relname <> all(${SMALL}))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname <> all(${SMALL})) as count
  `;
  return Number(count);
}

function print(name, { rowsPerRequest, ...results }) {
  for (const [connections, rows] of Object.entries(results)) {
    const [first] = rows;
    const head = ['connections', 'requests/s', 'time ×', 'p50 ms', '×', 'api ms', '×', 'Postgres', '×', 'rows', '×'];
    const lines = rows.map((row, index) => {
      const cpu = row.cpuMsPerRequest / first.cpuMsPerRequest;
      const postgresCpu = row.postgresCpuMsPerRequest / first.postgresCpuMsPerRequest;
      return [
        row.connections.toLocaleString('en'),
        row.perSecond.toFixed(0),
        mark(1 / row.ofFirst.median),
        row.latencyMs.p50.toFixed(2),
        mark(row.p50OfFirst),
        row.cpuMsPerRequest.toFixed(2),
        mark(cpu),
        row.postgresCpuMsPerRequest.toFixed(2),
        mark(postgresCpu),
        rowsPerRequest[index].toFixed(1),
        mark(rowsPerRequest[index] / rowsPerRequest[0]),
      ];
    });
    printTable(`${name}, ${connections.split(' ')[0]} at a time`, [head, ...lines]);
  }
}

/** Marks a ratio above the goal. */
const mark = (ratio) => `${ratio > GOAL ? '! ' : ''}${ratio.toFixed(2)}`;

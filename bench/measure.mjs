// Measures programs in interleaved rounds of load and compares each with the first.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';

const MAX_PASSES = 20;
const TICK_MS = 10; // USER_HZ is 100 on Linux, wherever it is built.

/** @returns fields of /proc/PID/stat behind the name, which may hold anything. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const timesOf = (stat, ...fields) => fields.reduce((sum, field) => sum + Number(stat[field]), 0) * TICK_MS;

/** Processor time of one process, in ms since it began. */
export const cpuOf = (pid) => timesOf(statOf(pid), 11, 12);

/** The process that started it. */
export const parentOf = (pid) => Number(statOf(pid)[1]);

/** Processor time of a process and all its children, including those that have ended. */
export function cpuOfFamily(pid) {
  let sum = timesOf(statOf(pid), 11, 12, 13, 14);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(name);
      if (Number(stat[1]) === pid) sum += timesOf(stat, 11, 12);
    } catch {} // It has ended in the meantime: its parent's time includes its own.
  }
  return sum;
}

/** Memory of a process that is in RAM, in MB. */
export const memoryOf = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

export const quantile = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
};
export const median = (values) => quantile(values, 0.5);

/** Starts the process that sends requests. */
export async function startLoad() {
  const child = fork(path.join(import.meta.dirname, 'load.mjs'), { execArgv: [] });
  const ended = once(child, 'exit').then(() => [{ error: 'The load has ended.' }]);
  const ask = async (message) => {
    const answered = new AbortController();
    child.send(message);
    const [answer] = await Promise.race([once(child, 'message', { signal: answered.signal }), ended]);
    answered.abort();
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  const stop = async () => {
    child.disconnect();
    await ended;
  };
  return { ask, stop };
}

/**
 * Loads each program for `sliceMs` a round, each round in another order.
 * `restore(program)` runs after each load of a program, outside the measured time.
 * @returns the result of each round, by program.
 */
export async function interleave(
  load,
  programs,
  { rounds, sliceMs, warmUpMs, warmUpRequests, connections, postgresPid, restore = async (_program) => {} },
) {
  const slices = programs.map(() => []);
  const run = ({ name, url }, ms) => load.ask({ kind: 'run', name, url, ms, connections });
  for (const program of programs) {
    // The engine optimizes code by use, not by time.
    for (let count = 0, passes = 0; count < warmUpRequests && passes < MAX_PASSES; passes += 1) {
      count += (await run(program, warmUpMs)).count;
      await restore(program);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < programs.length; turn += 1) {
      const index = (turn + round) % programs.length;
      const program = programs[index];
      const before = { program: cpuOf(program.pid), postgres: cpuOfFamily(postgresPid) };
      const { count, ms, latencies, bytes } = await run(program, sliceMs);
      slices[index].push({
        count,
        perSecond: (count / ms) * 1000,
        latencies,
        bytes,
        cpuMs: cpuOf(program.pid) - before.program,
        postgresMs: cpuOfFamily(postgresPid) - before.postgres,
      });
      await restore(program);
    }
  }
  return slices;
}

/** Medians over the rounds; processor time over all of them, since the system counts it in steps of 10 ms. */
export function summarize(programs, slices) {
  const [first] = slices;
  return programs.map(({ name }, index) => {
    const own = slices[index];
    const sum = (field) => own.reduce((total, slice) => total + slice[field], 0);
    const ratios = own.map(({ perSecond }, round) => perSecond / first[round].perSecond);
    const latencies = own.flatMap((slice) => slice.latencies);
    return {
      name,
      requests: sum('count'),
      bytes: own[0].bytes,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      ofFirst: { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) },
      latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), p99: quantile(latencies, 0.99) },
      cpuMsPerRequest: sum('cpuMs') / sum('count'),
      postgresCpuMsPerRequest: sum('postgresMs') / sum('count'),
    };
  });
}

/** Prints a table, the head first. The first column is aligned to the left. */
export function printTable(title, lines) {
  console.log(`\n${title}`);
  for (const cells of lines) {
    console.log(`  ${cells.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(11))).join('')}`);
  }
}

/** Describes the machine of the measurement. */
export function describeMachine() {
  const [{ model } = { model: 'unknown' }] = cpus();
  return {
    processor: model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** The id of the process that listens at a port of this machine. */
export function findListener(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const LISTENS = '0A';
  const inode = lines.find((words) => words[1]?.endsWith(`:${hex}`) && words[3] === LISTENS)?.[9];
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const files = readdirSync(`/proc/${name}/fd`).map((file) => readlinkSync(`/proc/${name}/fd/${file}`));
      return files.includes(`socket:[${inode}]`);
    } catch {
      return false; // It has ended in the meantime.
    }
  });
  if (pid === undefined) throw new Error(`No process listens at port ${port}.`);
  return Number(pid);
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** A process. Its start time distinguishes it from a later process with the same id. */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** @returns undefined if no such process runs. A zombie does not run. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** In clock ticks since boot: proc(5), fields 3 (state) and 22. The name before them can contain spaces and brackets. */
function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined; // No such process.
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const [state = 'Z', ...start] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined; // ps exits with 1 if there is no such process.
  }
}

export const isRunning = (wanted: ProcessIdentity): boolean =>
  identifyProcess(wanted.pid)?.startedAt === wanted.startedAt;

/** Reads the command line of a process, joined by spaces. Empty if there is no such process. */
export function readCommandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Lists the running processes with `folder` as their working directory. Works on Linux; elsewhere the list is empty. */
export function listProcessesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  const place = existsSync(folder) ? realpathSync(folder) : folder; // Linux names no links.
  const isIn = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === place;
    } catch {
      return false; // It has ended, or belongs to another user.
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isIn(name))
    .map(Number);
}

export interface StopPolicy {
  /** The signal that makes this program shut down gracefully. */
  readonly signal: 'SIGTERM' | 'SIGINT';
  /** How long a graceful shutdown may take before the process is killed. */
  readonly patienceMs: number;
}

/** Ends a process gracefully. After `patienceMs` it kills the whole process group. */
export async function endProcess(target: ProcessIdentity, { signal, patienceMs }: StopPolicy): Promise<void> {
  send(target, target.pid, signal);
  const giveUpAt = Date.now() + patienceMs;
  while (isRunning(target)) {
    if (Date.now() > giveUpAt) send(target, -target.pid, 'SIGKILL');
    await delay(25);
  }
}

function send(target: ProcessIdentity, pid: number, signal: NodeJS.Signals): void {
  try {
    if (isRunning(target)) process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error; // It ended without a signal of ours.
  }
}

const Entry = ProcessIdentity.extend({
  name: z.string(),
  signal: z.enum(['SIGTERM', 'SIGINT']),
  patienceMs: z.number(),
});
type Entry = z.infer<typeof Entry>;

/**
 * Records started processes in a file, in order of their start. If the starter was killed, the next one finds and ends
 * them: a database must not be opened twice, and their ports must be free again.
 */
export class ProcessRecord {
  readonly #file: string;
  #entries: Entry[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  add(entry: Entry): void {
    this.#entries = [...this.#entries.filter(isRunning), entry];
    writePrivateJson(this.#file, this.#entries);
  }

  /** Call this after all processes have ended. */
  clear(): void {
    this.#entries = [];
    rmSync(this.#file, { force: true });
  }

  /** Ends processes that an earlier starter left running. @returns their names */
  async endOrphans(): Promise<string[]> {
    const orphans = (readPrivateJson(this.#file, z.array(Entry)) ?? []).filter(isRunning).reverse();
    for (const orphan of orphans) await endProcess(orphan, orphan);
    this.clear();
    return orphans.map((orphan) => orphan.name);
  }
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '../../src/local/lock.ts';
import { postgresUser, reachableFolder } from '../../src/local/postgres-programs.ts';
import { ProcessRecord } from '../../src/local/processes.ts';
import type { Surroundings } from '../../src/local/service.ts';
import { ROOT } from '../../src/local/services.ts';

export const CACHE = path.join(ROOT, '.cache');

/** A folder for what one run of the tests starts and writes. Postgres' user can enter it. */
export interface RunFolder extends Surroundings {
  readonly folder: string;
  remove(): void;
}

/** Makes this run's folder, and clears away what runs that were killed have left behind, processes included. */
export async function openRunFolder(): Promise<RunFolder> {
  const runs = reachableFolder(path.join(reachableFolder(CACHE, postgresUser()), 'test-runs'), postgresUser());
  for (const name of readdirSync(runs)) {
    const folder = path.join(runs, name);
    if (takeLock(lockFile(folder)) !== undefined) continue; // It is still running.
    await recordIn(folder).endOrphans();
    rmSync(folder, { recursive: true, force: true });
  }
  const folder = reachableFolder(path.join(runs, String(process.pid)), postgresUser());
  takeLock(lockFile(folder));
  const logs = path.join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    folder,
    logs,
    record: recordIn(folder),
    say: console.warn,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const lockFile = (folder: string) => path.join(folder, 'run.lock');
const recordIn = (folder: string) => new ProcessRecord(path.join(folder, 'processes.json'));

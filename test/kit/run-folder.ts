import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '../../local/src/lock.ts';
import { ensureReachableFolder, findPostgresUser } from '../../local/src/postgres-programs.ts';
import { ProcessRecord } from '../../local/src/process.ts';
import type { ServiceContext } from '../../local/src/service.ts';
import { ROOT } from '../../local/src/services.ts';

export const CACHE = path.join(ROOT, '.cache');

/** A folder for the processes and files of one test run. Postgres' user can enter it. */
export interface RunFolder extends ServiceContext {
  readonly folder: string;
  remove(): void;
}

/** Creates a folder, and removes the files and processes that killed runs left. */
export async function openRunFolder(): Promise<RunFolder> {
  const runs = ensureReachableFolder(
    path.join(ensureReachableFolder(CACHE, findPostgresUser()), 'test-runs'),
    findPostgresUser(),
  );
  await clearAbandoned(runs);
  const place = path.join(runs, `${process.pid}-${randomUUID().slice(0, 8)}`);
  const lock = takeLock(lockOf(place)); // Before others can find the folder.
  const folder = ensureReachableFolder(place, findPostgresUser());
  const logs = path.join(folder, 'logs');
  mkdirSync(logs);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    if (lock.taken) lock.release();
  };
  return { folder, logs, record: recordIn(folder), say: console.warn, remove };
}

const lockOf = (folder: string) => `${folder}.lock`;
const recordIn = (folder: string) => new ProcessRecord(path.join(folder, 'processes.json'));

async function clearAbandoned(runs: string): Promise<void> {
  const folders = readdirSync(runs, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const folder of folders.map(({ name }) => path.join(runs, name))) {
    const lock = takeLock(lockOf(folder));
    if (!lock.taken) continue; // Its run has not ended.
    await recordIn(folder).endOrphans();
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  }
}

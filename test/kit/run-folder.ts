import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';
import { takeLock } from '../../local/src/lock.ts';
import { ensureReachableFolder, findPostgresUser } from '../../local/src/postgres-programs.ts';
import { ProcessRecord } from '../../local/src/process.ts';
import { ROOT } from '../../local/src/services.ts';

export const CACHE = path.join(ROOT, '.cache');

/** A folder for the processes and files of one test run. Postgres' user can enter it. */
export type RunFolder = Awaited<ReturnType<typeof openRunFolder>>;

/** Linux' file system in memory. A container may have a small one. */
const MEMORY = '/dev/shm';
const LEAST_MEMORY_BYTES = 4 * 2 ** 30;

/** Creates a folder, and removes the files and processes that killed runs left. */
export async function openRunFolder() {
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
    removeRun(folder);
    if (lock.taken) lock.release();
  };
  /**
   * Creates a folder for files that need no disk, in memory if there is room. A database is hundreds of files, and ext4 creates files slowly for
   * seconds after others were deleted: a third of a run's processor time.
   */
  const openMemory = () => (hasMemory() ? ensureReachableFolder(inMemory(folder), findPostgresUser()) : folder);
  return { folder, openMemory, logs, record: recordIn(folder), say: console.warn, remove };
}

/** The name contains its owner: the folders of several checkouts share the place. */
const inMemory = (folder: string) => path.join(MEMORY, `social-account-tests-${path.basename(folder)}`);

function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= LEAST_MEMORY_BYTES;
}

function removeRun(folder: string): void {
  for (const place of [folder, inMemory(folder)]) rmSync(place, { recursive: true, force: true });
}

const lockOf = (folder: string) => `${folder}.lock`;
const recordIn = (folder: string) => new ProcessRecord(path.join(folder, 'processes.json'));

async function clearAbandoned(runs: string): Promise<void> {
  const folders = readdirSync(runs, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const folder of folders.map(({ name }) => path.join(runs, name))) {
    const lock = takeLock(lockOf(folder));
    if (!lock.taken) continue; // Its run has not ended.
    await recordIn(folder).endOrphans();
    removeRun(folder);
    lock.release();
  }
}

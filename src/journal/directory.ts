import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Files, journalDamaged, journalRefused, MAX_BYTES } from './files.ts';

/** The api only reads, and may run as another user than the worker. */
const READ_BY_GROUP = 0o640;
const WORLD_WRITABLE = 0o002;
/** Does not follow links, and does not wait for the writer of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DRAFT = /^\.[0-9a-f-]{36}$/;
/** An abandoned draft: its writer crashed. */
const DRAFT_KEPT_MS = 3_600_000;

/**
 * Files in an existing directory on a POSIX file system. They can be copied elsewhere at any time. Each operation
 * throws a ServiceError if others could have written to the directory or to the file.
 */
export function openDirectory(directory: string): Files {
  const at = (name: string) => path.join(directory, name);
  return {
    async list() {
      await requireDirectory(directory);
      return await readdir(directory);
    },
    async read(name) {
      await requireDirectory(directory);
      return await readPlainFile(at(name), name);
    },
    async add(name, text) {
      await requireDirectory(directory);
      // A crash leaves a draft behind. A random name keeps the next try, which may have the same process id in a
      // container, from colliding with it.
      const draft = at(`.${randomUUID()}`);
      try {
        await writeDurably(draft, text);
        await link(draft, at(name)); // Unlike a rename, a link never replaces an existing file.
      } catch (error) {
        if (isError(error, 'EEXIST')) return false;
        throw error;
      } finally {
        await rm(draft, { force: true });
      }
      await syncDirectory(directory);
      return true;
    },
    async modifiedAt(name) {
      return await findModificationTime(at(name));
    },
    async remove(name) {
      await rm(at(name), { force: true });
    },
    async removeDrafts() {
      for (const name of (await readdir(directory)).filter((other) => DRAFT.test(other))) {
        const modifiedAt = await findModificationTime(at(name));
        if (modifiedAt !== undefined && modifiedAt.getTime() < Date.now() - DRAFT_KEPT_MS) {
          await rm(at(name), { force: true });
        }
      }
    },
  };
}

const isError = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

async function requireDirectory(directory: string): Promise<void> {
  const found = await lstat(directory);
  if (!found.isDirectory()) throw journalRefused('ERASURE_JOURNAL must name a directory, not a link.');
  if ((found.mode & WORLD_WRITABLE) === 0) return;
  // Anybody could write false facts into it.
  throw journalRefused('ERASURE_JOURNAL names a world-writable directory: run chmod o-w on it.');
}

async function findModificationTime(file: string): Promise<Date | undefined> {
  try {
    return (await stat(file)).mtime;
  } catch (error) {
    if (!isError(error, 'ENOENT')) throw error; // Another process removed it.
    return undefined;
  }
}

async function readPlainFile(file: string, name: string): Promise<string | undefined> {
  const handle = await open(file, READ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw journalDamaged(`${name} is not a regular file`);
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  try {
    return handle && (await readChecked(handle, name));
  } finally {
    await handle?.close();
  }
}

async function readChecked(handle: FileHandle, name: string): Promise<string> {
  const found = await handle.stat();
  if (!found.isFile()) throw journalDamaged(`${name} is not a regular file`);
  if (found.size > MAX_BYTES) throw journalDamaged(`${name} is too large`);
  if ((found.mode & WORLD_WRITABLE) !== 0) throw journalDamaged(`${name} is world-writable`);
  return await handle.readFile('utf8');
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', READ_BY_GROUP);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

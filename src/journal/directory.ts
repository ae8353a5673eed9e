import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Files, journalDamaged, journalRefused, MAX_BYTES } from './files.ts';

/** The api only reads, and may run as another user than the worker. */
const READ_BY_GROUP = 0o640;
const FOLDER_MODE = 0o750;
const WORLD_WRITABLE = 0o002;
/** Does not follow links, and does not wait for the writer of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const FOLDER = /^\d+$/;
const DRAFT = /^\.[0-9a-f-]{36}$/;
/** An abandoned draft: its writer crashed. */
const DRAFT_KEPT_MS = 3_600_000;

/**
 * Files in folders of an existing directory on a POSIX file system. They can be copied elsewhere at any time. Each operation
 * throws a ServiceError if others could have written to the directory, the folder or the file.
 */
export function openDirectory(directory: string): Files {
  const at = (name: string) => path.join(directory, name);
  let cleaned: Promise<void> | undefined;
  return {
    async list(from) {
      await requireDirectory(directory);
      const folders = (await readdir(directory)).filter((name) => FOLDER.test(name) && name >= path.dirname(from));
      const names: string[] = [];
      for (const folder of folders.sort()) {
        await requireFolder(at(folder), folder);
        names.push(...(await readdir(at(folder))).map((name) => `${folder}/${name}`));
      }
      return names;
    },
    async read(name) {
      await requireDirectory(directory);
      const folder = path.dirname(name);
      return (await requireFolder(at(folder), folder)) ? await readPlainFile(at(name), name) : undefined;
    },
    async requireWritable() {
      await requireDirectory(directory);
      const [draft, copy] = [at(`.${randomUUID()}`), at(`.${randomUUID()}`)];
      try {
        await writeDurably(draft, '');
        await link(draft, copy); // Not every file system has hard links.
      } finally {
        for (const file of [draft, copy]) await rm(file, { force: true });
      }
    },
    async add(name, text) {
      await requireDirectory(directory);
      cleaned ??= removeDrafts(directory).catch(() => undefined); // They are only in the way of people.
      await cleaned;
      const folder = path.dirname(at(name));
      await mkdir(folder, FOLDER_MODE).catch((error: unknown) => {
        if (!isError(error, 'EEXIST')) throw error;
      });
      await requireFolder(folder, path.dirname(name));
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
      await syncDirectory(folder);
      await syncDirectory(directory); // Perhaps the folder is new.
      return true;
    },
  };
}

/** Removes the drafts that a crash has left. */
async function removeDrafts(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((other) => DRAFT.test(other))) {
    const file = path.join(directory, name);
    if ((await stat(file)).mtimeMs < Date.now() - DRAFT_KEPT_MS) await rm(file, { force: true });
  }
}

const isError = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

async function requireDirectory(directory: string): Promise<void> {
  const found = await lstat(directory);
  if (!found.isDirectory()) throw journalRefused('ERASURE_JOURNAL must name a directory, not a link.');
  if ((found.mode & WORLD_WRITABLE) === 0) return;
  // Any user could write false facts into it.
  throw journalRefused('ERASURE_JOURNAL names a world-writable directory: run chmod o-w on it.');
}

/** @returns false if there is no such folder. */
async function requireFolder(folder: string, name: string): Promise<boolean> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (!isError(error, 'ENOENT')) throw error;
    return undefined;
  });
  if (found === undefined) return false;
  if (!found.isDirectory()) throw journalDamaged(`${name} is not a directory`);
  if ((found.mode & WORLD_WRITABLE) !== 0) throw journalDamaged(`${name} is world-writable`);
  return true;
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

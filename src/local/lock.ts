import { linkSync, renameSync, rmSync } from 'node:fs';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { identify, isRunning, ProcessIdentity } from './processes.ts';

/**
 * Takes a lock for as long as this process lives. A lock whose holder was killed is taken over.
 * @returns the running holder's process id when there is one, else undefined: the lock is ours.
 */
export function takeLock(file: string): number | undefined {
  const own = `${file}.${process.pid}`;
  writePrivateJson(own, identify(process.pid));
  try {
    for (;;) {
      if (linkUnlessThere(own, file)) break;
      const holder = readPrivateJson(file, ProcessIdentity);
      if (holder !== undefined && isRunning(holder)) return holder.pid;
      clearAbandoned(file);
    }
  } finally {
    rmSync(own, { force: true });
  }
  process.once('exit', () => rmSync(file, { force: true }));
  return undefined;
}

/** A link appears with its content, and only where nothing is. */
function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of several that find an abandoned lock only one gets to move it; one that moved a live lock puts it back. */
function clearAbandoned(file: string): void {
  const aside = `${file}.${process.pid}.aside`;
  try {
    renameSync(file, aside);
  } catch {
    return; // Another was faster.
  }
  const holder = readPrivateJson(aside, ProcessIdentity);
  if (holder !== undefined && isRunning(holder)) linkUnlessThere(aside, file);
  rmSync(aside, { force: true });
}

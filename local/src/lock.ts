import { existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { identifyProcess, isRunning, ProcessIdentity } from './process.ts';

export type Lock =
  | { readonly taken: true; release(): void }
  /** `holder` is the process id of the holder. */
  | { readonly taken: false; readonly holder: number };

/**
 * Takes a lock until it is released or this process ends. Takes it over from a holder that was killed.
 *
 * Each process writes the next file in the series `<file>.1`, `<file>.2`: of several that found the same holder dead,
 * only one can. A holder removes its own file. The next holder removes the file of a dead one when it releases the lock.
 */
export function takeLock(file: string): Lock {
  const draft = `${file}-${process.pid}`;
  writePrivateJson(draft, identifyProcess(process.pid));
  try {
    for (;;) {
      const last = turnsOf(file).at(-1) ?? 0;
      const holder = readPrivateJson(turnFile(file, last), ProcessIdentity);
      if (holder !== undefined && isRunning(holder)) return { taken: false, holder: holder.pid };
      if (linkUnlessThere(draft, turnFile(file, last + 1))) return hold(file, last + 1);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function hold(file: string, own: number): Lock {
  const release = () => {
    process.off('exit', release);
    // Removes its own file last, so that no other process sees a dead holder's file as the latest.
    for (const turn of turnsOf(file).filter((each) => each <= own)) rmSync(turnFile(file, turn), { force: true });
  };
  process.once('exit', release);
  return { taken: true, release };
}

const turnFile = (file: string, turn: number) => `${file}.${turn}`;

/** In ascending order. Empty if the folder is gone. */
function turnsOf(file: string): number[] {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

/** Creates a hard link, which appears with its content and never replaces a file. */
function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

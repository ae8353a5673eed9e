import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A disk of its own, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Uses up all its room. */
  fill(): void;
  /** Gives the room back. */
  clear(): void;
  remove(): void;
}

/** Only root can mount a disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export function openSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder]);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (const size of [1_048_576, 4_096]) while (write(file, Buffer.alloc(size)));
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  };
}

function write(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

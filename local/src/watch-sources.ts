import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { say } from './screen.ts';
import { ROOT } from './services.ts';

const WATCHED = [
  ...['src', 'console/src', 'sandbox/src', 'local/src', 'clients/typescript/src'],
  ...['examples/caller/src', 'examples/caller/public'],
];
/** Editors write a file in several steps. */
const SETTLE_MS = 150;

/** Builds after every change of the sources and calls `restart` after a successful build, one at a time. */
export function watchSources(restart: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;

  async function follow(): Promise<void> {
    running = true;
    do {
      again = false;
      if (await builds()) await restart().then(() => say('Restarted.'), reportFailure);
    } while (again);
    running = false;
  }

  for (const folder of WATCHED) {
    watch(path.join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (running) again = true;
        else void follow();
      }, SETTLE_MS);
    });
  }
  say(`Watching ${WATCHED.join(', ')}.`);
}

function reportFailure(error: unknown): void {
  say(`${error instanceof Error ? error.message : error}\nWaiting for the next change.`);
}

function builds(): Promise<boolean> {
  return new Promise((resolve) => {
    const build = spawn(process.execPath, [path.join(ROOT, 'scripts', 'build.mjs')], { cwd: ROOT, stdio: 'inherit' });
    build.once('exit', (code) => resolve(code === 0));
  });
}

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first one has no window, and costs half. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium that `CHROMIUM_PATH` names, or the first on PATH; undefined skips its tests. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Missing or not executable.
  }
}

/** @throws Error without a Chromium; call `findChromium` first. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on PATH; set CHROMIUM_PATH to one.');
  const { LD_PRELOAD: _clock, ...env } = process.env; // A browser hangs under another clock.
  return await chromium.launch({
    executablePath,
    env,
    // The sandbox needs rights that containers and root seldom have; only our own pages are opened.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
}

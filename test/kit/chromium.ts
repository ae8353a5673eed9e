import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { ROOT } from '../../local/src/services.ts';
import { WAIT_LIMIT_MS } from './limits.ts';
import { CACHE } from './run-folder.ts';

/** The first one has no window, and costs half. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAMS = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
/** Chromium as an npm package, without a window, for Linux on x64. */
const PACKAGE = path.join(ROOT, 'node_modules', '@sparticuz', 'chromium');

/** The Chromium of `CHROMIUM_PATH`, or the first on PATH, or that of the npm package; undefined skips its tests. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const programs = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  const installed = [...programs, ...MAC_PROGRAMS].find(isExecutable);
  const hasPackage = process.platform === 'linux' && process.arch === 'x64';
  return installed ?? (hasPackage ? path.join(placeOfPackage(), 'chromium') : undefined);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Missing or not executable.
  }
}

const placeOfPackage = (): string => {
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  return path.join(CACHE, `chromium-${version}`);
};

const bin = (name: string) => path.join(PACKAGE, 'bin', `${name}.br`);
const untar = (name: string, folder: string) =>
  execFileSync('tar', ['-x', '--no-same-owner', '-C', folder], {
    input: brotliDecompressSync(readFileSync(bin(name))),
  });

/** Unpacks the package once. Another process may do so at the same time. */
async function unpack(place: string): Promise<void> {
  if (existsSync(place)) return;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${place}-`);
  try {
    const program = path.join(draft, 'chromium');
    await pipeline(
      createReadStream(bin('chromium')),
      createBrotliDecompress(),
      createWriteStream(program, { mode: 0o755 }),
    );
    // Fails without NSS, which servers seldom have.
    if (spawnSync(program, ['--version']).status !== 0) untar('al2023.tar', draft);
    untar('fonts.tar', draft);
    writeFileSync(
      path.join(draft, 'fonts.conf'),
      `<fontconfig><dir>${place}/fonts</dir><cachedir>${place}/fonts-cache</cachedir></fontconfig>\n`,
    );
    if (!existsSync(place)) renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The files that the package's program needs on a machine without the libraries or fonts of a desktop. */
function surroundingsOf(place: string): Record<string, string> {
  const libraries = path.join(place, 'lib');
  return {
    ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: path.join(place, 'fonts.conf') }),
  };
}

/** @throws Error without a Chromium; call `findChromium` first. */
export async function openChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on PATH; set CHROMIUM_PATH to one.');
  const place = path.dirname(executablePath);
  const isPackage = place === placeOfPackage();
  if (isPackage) await unpack(place);
  const { LD_PRELOAD: _clock, ...env } = process.env; // A browser hangs under another clock.
  const browser = await chromium.launch({
    executablePath,
    env: { ...env, ...(isPackage ? surroundingsOf(place) : {}) },
    // The sandbox needs rights that containers and root seldom have; only our own pages are opened.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    return context;
  };
  return browser;
}

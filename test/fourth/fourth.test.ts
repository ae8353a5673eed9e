import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { TEST_LIMIT_MS, WAIT_LIMIT_MS } from '../kit/limits.ts';
import { readProcedures } from '../kit/page-blocks.ts';
import { CACHE } from '../kit/run-folder.ts';
import { applyStep, readSteps, type Step } from './guide.ts';

const run = promisify(execFile);

const PAGE = 'docs/adding-a-provider.md';
/** The parts that compile and run in the copy. */
const COPIED = [
  ...['src', 'sandbox', 'local/src', 'console', 'migrations', 'ops', 'deploy', 'clients', 'examples/typescript'],
  ...['scripts', 'bench', 'docs'],
  ...['test/kit', 'test/build/webhook-schema.test.ts'],
  ...['schema.graphql', 'admin.graphql', 'CONTRIBUTING.md', 'package.json', 'package-lock.json', 'tsconfig.json'],
];
/** The overlay: the new folders, and the test that goes through the platform's life. */
const TREE = path.join(import.meta.dirname, 'tree');

/** Runs the overlay's test. */
const CONFIG = `
import { defineConfig } from 'vitest/config';
export default defineConfig({
  resolve: { alias: { graphql: '${path.join(ROOT, 'node_modules', 'graphql', 'index.js')}' } },
  test: {
    include: ['test/conformance/*.test.ts', 'test/build/webhook-schema.test.ts'],
    globalSetup: 'test/kit/global-setup.ts',
    setupFiles: ['test/kit/shared-process.ts'],
    expect: { poll: { timeout: ${WAIT_LIMIT_MS} } },
    testNamePattern: /PROVIDER_D|published JSON Schema/,
    testTimeout: ${TEST_LIMIT_MS},
    maxWorkers: 2,
  },
});
`;

fs.mkdirSync(CACHE, { recursive: true });
const copy = fs.mkdtempSync(path.join(CACHE, 'fourth-'));
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }));

const inCopy = async (program: string, args: readonly string[], environment: Record<string, string> = {}) => {
  const env = { PATH: process.env.PATH ?? '', HOME: copy, TZ: 'UTC', CI: '1', ...environment };
  try {
    return (await run(program, args, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout.slice(-12_000)}\n${stderr.slice(-2_000)}`, { cause: error });
  }
};
const bin = (...parts: string[]) => path.join(copy, 'node_modules', ...parts);
const compile = (project: string) => inCopy(process.execPath, [bin('typescript-7', 'bin', 'tsc'), '-p', project]);
const vitest = (args: readonly string[], environment?: Record<string, string>) =>
  inCopy(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', ...args], environment);

/** Writes a project of these files. @returns its name */
function project(name: string, include: readonly string[]): string {
  const file = `tsconfig.${name}.json`;
  fs.writeFileSync(path.join(copy, file), JSON.stringify({ extends: './tsconfig.json', include, exclude: [] }));
  return file;
}

function apply(step: Step): void {
  const file = path.join(copy, step.file);
  fs.writeFileSync(file, applyStep(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '', step));
}

test('a platform that is added by the guide lives its whole life', async () => {
  for (const name of COPIED) {
    fs.cpSync(path.join(ROOT, name), path.join(copy, name), {
      recursive: true,
      filter: (source) => !/\/(dist|node_modules|\.cache)$/.test(source),
    });
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  fs.mkdirSync(path.join(copy, '.cache'));
  for (const name of fs.readdirSync(CACHE)) {
    if (/^(postgres|temporal)-/.test(name)) fs.symlinkSync(path.join(CACHE, name), path.join(copy, '.cache', name));
  }

  const steps = readSteps(fs.readFileSync(path.join(ROOT, PAGE), 'utf8'));
  expect(new Set(steps.map(({ file }) => file.replace(/^migrations\/.*/, 'migrations')))).toEqual(
    new Set([
      ...['src/basics/codes.ts', 'src/providers/platforms.ts', 'sandbox/src/model.ts', 'sandbox/src/emulations.ts'],
      ...['schema.graphql', 'migrations'],
    ]),
  );
  // A name without its folders does not compile.
  for (const step of steps.filter(({ file }) => /codes|model/.test(file))) apply(step);
  const lists = ['src/providers/platforms.ts', 'sandbox/src/emulations.ts'];
  const missing = await compile(project('lists', lists)).catch(({ message }: Error) => message);
  for (const file of lists) expect(missing).toContain(`${file}(`);

  fs.writeFileSync(path.join(copy, 'vitest.config.ts'), CONFIG);
  fs.cpSync(TREE, copy, { recursive: true });
  for (const step of steps.filter(({ file }) => !/codes|model/.test(file))) apply(step);
  for (const { language, text } of readProcedures(PAGE)) {
    if (language === 'bash') await inCopy('bash', ['-ec', text]);
  }
  await inCopy(process.execPath, ['scripts/codegen.mjs']);
  const sources = ['src', 'local/src', 'sandbox/src', 'test/kit', 'test/conformance/*.test.ts'];
  await Promise.all([compile(project('all', sources)), compile('console')]);
  await compile(path.join('clients', 'typescript'));

  await vitest([]);
});

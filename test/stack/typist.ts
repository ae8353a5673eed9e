import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { PROGRAM } from '../kit/built.ts';
import { readProcedures, splitCommands, type TypedPage } from '../kit/page-blocks.ts';

/** Placeholders of a page, with their values. */
export type Known = Map<string, string>;

export interface Surroundings {
  readonly known: Known;
  /** The environment in which a command runs, by the page. */
  environmentOf(command: string): Record<string, string>;
  /** Sends an operation of the admin API. */
  ask?(document: string): Promise<unknown>;
  query?(statement: string): Promise<unknown>;
  /** Actions between two commands: a person consents, a worker starts. */
  before?(command: string): Promise<void>;
  /** @returns whether the output has all that the page waits for */
  after?(command: string, output: string): Promise<boolean>;
}

/** The word that the pages use for the id that a command prints, and where it stands in the output. */
const PRINTED: Readonly<Record<string, readonly [word: string, place: RegExp]>> = {
  'app create': ['APP_ID', /^id +(\S+)$/m],
  'registration create': ['REGISTRATION_ID', /^id +(\S+)$/m],
  'issuer create': ['ISSUER_ID', /^id +(\S+)$/m],
  'webhook create': ['ENDPOINT_ID', /^endpoint\.id +(\S+)$/m],
  'callback-secret add': ['CALLBACK_SECRET_ID', /^callbackSecrets +id=(\S+)/m],
};

/** A folder that looks like a checkout which has been built, and programs that a page presumes. */
export function openFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'procedures-'));
  symlinkSync(path.dirname(PROGRAM), path.join(folder, 'dist'));
  cpSync(path.join(ROOT, 'ops'), path.join(folder, 'ops'), { recursive: true });
  symlinkSync(path.join(ROOT, 'clients'), path.join(folder, 'clients'));
  mkdirSync(path.join(folder, 'bin'));
  symlinkSync(inject('temporalCommand'), path.join(folder, 'bin', 'temporal'));
  const psql = path.join(folder, 'bin', 'psql');
  writeFileSync(psql, PSQL);
  chmodSync(psql, 0o755);
  return folder;
}

/** As much of psql as the pages use. */
const PSQL = `#!${process.execPath}
const { default: postgres } = await import('${path.join(ROOT, 'node_modules', 'postgres', 'src', 'index.js')}');
const sql = postgres(process.env.PGURL, { max: 1, onnotice: () => {} });
for (const [at, word] of process.argv.entries()) if (word === '--command') await sql.unsafe(process.argv[at + 1]);
await sql.end();
`;

/** Types the blocks of a page in their order, in one folder. @returns all commands, as they were typed */
export async function typePage(page: TypedPage, folder: string, surroundings: Surroundings): Promise<string[]> {
  const { known, environmentOf, ask, query, before, after } = surroundings;
  const typed: string[] = [];
  let exports = '';
  for (const { line, language, text } of readProcedures(page)) {
    const place = `${page}:${line}`;
    if (language === 'graphql') await named(place, () => required(ask)(text));
    else if (language === 'sql') await named(place, () => required(query)(text));
    else {
      for (const command of splitCommands(text)) {
        await before?.(command);
        const filled = fill(command, known);
        typed.push(filled);
        if (/^export /.test(filled)) exports += `${filled}\n`;
        for (let isDone = false; !isDone; ) {
          const output = await named(place, () => type(`${exports}${filled}`, folder, environmentOf(command)));
          learn(command, output, known);
          isDone = (await after?.(command, output)) ?? true;
        }
      }
    }
  }
  return typed;
}

/** Longer words first: REVOKE_JOB_ID contains JOB_ID. */
const fill = (command: string, known: Known): string =>
  [...known.keys()]
    .sort((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, known.get(word) ?? ''), command);

function learn(command: string, output: string, known: Known): void {
  for (const [words, [word, place]] of Object.entries(PRINTED)) {
    const [, id] = (command.includes(` ${words} `) && place.exec(output)) || [];
    if (id !== undefined) known.set(word, id);
  }
}

async function type(script: string, cwd: string, environment: Record<string, string>): Promise<string> {
  const env = { PATH: `${path.join(cwd, 'bin')}:${process.env.PATH}`, HOME: cwd, ...environment };
  return await new Promise((resolve, reject) => {
    execFile('sh', ['-euc', script], { cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${script}\n${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

async function named<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The page has a block that its state has no answer for.');
  return value;
}

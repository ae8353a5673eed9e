import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The project's root, where every command runs. */
export const ROOT = path.join(import.meta.dirname, '..');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program with its output on this terminal.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env beside this process' own
 * @param {{ forward?: boolean, onErrorLine?: (line: string) => void }} how `forward` passes signals on, which then do not end this
 *   process: a terminal sends them to all programs, another program only to this one. `onErrorLine` takes the lines of its standard error.
 * @returns {Promise<number>} its exit code; 1 if a signal ended it or it did not start
 */
export function run(program, args, env = {}, { forward = false, onErrorLine } = {}) {
  return new Promise((resolve) => {
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = ['inherit', 'inherit', onErrorLine === undefined ? 'inherit' : 'pipe'];
    const child = spawn(program, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } });
    if (child.stderr && onErrorLine) createInterface({ input: child.stderr }).on('line', onErrorLine);
    const send = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    if (forward) for (const signal of SIGNALS) process.on(signal, send);
    const end = (/** @type {number} */ code) => {
      for (const signal of SIGNALS) process.off(signal, send);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`Cannot start ${program}: ${error.message}`);
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

import { spawn } from 'node:child_process';
import path from 'node:path';

/** The project's root, where every command runs. */
export const ROOT = path.join(import.meta.dirname, '..');

/**
 * Runs a program with its output on this terminal.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env beside this process' own
 * @returns {Promise<number>} its exit code; 1 if a signal ended it or it did not start
 */
export function run(program, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('error', (error) => {
      console.error(`Cannot start ${program}: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

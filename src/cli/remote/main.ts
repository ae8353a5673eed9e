#!/usr/bin/env node
import { ServiceError } from '../../basics/errors.ts';
import { COMMANDS } from '../commands/index.ts';
import { listCompletions, PROGRAM, SCRIPTS, SHELLS, type Shell } from '../completion.ts';
import { findNearest } from '../find-nearest.ts';
import { describeOne, findCommand, listCommands, listCommandsOf, readCommandOptions } from '../front.ts';
import { runCommand } from '../run-command.ts';
import { createTerminal } from '../terminal.ts';
import { createSend, readAdminApiSettings } from './admin-api.ts';

/** Runs operators' commands against an admin API, from any machine. */

const hasColor = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const bold = (text: string) => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);

const describeAll = () => `Usage: ${PROGRAM} COMMAND [options]

${listCommands(bold)}

${bold('Help')}
  COMMAND --help    Describe one command
  completion SHELL  Print a completion script for ${SHELLS.join(', ')}

Set ADMIN_API_URL, and ADMIN_API_TOKEN or ADMIN_API_TOKEN_FILE. --json prints one JSON value.
Process lists and shell histories show arguments: give a person on standard input or with --subject-file.
`;

function printCompletion([what = '', ...rest]: readonly string[]): number {
  if (what === 'list') {
    process.stdout.write(`${listCompletions(rest[0] === '--' ? rest.slice(1) : rest).join('\n')}\n`);
    return 0;
  }
  if ((SHELLS as readonly string[]).includes(what)) {
    process.stdout.write(SCRIPTS[what as Shell]);
    return 0;
  }
  process.stderr.write(`completion takes one of ${SHELLS.join(', ')}.\n`);
  return 2;
}

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'completion') return printCompletion(args.slice(1));
  const found = findCommand(args);
  if (args.includes('--help') || args.length === 0) {
    const group = listCommandsOf(args.filter((word) => !word.startsWith('-')).join(' '));
    process.stdout.write(found === undefined ? group || describeAll() : describeOne(found));
    return args.length === 0 ? 2 : 0;
  }
  if (found === undefined) {
    // The words are not repeated: one may name a person.
    const typed = args.filter((word) => !word.startsWith('-')).slice(0, 2);
    const nearest = findNearest(typed.join(' '), Object.keys(COMMANDS));
    const hint = nearest === undefined ? `${PROGRAM} --help lists them` : `Did you mean "${nearest}"?`;
    process.stderr.write(`There is no such command. ${hint}\n`);
    return 2;
  }
  const connect = () => createSend(readAdminApiSettings(process.env));
  return await runCommand(found.name, found.command, readCommandOptions(found), connect, createTerminal());
}

// The reader of a pipe may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const message = error instanceof ServiceError ? error.message : 'The command failed unexpectedly.';
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

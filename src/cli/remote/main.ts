#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../../basics/errors.ts';
import { findNearest } from '../find-nearest.ts';
import { readOptions } from '../read-options.ts';
import { readAdminApiSettings } from './admin-api.ts';
import { REMOTE_COMMANDS } from './commands.ts';
import { listCompletions, PROGRAM, SCRIPTS, SHELLS, type Shell } from './completion.ts';
import { fileOptionOf, listPersonOptions } from './read-persons.ts';
import { runRemoteCommand, type Terminal } from './run-command.ts';
import { describeUsage, type RemoteCommand } from './shape.ts';

/** Runs operators' commands against an admin API, from any machine. */

const hasColor = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const bold = (text: string) => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);

function describeAll(): string {
  const groups = [...new Set(Object.values(REMOTE_COMMANDS).map(({ group }) => group))];
  const width = Math.max(...Object.keys(REMOTE_COMMANDS).map(({ length }) => length));
  const blocks = groups.map((group) => {
    const lines = Object.entries(REMOTE_COMMANDS)
      .filter(([, command]) => command.group === group)
      .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
    return `${bold(group)}\n${lines.join('\n')}`;
  });
  return `Usage: ${PROGRAM} COMMAND [options]

${blocks.join('\n\n')}

${bold('Help')}
  COMMAND --help${' '.repeat(Math.max(1, width - 12))}Describe one command
  completion SHELL${' '.repeat(Math.max(1, width - 14))}Print a completion script for ${SHELLS.join(', ')}

Set ADMIN_API_URL, and ADMIN_API_TOKEN or ADMIN_API_TOKEN_FILE. --json prints one JSON value.
Process lists and shell histories show arguments: give a person on standard input or with --subject-file.
`;
}

interface Found {
  readonly name: string;
  readonly command: RemoteCommand;
  readonly rest: readonly string[];
}

/** A command has one to three words; the rest are options. */
function findCommand(args: readonly string[]): Found | undefined {
  for (const words of [3, 2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(REMOTE_COMMANDS, name) ? REMOTE_COMMANDS[name] : undefined;
    if (command !== undefined) return { name, command, rest: args.slice(words) };
  }
  return undefined;
}

const describeOne = ({ name, command }: Found) => `${describeUsage(name, command)}\n    ${command.summary}\n`;

async function readLine(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(prompt);
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    if (line !== '') return line;
  }
  throw new ServiceError('BAD_USER_INPUT', `Give the ${prompt.replace(/:? ?$/, '').toLowerCase()} on standard input.`);
}

const terminal: Terminal = {
  readLine,
  askName: process.stdin.isTTY ? readLine : undefined,
  print: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(`${text}\n`),
};

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
    process.stdout.write(found === undefined ? describeAll() : describeOne(found));
    return args.length === 0 ? 2 : 0;
  }
  if (found === undefined) {
    // The words are not repeated: one may name a person.
    const typed = args.filter((word) => !word.startsWith('-')).slice(0, 2);
    const nearest = findNearest(typed.join(' '), Object.keys(REMOTE_COMMANDS));
    const hint = nearest === undefined ? `${PROGRAM} --help lists them` : `Did you mean "${nearest}"?`;
    process.stderr.write(`There is no such command. ${hint}\n`);
    return 2;
  }
  const { name, command, rest } = found;
  const options = readOptions(
    {
      usage: describeUsage(name, command),
      options: {
        ...Object.fromEntries(
          Object.entries(command.options).map(([option, { kind }]) => [
            option,
            { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
          ]),
        ),
        ...Object.fromEntries(
          listPersonOptions(command).map((option) => [fileOptionOf(option), { type: 'string' as const }]),
        ),
        ...(command.confirm && { yes: { type: 'string' as const } }),
      },
    },
    rest,
  );
  await runRemoteCommand(name, command, options as never, () => readAdminApiSettings(process.env), terminal);
  return 0;
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

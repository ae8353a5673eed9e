import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { ServiceError } from '../errors.ts';
import { isId } from '../ids.ts';
import { audit } from '../store/setup.ts';
import { isMissingReference, openDatabase } from '../store/sql.ts';
import { createSeal } from '../vault/seal.ts';
import { COMMANDS, type Command, type Row } from './commands.ts';

/** The longest command is two words; the rest are options. */
function findCommand(args: readonly string[]): { name: string; command: Command; rest: string[] } | undefined {
  const name = args.slice(0, 2).join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command && { name, command, rest: args.slice(2) };
}

export const cliUsage = (): string =>
  Object.values(COMMANDS)
    .map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
    .join('\n');

/** Whether the command line means an operator's command rather than a process of the service. */
export const isCliCommand = (args: readonly string[]): boolean => findCommand(args) !== undefined;

/** Runs one operator's command; every one of them, refused ones too, is in the audit log. */
export async function runCli(args: readonly string[]): Promise<void> {
  const found = findCommand(args);
  if (!found) throw new ServiceError('BAD_USER_INPUT', 'Unknown command.');
  const { json, ...options } = readOptions(found.command, found.rest);
  const config = readConfig('cli');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli' });
  /** The first id there is: of what was made, or else of what was asked for. */
  const targetIn = (values: object) =>
    Object.values(values).find((value) => typeof value === 'string' && isId(value)) ?? null;
  const write = (outcome: string, target: string | null) =>
    audit(sql, { actor: 'command line', action: found.name, target, outcome });
  try {
    const sealInbox = await createSeal(config.VAULT_INBOX_PUBLIC_KEYS);
    const sealEdge = config.VAULT_EDGE_KEYS && (await createSeal(config.VAULT_EDGE_KEYS));
    const row = await found.command.run(options, { sql, sealInbox, sealEdge, readSecret });
    await write('DONE', targetIn({ ...row, ...options }));
    print(row, json === true);
  } catch (thrown) {
    const error = isMissingReference(thrown)
      ? new ServiceError('NOT_FOUND', 'There is no app, registration or issuer of that id.')
      : thrown;
    await write(error instanceof ServiceError ? error.code : 'FAILED', targetIn(options));
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function readOptions(command: Command, args: readonly string[]): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { multiple }]) => [
      name,
      { type: 'string' as const, multiple: multiple ?? false },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: { ...options, json: { type: 'boolean' } }, strict: true }).values;
  } catch {
    throw new ServiceError('BAD_USER_INPUT', `Usage: ${command.usage}`);
  }
}

async function readSecret(prompt: string): Promise<string> {
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  if (process.stdin.isTTY) process.stderr.write(prompt);
  for await (const line of input) {
    if (line !== '') return line;
  }
  throw new ServiceError('BAD_USER_INPUT', 'Give the secret on standard input.');
}

function print(row: Row, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(row)}\n`);
  else for (const [name, value] of Object.entries(row)) process.stdout.write(`${name.padEnd(16)}${value}\n`);
}

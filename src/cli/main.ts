import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type CliConfig, readConfig } from '../config.ts';
import { ServiceError } from '../errors.ts';
import { isId } from '../ids.ts';
import { createLog } from '../log.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { audit } from '../store/setup.ts';
import { type Database, isMissingReference, openDatabase } from '../store/sql.ts';
import { createTemporalClient } from '../temporal.ts';
import { createSeal } from '../vault/seal.ts';
import type { CliCommand, CliDeps } from './command.ts';
import { COMMANDS, type Command } from './commands.ts';
import { OPERATIONS } from './operations.ts';
import { asJson, asText } from './print.ts';

type Found = { name: string; rest: string[] } & (
  | { kind: 'setUp'; command: Command }
  | { kind: 'operation'; command: (typeof OPERATIONS)[string] }
);

/** The longest command is three words; the rest are options. */
function findCommand(args: readonly string[]): Found | undefined {
  for (const words of [3, 2]) {
    const [name, rest] = [args.slice(0, words).join(' '), args.slice(words)];
    const setUp = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (setUp !== undefined) return { kind: 'setUp', name, command: setUp, rest };
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (operation !== undefined) return { kind: 'operation', name, command: operation, rest };
  }
  return undefined;
}

export const cliUsage = (): string =>
  [...Object.values(COMMANDS), ...Object.values(OPERATIONS)]
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
    const deps: CliDeps = { sql, sealInbox, sealEdge, readSecret };
    const printed =
      found.kind === 'setUp'
        ? await found.command.run(options, deps)
        : await found.command.run(options, { ...deps, deliver: () => deliver(config, sql) });
    const rows = [printed].flat();
    await write('DONE', targetIn({ ...(rows.length === 1 && rows[0]), ...options }));
    process.stdout.write(json === true ? asJson(printed) : asText(printed));
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

function readOptions(
  command: Pick<CliCommand<unknown>, 'usage' | 'options'>,
  args: readonly string[],
): Record<string, unknown> {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, option]) => [name, { ...option }]));
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

/** Brings to Temporal what was just committed. */
async function deliver(config: CliConfig, sql: Database): Promise<boolean> {
  const client = createTemporalClient(config);
  const dispatcher = createDispatcher({ sql, client, taskQueue: config.TASK_QUEUE, log: createLog('silent') });
  try {
    const { failed } = await dispatcher.deliverDue();
    return failed === 0;
  } finally {
    await dispatcher.close();
    await client.connection.close();
  }
}

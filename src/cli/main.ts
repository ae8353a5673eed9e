import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../basics/errors.ts';
import { isId } from '../basics/ids.ts';
import { type CliConfig, readConfig } from '../config/config.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { createCatalog } from '../providers/catalog.ts';
import { type Database, isMissingReference, openDatabase } from '../store/driver/sql.ts';
import type { AskWorkflow } from '../temporal/ask-workflow.ts';
import { createSeal } from '../vault/seal.ts';
import { type CliDeps, describeCommand, type Row } from './command.ts';
import { COMMANDS, type Command } from './commands.ts';
import { formatJson, formatText } from './format.ts';
import { OPERATIONS } from './operations.ts';
import { type CommandHead, readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { runAudited } from './run-audited.ts';

type Found = { name: string; rest: string[] } & (
  | { kind: 'setUp'; command: Command }
  | { kind: 'operation'; command: (typeof OPERATIONS)[string] }
);

/** A command has two or three words; the rest are options. */
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

/** Describes every command in two lines. */
export const cliUsage = (): string =>
  [...Object.values(COMMANDS), ...Object.values(OPERATIONS)].map(describeCommand).join('\n');

/** The names of the commands. */
export const listCliCommands = (): string[] => [...Object.keys(COMMANDS), ...Object.keys(OPERATIONS)];

/** Finds the operator's command of a command line. */
export const findHead = (args: readonly string[]): CommandHead | undefined => findCommand(args)?.command;

/** Runs one operator's command and records it in the audit log, even if refused. */
export async function runCli(args: readonly string[]): Promise<void> {
  const found = findCommand(args);
  if (!found) throw new ServiceError('BAD_USER_INPUT', 'Unknown command.');
  const config = readConfig('cli');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli', ca: config.DATABASE_CA });
  try {
    const [named = null] = idsAmong(found, found.rest);
    await runAudited(sql, found.name, () => runFound(found, config, sql), named);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const idsIn = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && isId(value));

/** Our own ids in a command line, by option: a platform's id may look like one. */
const idsAmong = ({ command }: Found, words: readonly string[]): string[] =>
  idsIn(
    words.flatMap((word, index) => {
      const [name = '', value = words[index + 1]] = word.split('=', 2);
      return name.startsWith('--') && command.options[name.slice(2)]?.isId ? [value] : [];
    }),
  );

async function runFound(found: Found, config: CliConfig, sql: Database) {
  const { json, ...options } = readOptions(found.command, found.rest);
  await requireFreshDatabase(sql, config);
  const sealInbox = await createSeal(config.VAULT_INBOX_PUBLIC_KEYS);
  const sealEdge = config.VAULT_EDGE_KEYS && (await createSeal(config.VAULT_EDGE_KEYS));
  const touched: string[] = [];
  const warn = (message: string) => process.stderr.write(`${message}\n`);
  // Loads Temporal's library only if needed: loading takes longer than most commands.
  const askWorkflow: AskWorkflow = async (workflowId) =>
    await (await import('./ask-workflow-once.ts')).askWorkflowOnce(config, workflowId);
  const workerVersions = async () => (await import('../temporal/worker-versions.ts')).createWorkerVersions(config);
  const deliver = async () => await (await import('./deliver-outbox.ts')).deliverOutbox(config, sql);
  const { DEPLOYMENT: deployment, WEBHOOK_PRIVATE_NETWORKS: privateNetworks = [] } = config;
  const webhookEgress = { production: deployment === 'production', privateNetworks };
  const facts = createCatalog(readConfig('trial'));
  const deps: CliDeps = { sql, deployment, sealInbox, sealEdge, facts, webhookEgress, readSecret, warn };
  const printed = await (found.kind === 'setUp'
    ? found.command.run(options, deps)
    : found.command.run(options, {
        ...deps,
        deliver,
        askWorkflow,
        workerVersions,
        touched: (ids) => void touched.push(...ids),
      })
  ).catch((error: unknown) => {
    throw isMissingReference(error)
      ? new ServiceError('NOT_FOUND', 'There is no app, registration or issuer with that id.')
      : error;
  });
  // The ids that the command created come first, then the given ones. A list creates nothing.
  const [target = null, ...others] = [...createdIn(printed), ...idsAmong(found, found.rest)];
  const related = [...new Set([...others, ...touched])].filter((id) => id !== target);
  const print = () => void process.stdout.write(json === true ? formatJson(printed) : formatText(printed));
  return { target, related, dryRun: options['dry-run'] === true, print };
}

/** The ids in the row that a command printed: their names end in "Id". */
const createdIn = (printed: Row | readonly Row[]): string[] =>
  Array.isArray(printed)
    ? []
    : idsIn(Object.entries(printed).flatMap(([name, value]) => (name.endsWith('Id') ? [value] : [])));

async function readSecret(prompt: string): Promise<string> {
  const input = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  if (process.stdin.isTTY) process.stderr.write(prompt);
  for await (const line of input) {
    if (line === '') continue;
    const { data, error } = rules.secret.safeParse(line);
    if (data !== undefined) return data;
    throw new ServiceError('BAD_USER_INPUT', `The secret ${error?.issues[0]?.message}.`);
  }
  throw new ServiceError('BAD_USER_INPUT', 'Give the secret on standard input.');
}

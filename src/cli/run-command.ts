import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../basics/errors.ts';
import { decodeUtf8 } from '../basics/utf8.ts';
import { MAX_LOGO_BYTES } from '../domain/rules/read-logo.ts';
import { formatJson, formatText, type Row, toPrintable } from './format.ts';
import { fileOptionOf, readPersons } from './read-persons.ts';
import { readSmallFile } from './read-small-file.ts';
import {
  type Ask,
  buildDocument,
  type Choice,
  type Command,
  describeUsage,
  type Follow,
  type OptionShape,
  type Options,
} from './shape.ts';
import type { Terminal } from './terminal.ts';
import { toRows } from './to-rows.ts';

/** The most rows of a list; a warning appears if there are more. */
const MAX_ROWS = 1_000;
const PAGE_SIZE = 100;

/**
 * Sends an operation to the admin API: over https, or in this process.
 * @returns the data of the answer. @throws ServiceError
 */
export type Send = (
  query: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Runs one command against the admin API.
 * @param connect is called when the command line has been checked.
 * @returns the exit code: 1 if the answer, or the work that the command began, is a failure.
 * @throws ServiceError
 */
export async function runCommand(
  name: string,
  command: Command,
  { json = false, yes, ...given }: Options,
  connect: () => Send | Promise<Send>,
  terminal: Terminal,
): Promise<number> {
  const options = await readPersons(command, given, terminal.readLine);
  const variables = await buildVariables(name, command, options, terminal);
  const send = nameOptions(command, given, await connect());
  await choose(send, command, options, variables);
  await confirm(send, command, { given, options }, typeof yes === 'string' ? yes : undefined, terminal);
  const results = await (command.isPaged
    ? readPages(send, command, variables, terminal)
    : askInTime(send, command, variables, terminal));
  const [ended, followed] = command.follow === undefined ? [] : await follow(send, command.follow, results[0]);
  const last = command.follow?.showsBegun ? undefined : followed;
  const fault = command.findFault?.(results[0] as never) ?? ended;
  const show = (command.show ?? ((result) => result)) as (result: unknown, options: Options, sent: object) => unknown;
  const [first, ...others] = results.map((result) => show(last ?? result, options, variables));
  const shown = others.length === 0 ? first : Object.assign({}, first, ...others);
  if (json === true || command.printsFile === true) terminal.print(formatJson(shown));
  else {
    const brief = command.brief as ((row: unknown) => Row) | undefined;
    const rows = brief === undefined ? toRows(shown) : Array.isArray(shown) ? shown.map(brief) : brief(shown);
    terminal.print(formatText(rows, { isList: Array.isArray(first) })); // A list prints as a list, also if it has one row.
  }
  if (fault === undefined) return 0;
  terminal.warn(toPrintable(fault));
  return 1;
}

/** A refusal names the operation's arguments, which the operator knows as options. */
function nameOptions({ options }: Command, given: Options, send: Send): Send {
  const names = new Map<string, string>();
  for (const [option, { path }] of Object.entries(options)) {
    if (path === undefined) continue;
    const file = fileOptionOf(option);
    const name = `--${file in given ? file : option}`;
    for (const word of [path, path.slice(path.lastIndexOf('.') + 1)]) if (!names.has(word)) names.set(word, name);
    if (path.includes('.')) names.set(path.slice(0, path.indexOf('.')), 'The command');
  }
  return (query, variables) =>
    send(query, variables).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'BAD_USER_INPUT') throw error;
      const message = error.message.replace(
        // The first word, or one that is no English.
        /(?<=^BAD_USER_INPUT: )[a-z][\w.]*\w\b|\b[a-z]\w*(?:\.|[A-Z])\w+/g,
        (word) => names.get(word) ?? word,
      );
      throw new ServiceError(error.code, message, error.details);
    });
}

/** A command that follows its work waits for its turn, too, if that comes soon: a test of a client may follow another one. */
const LONGEST_TURN_SECONDS = 15;

async function askInTime(send: Send, command: Command, variables: object, { warn }: Terminal): Promise<unknown[]> {
  try {
    return await ask(send, command, variables);
  } catch (error) {
    const seconds = error instanceof ServiceError ? (error.details.retryAfterSeconds ?? Infinity) : Infinity;
    if (command.follow === undefined || seconds > LONGEST_TURN_SECONDS) throw error;
    warn(`${(error as Error).message} This command waits ${seconds} s, and asks again.`);
    await delay(seconds * 1_000);
    return await ask(send, command, variables);
  }
}

async function ask(send: Send, command: Pick<Command, 'kind' | 'fields'>, variables: object): Promise<unknown[]> {
  const data = await send(buildDocument(command), { ...variables });
  return command.fields.map(({ name }) => data[name]);
}

/** Replaces another word for a choice by its value. @throws ServiceError for a value that is no choice */
async function choose(
  send: Send,
  { choices, options: shapes }: Command,
  options: Options,
  variables: Record<string, unknown>,
): Promise<void> {
  const asked = Object.entries(choices?.of ?? {}).filter(([option]) => typeof options[option] === 'string');
  if (choices === undefined || asked.length === 0) return;
  const [answer] = await ask(send, { kind: 'query', fields: [choices.field] }, {});
  for (const [option, list] of asked) {
    const given = String(options[option]);
    if (choices.known[option]?.includes(given)) continue;
    const listed = list(answer as never);
    const value = findChoice(option, given, listed, listed.length < choices.most);
    setAt(variables, shapes[option]?.path ?? option, value);
  }
}

function findChoice(option: string, given: string, listed: readonly Choice[], isComplete: boolean): string {
  const found = listed.filter(({ value, names }) => [value, ...names].includes(given)).map(({ value }) => value);
  const [only, other] = found;
  if (found.includes(given) || (only === undefined && !isComplete)) return given;
  if (only === undefined) {
    const words = listed.map(({ value, names }) => names[0] ?? value).join(', ');
    throw new ServiceError('BAD_USER_INPUT', `--${option} must be one of ${words}.`);
  }
  if (other === undefined) return only;
  throw new ServiceError('BAD_USER_INPUT', `--${option} names several: give one of ${found.join(', ')}.`);
}

const LOOK_EVERY_MS = 500;

/** Polls the work that a command has begun. @returns the fault, if any, and the last answer. */
async function follow(send: Send, { field, seconds, isKnown, findFault, variables }: Follow, begun: unknown) {
  const endMs = performance.now() + seconds * 1_000;
  const asked = variables?.(begun as never) ?? { id: (begun as { id: string }).id };
  for (let last = begun; ; await delay(LOOK_EVERY_MS)) {
    if (isKnown(last as never, begun as never) || performance.now() > endMs)
      return [findFault(last as never, begun as never), last] as const;
    [last] = await ask(send, { kind: 'query', fields: [field] }, asked);
  }
}

interface Page {
  readonly items: readonly unknown[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

async function readPages(send: Send, command: Command, variables: object, { warn }: Terminal): Promise<unknown[]> {
  const rows: unknown[] = [];
  let after: string | null = null;
  while (rows.length < MAX_ROWS) {
    const [result] = await ask(send, command, { ...variables, first: PAGE_SIZE, after });
    const { items, pageInfo } = result as Page;
    rows.push(...items);
    if (!pageInfo.hasNextPage) return [rows];
    after = pageInfo.endCursor;
  }
  warn(`There are more: these are the first ${MAX_ROWS}.`);
  return [rows];
}

/**
 * Bulk actions and erasures require the operator to type the name of their target, or to give it with `--yes`. A dry run changes
 * nothing. A person must never become an argument: then `--yes` takes the app.
 */
async function confirm(
  send: Send,
  { confirm: asked, options: shapes }: Command,
  { given, options }: { given: Options; options: Options },
  yes: string | undefined,
  { askName, warn }: Terminal,
): Promise<void> {
  if (asked === undefined || options['dry-run'] === true || asked.when?.(options) === false) return;
  const option = asked.of.find((each) => typeof options[each] === 'string');
  if (option === undefined) return; // The API refuses it.
  const isHidden = shapes[option]?.isPerson === true && options[option] !== given[option];
  const name = options[isHidden && yes !== undefined ? 'app' : option];
  if (yes === undefined) {
    const askOne: Ask = async (field, variables) => (await ask(send, { kind: 'query', fields: [field] }, variables))[0];
    for (const line of (await asked.describe?.(askOne, options)) ?? []) warn(toPrintable(line));
  }
  const wanted = isHidden ? 'id of the app' : `value of --${option}`;
  if (yes === undefined && askName === undefined) {
    const otherwise = 'dry-run' in shapes ? ', or --dry-run' : '';
    throw new ServiceError('BAD_USER_INPUT', `This cannot be undone: add --yes with the ${wanted}${otherwise}.`);
  }
  const typed =
    yes ?? (await askName?.(`This cannot be undone. Type ${isHidden ? `the ${option} again` : name} to confirm: `));
  if (typed !== name) {
    const missed = isHidden && yes === undefined ? option : wanted;
    throw new ServiceError('BAD_USER_INPUT', `That is not the ${missed}. Nothing was done.`);
  }
}

async function buildVariables(
  name: string,
  command: Command,
  options: Options,
  { readLine }: Terminal,
): Promise<Record<string, unknown>> {
  const variables = structuredClone({ ...command.fixed }) as Record<string, unknown>;
  const missing = Object.entries(command.options).filter(
    ([option, { isRequired }]) => isRequired && !(option in options),
  );
  if (missing.length > 0) {
    const words = missing.map(([option]) => `--${option} is missing`).join('; ');
    throw new ServiceError('BAD_USER_INPUT', `${words}. Usage: ${describeUsage(name, command)}`);
  }
  for (const [option, shape] of Object.entries(command.options)) {
    if (options[option] !== undefined && shape.fields !== undefined) {
      Object.assign(variables, await readFields(option, String(options[option]), shape.fields));
    } else if (options[option] !== undefined && shape.path !== undefined) {
      setAt(variables, shape.path, await readValue(option, shape, options[option]));
    } else if (options[option] === true) {
      for (const [path, value] of Object.entries(shape.sets ?? {})) {
        const other = Object.keys(options).find((each) => command.options[each]?.path === path);
        if (other !== undefined) throw new ServiceError('BAD_USER_INPUT', `Give either --${option} or --${other}.`);
        setAt(variables, path, value);
      }
    }
  }
  if (command.secret !== undefined) setAt(variables, command.secret, await readLine('Secret: '));
  return variables;
}

const MAX_JSON_BYTES = 2 ** 20;

/** The fields of a JSON file. @throws ServiceError if one is missing, or if another one contradicts its signed document. */
async function readFields(option: string, file: string, names: readonly string[]): Promise<object> {
  const content = Object(parseJson(decodeUtf8(await readSmallFile(option, file, MAX_JSON_BYTES)) ?? ''));
  const signed = Object(parseJson(String(content.document)));
  const changed = Object.keys(content).find((name) => name in signed && signed[name] !== content[name]);
  if (changed !== undefined)
    throw new ServiceError('BAD_USER_INPUT', `--${option} has a ${changed} that its signed document does not have.`);
  const found = names.map((name) => [name, content[name]] as const);
  if (found.every(([, value]) => typeof value === 'string')) return Object.fromEntries(found);
  throw new ServiceError('BAD_USER_INPUT', `--${option} must be a JSON file with ${names.join(' and ')}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readValue(
  option: string,
  { kind, value: set, values, hasDefault }: OptionShape,
  given: NonNullable<Options[string]>,
): Promise<unknown> {
  for (const value of [given].flat()) {
    if (values !== undefined && !values.includes(String(value))) {
      throw new ServiceError('BAD_USER_INPUT', `--${option} must be one of ${values.join(', ')}.`);
    }
  }
  if (kind === 'flag') return set === undefined ? true : set;
  if (kind === 'file') return (await readSmallFile(option, String(given), MAX_LOGO_BYTES)).toString('base64');
  if (given === 'default' && (kind === 'number' || hasDefault === true)) return null;
  if (kind !== 'number') return given;
  if (!/^\d{1,10}$/.test(String(given))) throw new ServiceError('BAD_USER_INPUT', `--${option} must be a number.`);
  return Number(given);
}

function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = (target[name] ?? {}) as Record<string, unknown>;
  target[name] = inner;
  setAt(inner, rest.join('.'), value);
}

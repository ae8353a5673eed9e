import { ServiceError } from '../../basics/errors.ts';
import { MAX_LOGO_BYTES } from '../../domain/rules/read-logo.ts';
import { formatJson, formatText } from '../format.ts';
import { readSmallFile } from '../read-small-file.ts';
import { type AdminApiSettings, sendOperation } from './admin-api.ts';
import { readPersons } from './read-persons.ts';
import { buildDocument, describeUsage, type OptionShape, type Options, type RemoteCommand } from './shape.ts';
import { toRows } from './to-rows.ts';

/** The most rows of a list; a warning tells when there are more. */
const MAX_ROWS = 1_000;
const PAGE_SIZE = 100;

export interface Terminal {
  /** Reads a secret or a person from standard input. */
  readLine(prompt: string): Promise<string>;
  /** Asks the operator to type a name. Undefined without a terminal. */
  readonly askName: ((prompt: string) => Promise<string>) | undefined;
  print(text: string): void;
  warn(text: string): void;
}

/** Runs one command against the admin API. @throws ServiceError */
export async function runRemoteCommand(
  name: string,
  command: RemoteCommand,
  { json = false, yes, ...given }: Options,
  api: () => AdminApiSettings,
  terminal: Terminal,
): Promise<void> {
  const options = await readPersons(command, given, terminal.readLine);
  const variables = await buildVariables(name, command, options, terminal);
  const settings = api();
  await confirm(command, { given, options }, typeof yes === 'string' ? yes : undefined, terminal);
  const results = await (command.isPaged === true
    ? readPages(settings, command, variables, terminal)
    : readResults(settings, command, variables));
  // A list prints as a list, also if it has one row.
  const [first] = results;
  const isList = Array.isArray(first);
  const shown = results.length === 1 ? first : Object.assign({}, ...results);
  if (json === true) return terminal.print(formatJson(shown as never));
  terminal.print(formatText(toRows(shown), { isList }));
}

async function readResults(settings: AdminApiSettings, command: RemoteCommand, variables: object): Promise<unknown[]> {
  const data = await sendOperation(settings, buildDocument(command), { ...variables });
  const show = command.show as ((result: unknown) => unknown) | undefined;
  return command.fields.map(({ name }) => (show === undefined ? data[name] : show(data[name])));
}

interface Page {
  readonly items: readonly unknown[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

async function readPages(
  settings: AdminApiSettings,
  command: RemoteCommand,
  variables: object,
  { warn }: Terminal,
): Promise<unknown[]> {
  const rows: unknown[] = [];
  let after: string | null = null;
  while (rows.length < MAX_ROWS) {
    const [result] = await readResults(settings, command, { ...variables, first: PAGE_SIZE, after });
    const { items, pageInfo } = result as Page;
    rows.push(...items);
    if (!pageInfo.hasNextPage) return [rows];
    after = pageInfo.endCursor;
  }
  warn(`There are more: these are the first ${MAX_ROWS}.`);
  return [rows];
}

/**
 * Bulk actions and erasures want the name of their target typed, or given by `--yes`. A dry run changes nothing. A person that is no
 * argument must not become one: then `--yes` takes the app.
 */
async function confirm(
  { confirm: asked, options: shapes }: RemoteCommand,
  { given, options }: { given: Options; options: Options },
  yes: string | undefined,
  { askName }: Terminal,
): Promise<void> {
  if (asked === undefined || options['dry-run'] === true || asked.when?.(options) === false) return;
  const option = asked.of.find((each) => typeof options[each] === 'string');
  if (option === undefined) return; // The API refuses it.
  const isHidden = shapes[option]?.isPerson === true && options[option] !== given[option];
  const name = options[isHidden && yes !== undefined ? 'app' : option];
  if (yes === undefined && askName === undefined) {
    throw new ServiceError(
      'BAD_USER_INPUT',
      `This cannot be undone: add --yes with the ${isHidden ? 'id of the app' : 'name of its target'}, or --dry-run.`,
    );
  }
  const typed =
    yes ?? (await askName?.(`This cannot be undone. Type ${isHidden ? `the ${option} again` : name} to confirm: `));
  if (typed !== name) throw new ServiceError('BAD_USER_INPUT', 'That is not the name of the target. Nothing was done.');
}

async function buildVariables(
  name: string,
  command: RemoteCommand,
  options: Options,
  { readLine }: Terminal,
): Promise<object> {
  const variables = structuredClone({ ...command.fixed }) as Record<string, unknown>;
  const missing = Object.entries(command.options).filter(
    ([option, { isRequired }]) => isRequired && !(option in options),
  );
  if (missing.length > 0) {
    const words = missing.map(([option]) => `--${option} is missing`).join('; ');
    throw new ServiceError('BAD_USER_INPUT', `${words}. Usage: ${describeUsage(name, command)}`);
  }
  for (const [option, shape] of Object.entries(command.options)) {
    if (options[option] !== undefined && shape.path !== undefined) {
      setAt(variables, shape.path, await readValue(option, shape, options[option]));
    }
  }
  if (command.secret !== undefined) setAt(variables, command.secret, await readLine('Secret: '));
  return variables;
}

async function readValue(
  option: string,
  { kind, values, hasDefault }: OptionShape,
  given: NonNullable<Options[string]>,
): Promise<unknown> {
  for (const value of [given].flat()) {
    if (values !== undefined && !values.includes(String(value))) {
      throw new ServiceError('BAD_USER_INPUT', `--${option} must be one of ${values.join(', ')}.`);
    }
  }
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

import type { Operation } from '../domain/rules/roles.ts';
import { ENUMS, INPUTS, OPERATIONS } from '../generated/admin-operations.ts';
import type { Row } from './format.ts';

/** An option of a command, and its place in the variables of the command's operation. */
export interface OptionShape {
  /** The path in the variables, such as `input.appId`. Undefined for an option that only the command reads. */
  readonly path?: string;
  /** The word in the usage, such as `APP_ID`. Undefined for a flag. */
  readonly placeholder?: string;
  readonly kind: 'text' | 'number' | 'list' | 'flag' | 'unset' | 'file';
  readonly isRequired: boolean;
  /** The only values allowed, for the usage and for completion. */
  readonly values?: readonly string[];
  /** Whether `default` means null. */
  readonly hasDefault?: boolean;
  /** Whether it names a person: a file or standard input can give it, too. */
  readonly isPerson?: boolean;
}

/** The place of an option in the variables, and facts about it that admin.graphql lacks. */
export type OptionPlace = Partial<OptionShape> & { readonly path: string };

/** A command: one operation of the admin API. */
export interface Command {
  readonly group: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionShape>>;
  /** The path in the variables of a secret that the command reads from standard input. */
  readonly secret?: string;
  /** Variables that no option sets. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The operations that the command sends. The first one's result is printed. */
  readonly fields: readonly [RootField, ...RootField[]];
  readonly kind: 'query' | 'mutation';
  /** The option, or the first given one of several, whose value the operator types again before the command runs. */
  readonly confirm?: { readonly of: readonly string[]; readonly when?: (options: Options) => boolean };
  /** True for a list of pages: the command reads all of them, up to a limit. */
  readonly isPaged: boolean;
  /** Converts the result for printing; the result itself by default. */
  readonly show?: (result: never, options: Options) => unknown;
  /** The columns of a table for people, of at most 120 characters together. `--json` has everything. All that is shown, by default. */
  readonly brief?: (row: never) => Row;
  /** Polls the work that the command has begun, until its end is known or a time is over. */
  readonly follow?: Follow;
}

export interface Follow {
  readonly field: RootField;
  readonly seconds: number;
  isKnown(result: never): boolean;
  /** @returns a sentence if it did not succeed. */
  findFault(result: never): string | undefined;
}

export interface RootField {
  readonly name: Operation;
  /** The selection, without braces; empty for a scalar. */
  readonly select: string;
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const argsOf = (name: Operation): Readonly<Record<string, string>> => OPERATIONS[name].args;

/** The type of an argument, or of a field of an input, such as `[Capability!]!`. */
function typeAt(operation: Operation, path: string): string {
  const [argument = '', field] = path.split('.');
  const type = argsOf(operation)[argument] ?? '';
  return field === undefined ? type : (INPUTS[type.replace('!', '')]?.[field] ?? '');
}

const KINDS: Readonly<Record<string, OptionShape['kind']>> = { Int: 'number', Boolean: 'flag' };

/** Completes an option by the type that admin.graphql declares. */
function complete(operation: Operation, place: OptionPlace, fixed: Readonly<Record<string, unknown>>): OptionShape {
  const type = typeAt(operation, place.path);
  if (type === '') throw new Error(`${operation} has no argument ${place.path}.`);
  const name = type.replaceAll(/[[\]!]/g, '');
  const values = ENUMS[name];
  return {
    kind: type.startsWith('[') ? 'list' : (KINDS[name] ?? 'text'),
    isRequired: type.endsWith('!') && !(place.path in fixed),
    ...(values && { values }),
    ...place,
  };
}

/** An option: its path in the variables, and the word for its value in the usage. */
export const arg = (path: string, placeholder?: string, more: Partial<OptionShape> = {}): OptionPlace => ({
  path,
  ...(placeholder !== undefined && { placeholder }),
  ...more,
});

type Rest = Partial<Pick<Command, 'secret' | 'fixed' | 'confirm' | 'show' | 'brief' | 'follow' | 'fields'>> & {
  /** Options that only `show` reads. */
  readonly local?: Readonly<Record<string, OptionShape>>;
};

/** Builds the commands of a group: an operation, its description, its options, and the printed part of its result. */
export const commandsOf =
  (group: string) =>
  (
    name: Operation,
    summary: string,
    options: Readonly<Record<string, OptionPlace>>,
    select: string,
    { local = {}, ...rest }: Rest = {},
  ): Command => {
    const isPaged = 'first' in argsOf(name) && 'after' in argsOf(name);
    return {
      kind: OPERATIONS[name].kind,
      group,
      summary,
      isPaged,
      options: {
        ...Object.fromEntries(
          Object.entries(options).map(([option, place]) => [option, complete(name, place, rest.fixed ?? {})]),
        ),
        ...local,
      },
      fields: [{ name, select: isPaged ? `items { ${select} } pageInfo { endCursor hasNextPage }` : select }],
      ...rest,
    };
  };

/** Writes `app disable --app APP_ID`. */
export function describeUsage(
  name: string,
  { options, secret, confirm }: Pick<Command, 'options' | 'secret' | 'confirm'>,
): string {
  const words = Object.entries(options).map(([option, { placeholder, kind, isRequired, values, isPerson }]) => {
    const value = values === undefined ? placeholder : values.join('|');
    const text =
      kind === 'flag' || kind === 'unset' ? `--${option}` : `--${option} ${value}${kind === 'list' ? ' …' : ''}`;
    if (isPerson === true) {
      return isRequired ? `[${text} | --${option}-file FILE | on standard input]` : `[${text} | --${option}-file FILE]`;
    }
    return isRequired ? text : `[${text}]`;
  });
  const yes = confirm === undefined ? [] : ['[--yes NAME]'];
  return [name, ...words, ...yes, ...(secret === undefined ? [] : ['  (secret on standard input)'])].join(' ');
}

export function buildDocument({ kind, fields }: Pick<Command, 'kind' | 'fields'>): string {
  const declared = Object.entries(
    Object.assign({}, ...fields.map(({ name }) => argsOf(name))) as Record<string, string>,
  );
  const variables = declared.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const roots = fields.map(({ name, select }) => {
    const passed = Object.keys(argsOf(name)).map((arg) => `${arg}: $${arg}`);
    return `${name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${select === '' ? '' : `{ ${select} }`}`;
  });
  return `${kind} ${variables === '' ? '' : `(${variables}) `}{ ${roots.join(' ')} }`;
}

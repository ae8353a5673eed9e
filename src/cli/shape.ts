import type { Operation } from '../domain/rules/roles.ts';
import { OPERATIONS } from '../generated/admin-operations.ts';
import type { Row } from './format.ts';

/** An option of a command, and its place in the variables of the command's operation. */
export interface OptionShape {
  /** The path in the variables, such as `input.appId`. Undefined for an option that only the command reads. */
  readonly path?: string;
  /** The word in the usage, such as `APP_ID`. Undefined for a flag. */
  readonly placeholder?: string;
  readonly kind: 'text' | 'number' | 'list' | 'flag' | 'file';
  /** What a flag sets, if not true. */
  readonly value?: false | null;
  /** What a flag without a path sets, by path. */
  readonly sets?: Readonly<Record<string, false>>;
  /** The file is JSON, and its fields of these names are the variables. */
  readonly fields?: readonly string[];
  readonly isRequired: boolean;
  /** The only values allowed, for the usage and for completion. */
  readonly values?: readonly string[];
  /** Whether `default` means null. */
  readonly hasDefault?: boolean;
  /** Whether it names a person: a file or standard input can give it, too. */
  readonly isPerson?: boolean;
}

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
  readonly confirm?: {
    readonly of: readonly string[];
    readonly when?: (options: Options) => boolean;
    /** Looks up what the operator should know before they confirm, as sentences. */
    readonly describe?: (ask: Ask, options: Options) => Promise<readonly string[]>;
  };
  /** A question for the values that some options may have, before the command runs with one of these. */
  readonly choices?: Choices;
  /** True for a list of pages: the command reads all of them, up to a limit. */
  readonly isPaged: boolean;
  /** Converts the result for printing; the result itself by default. @param sent the variables of the operation. */
  readonly show?: (result: never, options: Options, sent: Readonly<Record<string, unknown>>) => unknown;
  /** The columns of a table for people, of at most 120 characters together. `--json` has everything. All that is shown, by default. */
  readonly brief?: (row: never) => Row;
  /** Its output is a file for another command: JSON also without `--json`. */
  readonly printsFile?: true;
  /** @returns a sentence if the answer is one of failure. */
  readonly findFault?: (result: never) => string | undefined;
  /** Polls the work that the command has begun, until its end is known or a time is over. */
  readonly follow?: Follow;
}

export interface Follow {
  readonly field: RootField;
  /** The variables of the field; the id of the work by default. */
  readonly variables?: (begun: never) => object;
  /** Set if the answer to the command's own operation is shown, not the last one. */
  readonly showsBegun?: true;
  readonly seconds: number;
  /** @param begun the answer to the command's own operation. */
  isKnown(result: never, begun: never): boolean;
  /** @returns a sentence if it did not succeed. */
  findFault(result: never, begun: never): string | undefined;
}

/** A value that an option may have, and other words for it. */
export interface Choice {
  readonly value: string;
  readonly names: readonly string[];
}

export interface Choices {
  readonly field: RootField;
  /** The choices of each option in the answer. */
  readonly of: Readonly<Record<string, (answer: never) => readonly Choice[]>>;
  /** Values of an option that are right, also if the answer lacks them. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** An answer with so many choices of an option may lack some. */
  readonly most: number;
}

export interface RootField {
  readonly name: Operation;
  /** The selection, without braces; empty for a scalar. */
  readonly select: string;
}

/** Asks the admin API a question. */
export type Ask = (field: RootField, variables: object) => Promise<unknown>;

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const argsOf = (name: Operation): Readonly<Record<string, string>> => OPERATIONS[name].args;

/** Writes `app disable --app APP_ID`. */
export function describeUsage(
  name: string,
  { options, secret, confirm }: Pick<Command, 'options' | 'secret' | 'confirm'>,
): string {
  const words = Object.entries(options).map(([option, { placeholder, kind, isRequired, values, isPerson }]) => {
    const value = values === undefined ? placeholder : values.join('|');
    const text = kind === 'flag' ? `--${option}` : `--${option} ${value}${kind === 'list' ? ' …' : ''}`;
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

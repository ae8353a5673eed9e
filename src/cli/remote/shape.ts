/** An option of a command, and its place in the variables of the command's operation. */
export interface OptionShape {
  /** The path in the variables, such as `input.appId`. Undefined for an option that only the command reads. */
  readonly path?: string;
  /** The word in the usage, such as `APP_ID`. Undefined for a flag. */
  readonly placeholder?: string;
  readonly kind: 'text' | 'number' | 'list' | 'flag' | 'file';
  readonly isRequired: boolean;
  /** The only values allowed, for the usage and for completion. */
  readonly values?: readonly string[];
  /** Whether `default` means null. */
  readonly hasDefault?: boolean;
  /** Whether it names a person: a file or standard input can give it, too. */
  readonly isPerson?: boolean;
}

/** A command: one operation of the admin API. */
export interface RemoteCommand {
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
  readonly isPaged?: boolean;
  /** Turns the result into what is printed; the result itself by default. */
  readonly show?: (result: never) => unknown;
}

export interface RootField {
  readonly name: string;
  /** Its arguments and their types; each variable has the name of its argument. */
  readonly args: Readonly<Record<string, string>>;
  /** The selection, without braces; empty for a scalar. */
  readonly select: string;
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const option =
  (kind: OptionShape['kind'], isRequired: boolean) =>
  (path: string, placeholder: string, values?: readonly string[]): OptionShape => ({
    path,
    placeholder,
    kind,
    isRequired,
    ...(values && { values }),
  });

export const need = option('text', true);
export const may = option('text', false);
export const mayList = option('list', false);
export const mayDefault = (...given: Parameters<typeof may>): OptionShape => ({ ...may(...given), hasDefault: true });
export const needPerson = (...given: Parameters<typeof need>): OptionShape => ({ ...need(...given), isPerson: true });
export const mayPerson = (...given: Parameters<typeof may>): OptionShape => ({ ...may(...given), isPerson: true });
export const mayNumber = option('number', false);
export const needNumber = option('number', true);
/** The path of a small file, whose content is sent in base64. */
export const needFile = option('file', true);
export const flag = (path: string): OptionShape => ({ path, kind: 'flag', isRequired: false });

/** Writes `app disable --app APP_ID`. */
export function describeUsage(name: string, { options, secret, confirm }: RemoteCommand): string {
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

/** Builds the document of a command. */
export function buildDocument({ kind, fields }: Pick<RemoteCommand, 'kind' | 'fields'>): string {
  const declared = Object.entries(Object.assign({}, ...fields.map(({ args }) => args)) as Record<string, string>);
  const variables = declared.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const roots = fields.map(({ name, args, select }) => {
    const passed = Object.keys(args).map((arg) => `${arg}: $${arg}`);
    return `${name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${select === '' ? '' : `{ ${select} }`}`;
  });
  return `${kind} ${variables === '' ? '' : `(${variables}) `}{ ${roots.join(' ')} }`;
}

import { parseArgs } from 'node:util';
import { ServiceError } from '../basics/errors.ts';

export interface OptionShape {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** Whether it is an id of ours, which the audit log may contain. */
  readonly isId?: boolean;
}

/** Describes a command for the parser and for `--help`. */
export interface CommandHead {
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionShape>>;
}

/**
 * Parses the given options, including `--json`. Refuses a mistyped option: a command must not run without its `--dry-run`.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function readOptions(
  { usage, options }: Pick<CommandHead, 'usage' | 'options'>,
  args: readonly string[],
): Record<string, unknown> {
  // Node has replaced invalid bytes by this character. A name that contains it can be given on standard input or in a file.
  if (args.some((arg) => arg.includes('\ufffd'))) {
    throw new ServiceError('BAD_USER_INPUT', `An argument is not UTF-8. Usage: ${usage}`);
  }
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  const { values, tokens } = parse();
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = given.find((name, index) => given.indexOf(name) < index && !known[name]?.multiple);
  if (twice !== undefined) throw new ServiceError('BAD_USER_INPUT', `--${twice} is given twice. Usage: ${usage}`);
  return values;

  function parse() {
    const all = { ...known, json: { type: 'boolean', multiple: false } } as const;
    try {
      return parseArgs({ args: [...args], options: all, strict: true, tokens: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
        // The message does not repeat the value: it may be a secret.
        const [example] = /--[\w-]+ [^\s\]]+/.exec(usage) ?? [];
        const place = example === undefined ? '' : ` Write it after its option, as in ${example}.`;
        const secret = usage.includes('secret on standard input') ? ' Give a secret on standard input.' : '';
        throw new ServiceError('BAD_USER_INPUT', `A value belongs to no option.${place}${secret} Usage: ${usage}`);
      }
      const [fault] = (error as Error).message.split(/\. |\n/); // The rest explains how to avoid the check.
      throw new ServiceError('BAD_USER_INPUT', `${fault}. Usage: ${usage}`);
    }
  }
}

import { parseArgs } from 'node:util';
import { z } from 'zod';
import * as rules from '../domain/operating/input-rules.ts';
import { ServiceError } from '../errors.ts';
import { asId } from '../ids.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import type { Database } from '../store/sql.ts';
import type { Seal } from '../vault/seal.ts';
import type { WebhookEgress } from '../webhooks/endpoint-url.ts';

export interface CliDeps {
  readonly sql: Database;
  readonly deployment: 'development' | 'production';
  readonly sealInbox: Seal;
  /** Undefined where its keys are not configured. */
  readonly sealEdge: Seal | undefined;
  /** Where webhooks may be sent. */
  readonly webhookEgress: WebhookEgress;
  /** Reads a secret from standard input, so that no process list or shell history contains it. */
  readSecret(prompt: string): Promise<string>;
  /** Tells the operator something that is not part of the result. */
  warn(message: string): void;
}

/** A JSON value; an instant is ISO 8601 in UTC, and a missing value is null. */
export type Value = string | number | boolean | null | readonly string[];

/** The output of a command: names, in camelCase, and values. */
export type Row = Readonly<Record<string, Value>>;

interface OptionShape {
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

/** `Result` is a row, or rows for a table. */
export interface CliCommand<Result, Deps = CliDeps> extends CommandHead {
  run(options: unknown, deps: Deps): Promise<Result>;
}

const ids = new WeakSet<object>();

export function id<T extends string>() {
  const type = z.string().transform((text, context) => {
    const found = asId(text);
    if (!found) context.addIssue({ code: 'custom', message: 'is not an id' });
    return found as unknown as T;
  });
  ids.add(type);
  return type;
}
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** An instant in the future. */
export const future = instant.pipe(rules.future);
export const provider = z.enum(PROVIDER_NAMES);
export const flag = z.boolean().default(false);

const innermost = (type: z.core.$ZodType): z.core.$ZodType =>
  type instanceof z.ZodDefault || type instanceof z.ZodOptional ? innermost(type.unwrap()) : type;

const shapeOf = (type: z.core.$ZodType): OptionShape => ({
  type: innermost(type) instanceof z.ZodBoolean ? 'boolean' : 'string',
  multiple: innermost(type) instanceof z.ZodArray,
  isId: ids.has(innermost(type)),
});

/**
 * Parses the given options, including `--json`. Refuses a mistyped option: a command must not run without its `--dry-run`.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function readOptions({ usage, options }: CommandHead, args: readonly string[]): Record<string, unknown> {
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
        const message = 'A value belongs to no option. Give a secret on standard input';
        throw new ServiceError('BAD_USER_INPUT', `${message}. Usage: ${usage}`);
      }
      const [fault] = (error as Error).message.split(/\. |\n/); // The rest explains how to avoid the check.
      throw new ServiceError('BAD_USER_INPUT', `${fault}. Usage: ${usage}`);
    }
  }
}

export const describeCommand = ({ usage, summary }: CommandHead): string => `  ${usage}\n      ${summary}`;

/** Builds a command. @param shape the options by name, with their checks. */
export function command<Shape extends z.ZodRawShape, Result, Deps = CliDeps>(
  usage: string,
  summary: string,
  shape: Shape,
  run: (options: z.output<z.ZodObject<Shape>>, deps: Deps) => Promise<Result>,
): CliCommand<Result, Deps> {
  const schema = z.strictObject(shape);
  return {
    usage,
    summary,
    options: Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, shapeOf(type)])),
    run: async (given, deps) => {
      const parsed = schema.safeParse(given);
      if (!parsed.success) {
        const isGiven = (name: string) => Object.hasOwn(Object(given), name);
        const faults = parsed.error.issues.map(({ path, message }) => {
          const name = String(path[0]);
          return `--${name} ${isGiven(name) ? message : 'is missing'}`;
        });
        throw new ServiceError('BAD_USER_INPUT', `${faults.join('; ')}. Usage: ${usage}`);
      }
      return await run(parsed.data, deps);
    },
  };
}

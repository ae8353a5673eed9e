import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { asId } from '../ids.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import type { Database } from '../store/sql.ts';
import type { Seal } from '../vault/seal.ts';

export interface CliDeps {
  readonly sql: Database;
  readonly sealInbox: Seal;
  /** Undefined where its keys are not configured. */
  readonly sealEdge: Seal | undefined;
  /** A secret is read from standard input, so that it stands in no process list or shell history. */
  readSecret(prompt: string): Promise<string>;
}

/** A value as JSON has it; an instant is ISO 8601 in UTC, and null is what there is not. */
export type Value = string | number | boolean | null | readonly string[];

/** What a command prints: names, in camelCase, and values. */
export type Row = Readonly<Record<string, Value>>;

type OptionShape = { readonly type: 'string' | 'boolean'; readonly multiple: boolean };

/** `Result` is a row, or rows for a table. */
export interface CliCommand<Result, Deps = CliDeps> {
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionShape>>;
  run(options: unknown, deps: Deps): Promise<Result>;
}

export const id = <T extends string>() =>
  z.string().transform((text, context) => {
    const found = asId(text);
    if (!found) context.addIssue({ code: 'custom', message: 'is not an id' });
    return found as unknown as T;
  });
export const text = z.string().min(1).max(200);
export const provider = z.enum(PROVIDER_NAMES);
/** Given or not. */
export const flag = z.boolean().default(false);

const innermost = (type: unknown): unknown =>
  type instanceof z.ZodDefault || type instanceof z.ZodOptional ? innermost(type.unwrap()) : type;

const shapeOf = (type: unknown): OptionShape => ({
  type: innermost(type) instanceof z.ZodBoolean ? 'boolean' : 'string',
  multiple: innermost(type) instanceof z.ZodArray,
});

/** @param shape the options by name, as they are checked. */
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
        const faults = parsed.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`);
        throw new ServiceError('BAD_USER_INPUT', `${faults.join('; ')}. Usage: ${usage}`);
      }
      return await run(parsed.data, deps);
    },
  };
}

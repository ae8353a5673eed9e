import { z } from 'zod';
import { ServiceError } from '../basics/errors.ts';
import { asId } from '../basics/ids.ts';
import type { CommandHead, OptionShape } from './read-options.ts';

/** `Result` is a row, or rows for a table. */
export interface CliCommand<Result, Deps> extends CommandHead {
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
export const flag = z.boolean().default(false);

const innermost = (type: z.core.$ZodType): z.core.$ZodType =>
  type instanceof z.ZodDefault || type instanceof z.ZodOptional ? innermost(type.unwrap()) : type;

const shapeOf = (type: z.core.$ZodType): OptionShape => ({
  type: innermost(type) instanceof z.ZodBoolean ? 'boolean' : 'string',
  multiple: innermost(type) instanceof z.ZodArray,
  isId: ids.has(innermost(type)),
});

export const describeCommand = ({ usage, summary }: CommandHead): string => `  ${usage}\n      ${summary}`;

/** Builds a command. @param shape the options by name, with their checks. */
export function command<Shape extends z.ZodRawShape, Result, Deps>(
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

import type { z } from 'zod';

/** How an answer's fields and those that its adapter reads relate, as paths such as `items[].snippet.title`. */
export interface FieldComparison {
  /** Sent, and not read. */
  readonly unread: readonly string[];
  /** Read if it is there, and not sent. */
  readonly unsent: readonly string[];
}

/** Compares the names of fields only: no value of an answer leaves this function. */
export function compareFields(schema: z.core.$ZodType, json: unknown): FieldComparison {
  const unread = new Set<string>();
  const unsent = new Set<string>();
  visit(schema, json, '', { unread, unsent });
  // A list may have a field in one item and lack it in the next.
  return { unread: [...unread].sort(), unsent: [...unsent].sort() };
}

interface Found {
  readonly unread: Set<string>;
  readonly unsent: Set<string>;
}

function visit(type: z.core.$ZodType, value: unknown, path: string, found: Found): void {
  const schema = unwrap(type, value);
  const { def } = schema._zod;
  if (isOf(def, 'array') && Array.isArray(value)) {
    for (const item of value) visit(def.element, item, `${path}[]`, found);
  } else if (isOf(def, 'tuple') && Array.isArray(value)) {
    for (const [index, item] of def.items.entries()) visit(item, value[index], `${path}[]`, found);
  } else if (isRecord(value) && isOf(def, 'record')) {
    for (const each of Object.values(value)) visit(def.valueType, each, `${path}.*`, found);
  } else if (isRecord(value) && isOf(def, 'object')) {
    for (const name of Object.keys(value)) if (!(name in def.shape)) found.unread.add(join(path, name));
    for (const [name, member] of Object.entries(def.shape)) {
      if (value[name] === undefined || value[name] === null) found.unsent.add(join(path, name));
      else visit(member, value[name], join(path, name), found);
    }
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Definitions {
  readonly array: z.core.$ZodArrayDef;
  readonly tuple: z.core.$ZodTupleDef;
  readonly record: z.core.$ZodRecordDef;
  readonly object: z.core.$ZodObjectDef;
  readonly union: z.core.$ZodUnionDef;
  readonly pipe: z.core.$ZodPipeDef;
}
const isOf = <Kind extends keyof Definitions>(def: { type: string }, kind: Kind): def is Definitions[Kind] =>
  def.type === kind;

/** Removes the wrappers of the shape: optional, nullable, default, and transforms after the parse. */
function unwrap(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  const { def } = schema._zod;
  if ('innerType' in def) return unwrap(def.innerType as z.core.$ZodType, value);
  if (isOf(def, 'pipe')) return unwrap(def.in, value);
  if (!isOf(def, 'union')) return schema;
  const fits = (option: z.core.$ZodType) => (option as z.ZodType).safeParse(value).success;
  const chosen = def.options.find(fits) ?? def.options[0];
  return chosen === undefined ? schema : unwrap(chosen, value);
}

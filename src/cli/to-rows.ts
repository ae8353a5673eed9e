import type { Row, Value } from './format.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns an answer of the admin API into rows for a person: an inner object becomes values with dotted names. */
export const toRows = (answer: unknown): Row | readonly Row[] =>
  Array.isArray(answer) ? answer.map((item) => toRow(item)) : toRow(answer);

const toRow = (answer: unknown): Row => Object.fromEntries(listValues(answer, ''));

const listValues = (answer: unknown, prefix: string): [string, Value][] =>
  Object.entries(isObject(answer) ? answer : { value: answer }).flatMap(([name, value]) =>
    isObject(value) ? listValues(value, `${prefix}${name}.`) : [[`${prefix}${name}`, toValue(value)]],
  );

function toValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? describe(item) : String(item)));
  return value as Value;
}

/** An object in a list, in one line: `id=… status=…`. */
const describe = (item: Fields): string =>
  listValues(item, '')
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');

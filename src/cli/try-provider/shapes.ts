import { parseJson } from '../../providers/json.ts';
import { listCodes } from '../../providers/unexpected-answers.ts';
import type { Exchange } from './recording.ts';

/** The form of the answers of one kind: names and types, and no value. */
export interface Shape {
  readonly statuses: readonly number[];
  /** The types by path, such as `items[].snippet.title`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The shapes of answers, by request and success. */
export type Shapes = Readonly<Record<string, Shape>>;

/** The forms of recorded answers. */
export function collectShapes(exchanges: readonly Pick<Exchange, 'where' | 'status' | 'body'>[]): Shapes {
  const found = new Map<string, { statuses: Set<number>; fields: Map<string, Set<string>> }>();
  for (const { where, status, body } of exchanges) {
    const json = parseJson(body);
    const failed = status >= 400 || (hasError(json) && listCodes(json).some((code) => code !== 'ok'));
    const name = `${where}, ${failed ? 'error' : 'success'}`;
    const shape = found.get(name) ?? { statuses: new Set(), fields: new Map() };
    found.set(name, shape);
    shape.statuses.add(status);
    visit(json, '', shape.fields);
  }
  const sorted = [...found].toSorted(([one], [other]) => compare(one, other));
  return Object.fromEntries(
    sorted.map(([name, { statuses, fields }]) => [
      name,
      {
        statuses: [...statuses].sort((one, other) => one - other),
        fields: Object.fromEntries(
          [...fields]
            .toSorted(([one], [other]) => compare(one, other))
            .map(([path, types]) => [path, [...types].sort().join(' | ')]),
        ),
      },
    ]),
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const hasError = (json: unknown) => typeof json === 'object' && json !== null && 'error' in json;

/** Describes how the forms at a platform differ from those of the sandbox. */
export function compareShapes(platform: Shapes, sandbox: Shapes): string[] {
  return Object.entries(platform).flatMap(([name, { statuses, fields }]) => {
    const known = sandbox[name];
    if (known === undefined) return [`${name}: the sandbox gives no such answer`];
    const say = (text: string, list: readonly (string | number)[]) =>
      list.length === 0 ? [] : [`${name}: ${text}: ${list.join(', ')}`];
    const shared = Object.entries(fields).filter(([path]) => path in known.fields);
    return [
      ...say(
        'another status',
        statuses.filter((status) => !known.statuses.includes(status)),
      ),
      ...say(
        'only at the platform',
        Object.keys(fields).filter((path) => !(path in known.fields)),
      ),
      ...say(
        'only in the sandbox',
        Object.keys(known.fields).filter((path) => !(path in fields)),
      ),
      ...say(
        'another type',
        shared.flatMap(([path, types]) => {
          const others = types
            .split(' | ')
            .filter((type) => type !== 'null' && !known.fields[path]?.split(' | ').includes(type));
          return others.length === 0 ? [] : [`${path} (${others.join(' or ')})`];
        }),
      ),
    ];
  });
}

function visit(value: unknown, path: string, fields: Map<string, Set<string>>): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, `${path}[]`, fields);
  } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) {
      const key = /^\d{5,}$/.test(name) ? '*' : name;
      visit(member, path === '' ? key : `${path}.${key}`, fields);
    }
    return;
  } else if (value === undefined) return;
  if (path === '') return;
  const types = fields.get(path) ?? new Set();
  fields.set(path, types);
  types.add(typeOf(value));
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};

import fc from 'fast-check';
import { expect } from 'vitest';

/** The place of a row in a list. */
interface Key {
  readonly at: Date;
  readonly id: string;
}

interface Page {
  readonly limit: number;
  readonly after: Key | null;
}

/** Values of a condition, and whether a row meets one. */
type Condition<Row, Value> = readonly [values: readonly Value[], meets: (row: Row, value: Value) => boolean];

/** A list of the store, and its rule in TypeScript. */
export interface ListModel<Row extends { readonly id: string }, Filter extends object, Item> {
  /** The rows of the test. Other rows of the database must not be listed. */
  readonly rows: readonly Row[];
  /** The filter that all rows meet, and no others. */
  readonly base: Filter;
  readonly conditions: {
    readonly [Name in keyof Filter]?: Condition<Row, NonNullable<Filter[Name]>>;
  };
  /** The instant by which the list is ordered; rows of one instant come by id, in the same direction. */
  readonly at: (row: Row, filter: Filter) => Date;
  readonly oldestFirst?: (filter: Filter) => boolean;
  readonly list: (filter: Filter, page: Page) => Promise<readonly Item[]>;
  readonly read: (item: Item, filter: Filter) => Key;
  readonly count?: (filter: Filter) => Promise<{ readonly count: number; readonly isExact: boolean }>;
}

/** Compares a list with its rule: each value of each condition alone, and some of them together, in pages of 1, 2 and 10. */
export async function checkList<Row extends { readonly id: string }, Filter extends object, Item>(
  model: ListModel<Row, Filter, Item>,
): Promise<void> {
  const { rows, base, at, list, read, count, oldestFirst = () => false } = model;
  const conditions = Object.entries(model.conditions) as [keyof Filter & string, Condition<Row, unknown>][];
  const singles = conditions.flatMap(([name, [values]]) => values.map((value) => ({ [name]: value })));
  const some = fc.subarray(singles, { minLength: Math.min(2, singles.length), maxLength: Math.min(3, singles.length) });
  const together = singles.length > 1 ? fc.sample(some, { numRuns: 15, seed: 7 }) : [];
  for (const part of [{}, ...singles, ...together.map((parts) => Object.assign({}, ...parts))]) {
    const filter: Filter = { ...base, ...part };
    const isUp = oldestFirst(filter);
    const wanted = rows
      .filter((row) => conditions.every(([name, [, meets]]) => !(name in part) || meets(row, part[name])))
      .sort((a, b) => (isUp ? 1 : -1) * (at(a, filter).getTime() - at(b, filter).getTime() || (a.id < b.id ? -1 : 1)))
      .map(({ id }) => id);
    const name = JSON.stringify(part);
    if (count) expect(await count(filter), name).toEqual({ count: wanted.length, isExact: true });
    for (const limit of Object.keys(part).length > 1 ? [2] : [1, 2, 10]) {
      const found: string[] = [];
      for (let after: Key | null = null; ; ) {
        const keys: Key[] = (await list(filter, { limit, after })).map((item) => read(item, filter));
        expect(keys.length, name).toBe(Math.max(0, Math.min(limit, wanted.length - found.length)));
        found.push(...keys.map(({ id }) => id));
        after = keys.at(-1) ?? null;
        if (after === null) break;
      }
      expect(found, name).toEqual(wanted);
    }
  }
}

/** Rows of random members, the same in each run. */
export const drawRows = <Row>(count: number, members: { [Name in keyof Row]: fc.Arbitrary<Row[Name]> }): Row[] =>
  fc.sample(fc.record(members), { numRuns: count, seed: 11 }) as Row[];

export const oneOf = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

import type { Database } from '../kit/postgres.ts';
/**
 * The reads and writes of a step of an operation, by table. Two steps without a common table have the same effect in either
 * order, so only one of both orders has to run.
 */

export interface Access {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** A step of an operation: from one gate to the next. */
export class Step {
  readonly label: string;
  readonly reads = new Set<string>();
  readonly writes = new Set<string>();
  /** Whether something of it stays if the process dies after it: a commit, a statement of its own, or a call. */
  isLasting = false;

  constructor(label: string) {
    this.label = label;
  }

  add({ reads, writes }: Access): void {
    for (const one of reads) this.reads.add(one);
    for (const one of writes) this.writes.add(one);
  }
}

/** Lines are only added to these, by one statement each: in which order makes no difference to those who add. */
const LOGS = new Set([
  'outbox',
  'temporal',
  'webhook_event',
  'webhook_delivery',
  'webhook_sequence',
  'webhook_wake',
  'journal_entry',
  'audit_log',
  'ended_work',
  'ended_work_count',
  'connection_count',
  'registration_usage',
]);

/** A value by which no operation here decides: the last use of an operator's token. */
const LEFT_OUT = new Set(['admin_token']);

/** Whether the order of two steps, or of a step and all steps of an operation, may matter. */
export function mayConflict(one: Step, others: readonly Step[]): boolean {
  return others.some(
    (other) =>
      some(one.writes, (name) => other.reads.has(name) || (other.writes.has(name) && !LOGS.has(name))) ||
      some(one.reads, (name) => other.writes.has(name)),
  );
}

const some = (names: ReadonlySet<string>, test: (name: string) => boolean): boolean => {
  for (const name of names) if (test(name)) return true;
  return false;
};

/** The further effects of a statement on a table: by its triggers and foreign keys, or as a view. */
export interface Schema {
  readonly tables: ReadonlySet<string>;
  /** By verb and table: `update connection`. */
  readonly writtenWith: ReadonlyMap<string, readonly string[]>;
  /** By table, or by verb and table. */
  readonly readWith: ReadonlyMap<string, readonly string[]>;
}

type Verb = 'insert' | 'update' | 'delete';

const known = new Map<string, Access>();

/** The tables of a statement, by its text. */
export function accessOf(text: string, { tables, writtenWith, readWith }: Schema): Access {
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  const changed = [...plain.matchAll(/\b(insert into|update|delete from) (?:only )?([a-z_]+)/g)]
    .map(([, verb = '', name = '']) => [verb.split(' ')[0] as Verb, name] as const)
    .filter(([, name]) => tables.has(name));
  const named = [...plain.matchAll(/\b(?:from|join|using|,) ?(?:only )?([a-z_]+)/g)].map(([, name = '']) => name);
  // A change of a table follows a read of its rows; a log only grows.
  const read = [...named, ...changed.map(([, name]) => name)].filter(
    (name) => tables.has(name) && !(LOGS.has(name) && changed.some(([, one]) => one === name)),
  );
  const access = {
    reads: [
      ...new Set([
        ...read.flatMap((name) => [name, ...(readWith.get(name) ?? [])]),
        ...changed.flatMap(([verb, name]) => readWith.get(`${verb} ${name}`) ?? []),
      ]),
    ],
    writes: [...new Set(changed.flatMap(([verb, name]) => [name, ...(writtenWith.get(`${verb} ${name}`) ?? [])]))],
  };
  known.set(text, access);
  return access;
}

/** The statements that fire a trigger, from its type. */
const VERBS: readonly (readonly [number, Verb])[] = [
  [4, 'insert'],
  [8, 'delete'],
  [16, 'update'],
];

/** Reads triggers, foreign keys and views from the catalog. */
export async function readSchema(sql: Database): Promise<Schema> {
  const relations = await sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  `;
  const tables = new Set(relations.map(({ name }) => String(name)).filter((name) => !LEFT_OUT.has(name)));
  const functions = await sql`
    select proname as name, lower(pg_get_functiondef(oid)) as body from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f' and proname not like 'orders_%'
  `;
  const bodies = new Map(functions.map(({ name, body }) => [String(name), String(body)]));
  /** The tables behind these words in a function, and in those that it calls. */
  const namedIn = (name: string, words: RegExp, callers: readonly string[] = []): string[] => {
    const body = bodies.get(name) ?? '';
    const own = [...body.matchAll(words)].map(([, table = '']) => table).filter((table) => tables.has(table));
    const called = [...bodies.keys()].filter(
      (one) => one !== name && !callers.includes(one) && body.includes(`${one}(`),
    );
    return [...own, ...called.flatMap((one) => namedIn(one, words, [...callers, name]))];
  };
  const writtenWith = new Map<string, string[]>();
  const readWith = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, names: readonly string[]) =>
    map.set(key, [...(map.get(key) ?? []), ...names]);
  const triggers = await sql`
    select relname as name, proname as function, tgtype::int as type
    from pg_trigger t join pg_class c on c.oid = tgrelid join pg_proc p on p.oid = tgfoid
    where not tgisinternal and proname not like 'orders_%'
  `;
  for (const { name, function: called, type } of triggers)
    for (const [bit, verb] of VERBS) {
      if ((type & bit) === 0) continue;
      add(writtenWith, `${verb} ${name}`, namedIn(called, /\b(?:insert into|update|delete from) ([a-z_]+)/g));
      add(readWith, `${verb} ${name}`, namedIn(called, /\b(?:from|join) ([a-z_]+)/g));
    }
  const references = await sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent, confdeltype <> 'a' as follows
    from pg_constraint where contype = 'f'
  `;
  for (const { child, parent, follows } of references) {
    add(readWith, child, [parent]);
    if (follows) add(writtenWith, `delete ${parent}`, [child]);
  }
  const views = await sql`
    select distinct v.relname as view, t.relname as name
    from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = ev_class join pg_class t on t.oid = refobjid
    where d.classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and v.oid <> t.oid and v.relkind = 'v'
  `;
  for (const { view, name } of views) add(readWith, view, [name]);
  return { tables, writtenWith, readWith };
}

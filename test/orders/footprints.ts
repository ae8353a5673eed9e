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

/** All tables, and the tables behind each view. */
export type Schema = ReadonlyMap<string, readonly string[]>;

const known = new Map<string, Access>();

/** The tables of a statement, by its text. */
export function accessOf(text: string, schema: Schema): Access {
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  const tablesOf = (words: RegExp) => [
    ...new Set([...plain.matchAll(words)].flatMap(([, name = '']) => schema.get(name) ?? [])),
  ];
  const writes = tablesOf(/\b(?:insert into|update|delete from) (?:only )?([a-z_]+)/g);
  // A change of a table follows a read of its rows; a log only grows.
  const reads = [...new Set([...tablesOf(/\b(?:from|join|using|,) ?(?:only )?([a-z_]+)/g), ...writes])].filter(
    (name) => !(LOGS.has(name) && writes.includes(name)),
  );
  const access = { reads, writes };
  known.set(text, access);
  return access;
}

export async function readSchema(sql: Database): Promise<Schema> {
  const tables = await sql`
    select relname as name, array[relname::text] as behind from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all
    select v.relname, array_agg(distinct t.relname::text)
    from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = ev_class join pg_class t on t.oid = refobjid
    where d.classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and v.oid <> t.oid and v.relkind = 'v'
    group by v.relname
  `;
  return new Map(tables.filter(({ name }) => !LEFT_OUT.has(name)).map(({ name, behind }) => [name, behind]));
}

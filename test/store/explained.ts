import postgres from 'postgres';
import { type Database, inTransaction, type Transaction } from '../kit/sql.ts';

/** The actual plan figures of a statement, over all of its runs. */
export interface Statement {
  readonly query: string;
  runs: number;
  /** Rows that it returned or, without returning any, wrote. */
  returned: number;
  /** Rows of tables and indexes that it read, including those that it filtered out. */
  touched: number;
  /** Rows that it sorted itself, without an index. */
  sorted: number;
  /** Tables that it scanned completely. */
  readonly fullReads: Set<string>;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Connections on which Postgres reports the plan of every statement, which needs a superuser. */
export function openExplained(url: string, { poolSize = 8 } = {}) {
  let statements = new Map<string, Statement>();
  const note = (text: string, plan: PlanNode) => {
    const query = text.replaceAll(/\s+/g, ' ').trim();
    if (query.includes('pg_catalog')) return; // A query of the driver.
    const statement = statements.get(query) ?? {
      query,
      runs: 0,
      returned: 0,
      touched: 0,
      sorted: 0,
      fullReads: new Set<string>(),
    };
    statements.set(query, statement);
    statement.runs += 1;
    statement.returned += (plan['Actual Rows'] || plan.Plans?.[0]?.['Actual Rows']) ?? 0;
    addUp(plan, statement);
  };
  const sql: Database = postgres(url, {
    max: poolSize,
    connection: {
      application_name: 'plans',
      statement_timeout: 60_000,
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0ms', // The driver omits the number 0.
      'auto_explain.log_analyze': true,
      'auto_explain.log_timing': false,
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
    } as object,
    onnotice: ({ message = '' }) => {
      const at = message.indexOf('{');
      if (!message.startsWith('duration:') || at < 0) return;
      const explained = JSON.parse(message.slice(at)) as { 'Query Text': string; Plan: PlanNode };
      note(explained['Query Text'], explained.Plan);
    },
    transform: { column: { from: postgres.toCamel } },
  });
  return {
    sql,
    /** The statements that run during `work`. */
    async statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
      statements = new Map();
      await work();
      return [...statements.values()];
    },
  };
}

function addUp(node: PlanNode, statement: Statement): void {
  const type = node['Node Type'];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  if (type.endsWith('Scan') && (node['Relation Name'] ?? node['Index Name']) !== undefined) {
    statement.touched += ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0);
  }
  if (type === 'Seq Scan' && node['Relation Name'] !== undefined) statement.fullReads.add(node['Relation Name']);
  if (type === 'Sort') statement.sorted += (node.Plans?.[0]?.['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0);
  for (const below of node.Plans ?? []) addUp(below, statement);
}

/** How much a statement may read and sort. */
export interface Frugality {
  /** Rows that it reads for each row it returns: the row in its index and table, and those looked up for it by key. */
  readonly touchedEach: number;
  /** Rows that it may read besides, at each run. */
  readonly touchedBesides: number;
  /** Rows that it may sort at each run: those of a page. */
  readonly page: number;
  /** No table with at least this many rows may be scanned completely. */
  readonly largeFrom: number;
}

/** Describes each statement that reads or sorts too much. */
export async function findWaste(sql: Database, statements: readonly Statement[], most: Frugality): Promise<string[]> {
  const wasteful = statements.flatMap(({ query, runs, returned, touched, sorted }) => [
    ...(touched > most.touchedEach * returned + most.touchedBesides * runs
      ? [`read ${Math.round(touched)} rows and returned ${returned} in ${runs} runs: ${query}`]
      : []),
    ...(sorted > most.page * runs ? [`sorted ${Math.round(sorted)} rows in ${runs} runs: ${query}`] : []),
  ]);
  return [...(await findFullReads(sql, statements, most.largeFrom)), ...wasteful];
}

/** The tables with at least this many rows that a statement scanned completely. */
export async function findFullReads(
  sql: Database,
  statements: readonly Statement[],
  fromRows: number,
): Promise<string[]> {
  const rows = await sql`
    select relname as name from pg_class
    where relkind = 'r' and reltuples >= ${fromRows} and relnamespace = 'public'::regnamespace
  `;
  const large = new Set(rows.map(({ name }) => String(name)));
  return statements.flatMap(({ query, fullReads }) =>
    [...fullReads].filter((table) => large.has(table)).map((table) => `${table}: ${query}`),
  );
}

/** Works in a transaction whose plans avoid these kinds of steps. */
const without =
  (...kinds: readonly string[]) =>
  <T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(sql, async (tx) => {
      for (const kind of kinds) await tx.unsafe(`set local enable_${kind} = off`);
      return await work(tx);
    });

/** Without indexes, and without sorting where no order is asked for, rows come as they lie in the table, or in groups. */
export const withoutIndexes = without('indexscan', 'indexonlyscan', 'bitmapscan');

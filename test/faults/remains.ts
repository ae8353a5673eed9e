import path from 'node:path';
import { listOpenWork, type OpenWork } from '../history/open-work.ts';
import type { PlatformRecord, Remains } from '../history/run.ts';
import { persist, type Stage } from './stage.ts';
import { WordSearch } from './word-search.ts';

const OPEN: readonly OpenWork[] = [
  'read jobs',
  'receipts and compensations',
  'outbox entries',
  'webhook deliveries',
  'suspended connections',
  'connections on their way out',
  'grants without a connection',
  'claimed refreshes of live grants',
  'codes in exchange',
  'sign-ins in exchange',
  'erasures',
  'requested deletions',
];
/** Attempts that wait for a person, until their deadline. */
const WAITING: readonly OpenWork[] = ['unfinished attempts', 'unfinished sign-ins'];

/** The last broken part may answer late, on a busy machine. */
export const listOpen = ({ service }: Stage, { withWaiting = false } = {}): Promise<string[]> =>
  persist(() => listOpenWork(service.database.sql, [...OPEN, ...(withWaiting ? WAITING : [])]));

/** Workflows that still run, except sweeps and webhooks. */
export async function listRunning({ service }: Stage): Promise<string[]> {
  const query = `ExecutionStatus = 'Running' and WorkflowType not in ('sweep', 'sendWebhooks')`;
  return await persist(async () => {
    const running: string[] = [];
    for await (const { workflowId } of service.temporalClient.workflow.list({ query })) running.push(workflowId);
    return running;
  });
}

/** Node ends the log of a process that dies of an error with its version. The error stands before it; our own lines are JSON. */
const CRASH = /((?:^(?!\{).*\n)*)^Node\.js v\d/gm;

/** Lists our processes that exited without a kill, once for each time, with the error. */
export function listCrashes({ service }: Stage): string[] {
  const parts = [...service.apis, ...service.workers];
  return parts.flatMap(({ name, log }) => [...log.matchAll(CRASH)].map(([, error = '']) => `${name}: ${error.trim()}`));
}

/** Lists every consent of every account at the platforms. */
export function listGrants({ service }: Stage): PlatformRecord['grants'] {
  const { control } = service.sandbox;
  const now = Date.now() + control.clock().offsetMs;
  return control.grants().map(({ accountId, platform, endedAt, tokens }) => ({
    account: accountId,
    provider: platform,
    hasEnded: endedAt !== null,
    isUsable:
      endedAt === null && tokens.some((token) => !token.isSpent && (token.expiresAt === null || token.expiresAt > now)),
  }));
}

/**
 * Searches every row of every table, Temporal's data and the logs of our processes for words of the erased. An account that was erased
 * must not have been connected again.
 */
export async function findTraces({ service, erased, posts }: Stage): Promise<Remains['traces']> {
  const { sql } = service.database;
  const accounts = new Map(service.sandbox.control.accounts().map((account) => [account.id, account]));
  const postsOf = new Map<string, string[]>();
  for (const { accountId, id } of posts) {
    const own = postsOf.get(accountId) ?? [];
    own.push(id);
    postsOf.set(accountId, own);
  }
  const flowOf = new Map<string, string>();
  /** A text that each place certainly contains. */
  const controls = {
    tables: service.app.appId,
    temporal: 'connectAttempt',
    logs: '"level"',
  };
  for (const { flow, account, subject } of erased) {
    const { handle, principal } = accounts.get(account) ?? {};
    for (const word of [account, principal, handle, subject, ...(postsOf.get(account) ?? [])])
      if (word) flowOf.set(word, flow);
  }
  const search = new WordSearch([...flowOf.keys(), ...Object.values(controls)]);
  const traces = new Map<string, { flow: string; where: string }>();
  const found = new Set<string>();
  const note = (kind: keyof typeof controls, place: string, words: Iterable<string>) => {
    for (const word of words) {
      found.add(`${kind} ${word}`);
      const flow = flowOf.get(word);
      if (flow !== undefined) traces.set(`${place} ${word}`, { flow, where: `${place} (${word})` });
    }
  };
  const tables = await sql`
    select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
  `;
  for (const { tableName } of tables) {
    await sql`select t::text as row from ${sql(tableName)} t`.cursor(1_000, (rows) =>
      note('tables', tableName, search.findIn(Buffer.from(rows.map(({ row }) => String(row)).join('\n')))),
    );
  }
  for (const file of await service.temporalData.listDataFiles())
    note('temporal', path.basename(file), await search.findInFile(file));
  for (const part of [...service.apis, ...service.workers]) {
    note('logs', `log of ${part.name}`, await search.findInFile(part.logFile));
  }
  for (const [kind, word] of Object.entries(controls)) {
    if (!found.has(`${kind} ${word}`)) throw new Error(`The search of the ${kind} does not even find ${word}.`);
  }
  return [...traces.values()];
}

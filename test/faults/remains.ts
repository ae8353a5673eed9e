import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listOpenWork, type OpenWork } from '../history/open-work.ts';
import type { PlatformRecord, Remains } from '../history/run.ts';
import { persist, type Stage } from './stage.ts';

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

/** A text that each kind of place certainly contains. */
const CONTROLS = { tables: 'PROVIDER_B', temporal: 'connectAttempt', logs: '"level"' } as const;

/** Every table, file of Temporal's data and log of our processes, as its text. */
async function* listPlaces({ service }: Stage) {
  const { sql } = service.database;
  const tables = await sql`
    select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
  `;
  for (const { tableName } of tables) {
    const rows = await sql`select t::text as row from ${sql(tableName)} t`;
    yield {
      kind: 'tables',
      place: String(tableName),
      text: Buffer.from(rows.map(({ row }) => row).join('\n')),
    } as const;
  }
  for (const file of await service.temporalData.listDataFiles())
    yield { kind: 'temporal', place: path.basename(file), text: readFileSync(file) } as const;
  for (const { name, logFile } of [...service.apis, ...service.workers])
    yield { kind: 'logs', place: `log of ${name}`, text: readFileSync(logFile) } as const;
}

/** Searches everywhere for words of the erased. An account that was erased must not have been connected again. */
export async function findTraces(stage: Stage): Promise<Remains['traces']> {
  const accounts = new Map(stage.service.sandbox.control.accounts().map((account) => [account.id, account]));
  const flowOf = new Map<string, string>();
  for (const { flow, account, subject } of stage.erased) {
    const { handle, principal } = accounts.get(account) ?? {};
    for (const word of [account, principal, handle, subject]) if (word) flowOf.set(word, flow);
  }
  const traces: { flow: string; where: string }[] = [];
  const unproven = new Map<string, string>(Object.entries(CONTROLS));
  for await (const { kind, place, text } of listPlaces(stage)) {
    if (text.includes(CONTROLS[kind])) unproven.delete(kind);
    for (const [word, flow] of flowOf) if (text.includes(word)) traces.push({ flow, where: `${place} (${word})` });
  }
  if (unproven.size > 0) throw new Error(`The search does not even find ${[...unproven].join(' ')}.`);
  return traces;
}

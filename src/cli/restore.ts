import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { letGo } from '../api/let-go.ts';
import { receiptParts } from '../api/resolvers/sync-job.ts';
import { readConfig, type WorkerConfig } from '../config.ts';
import { ServiceError, StaleDatabaseError } from '../errors.ts';
import {
  type AdminTokenId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  type KeyId,
  newId,
  type ScopeId,
} from '../ids.ts';
import { type Journal, openJournal } from '../journal/directory.ts';
import type { JournalLine } from '../journal/files.ts';
import { readAfter } from '../journal/keep.ts';
import { providerFacts } from '../providers/catalog.ts';
import { findDisconnectable, listOfScope } from '../store/admin/bulk-disconnects.ts';
import { beginErasure } from '../store/admin/erasures.ts';
import { revokeAdminToken } from '../store/admin/tokens.ts';
import { purgeContent } from '../store/disconnects.ts';
import { buryGrant, findGrant } from '../store/grants.ts';
import { readJournalPosition, setJournalPosition } from '../store/journal.ts';
import { destroyKept } from '../store/kept-tokens.ts';
import { pendingMigrations } from '../store/migrate.ts';
import { insertDispatch } from '../store/outbox.ts';
import { findScope, lockScopeById } from '../store/scopes.ts';
import { revokeKey } from '../store/setup.ts';
import { type Database, inTransaction, openDatabase, type Transaction } from '../store/sql.ts';
import { createTemporalClient } from '../temporal.ts';
import { createMac } from '../vault/mac.ts';
import { disconnectDispatch } from '../workflows/contract.ts';
import { audited } from './audited.ts';
import { type CommandHead, readOptions } from './command.ts';

export const RESTORE: CommandHead = {
  usage: 'restore replay [--dry-run]',
  summary:
    'After a restore, before anything is served: let go and erase again what the journal of erasures tells of, and\n' +
    "      end the workflows that were begun since the backup. Needs the worker's environment, and that nothing else runs.",
  options: { 'dry-run': { type: 'boolean' } },
};

/** What a replay has found to do. */
export interface Replay {
  /** Lines of the journal that the database did not know. */
  readonly lines: number;
  /** Of these, what they were about was still there, and is gone or on its way now. */
  readonly undone: number;
  readonly workflowsEnded: number;
}

type LettingGo = Parameters<typeof letGo>[0];

/** Ends what is running, then does again what the journal tells of. Broken off, it goes on when run again. */
export async function replay(
  deps: LettingGo & { sql: Database; journal: Journal; temporal: Client; taskQueue: string },
  { dryRun }: { dryRun: boolean },
): Promise<Replay> {
  const { sql, journal } = deps;
  if ((await pendingMigrations(sql)).length > 0) {
    throw new ServiceError('BAD_USER_INPUT', 'The database has migrations pending: run `migrate` first.');
  }
  const position = await readJournalPosition(sql);
  const last = await journal.lastNumber();
  if (last < position) {
    throw new StaleDatabaseError(
      `The journal ends with line ${last}, and the database knows of ${position}: this is not its journal, or not all of it.`,
    );
  }
  const lines = await readAfter(journal, position, last);
  if (dryRun) return { lines: lines.length, undone: 0, workflowsEnded: 0 };
  const workflowsEnded = await endWorkflows(deps);
  let undone = 0;
  for (const line of subjectsLast(lines)) {
    await inTransaction(sql, async (tx) => {
      undone += (await undo[line.kind](deps, tx, line)) ? 1 : 0;
    });
  }
  await inTransaction(sql, (tx) => setJournalPosition(tx, last));
  return { lines: lines.length, undone, workflowsEnded };
}

/** A disconnect's receipts are found by whose it was: nobody is forgotten before. */
const subjectsLast = (lines: readonly JournalLine[]): readonly JournalLine[] => [
  ...lines.filter(({ kind }) => kind !== 'SUBJECT'),
  ...lines.filter(({ kind }) => kind === 'SUBJECT'),
];

/** By kind: does away with what a line is about. @returns false when it was not there any more. */
const undo: Readonly<
  Record<JournalLine['kind'], (deps: LettingGo, tx: Transaction, line: JournalLine) => Promise<boolean>>
> = {
  async CONNECTION(deps, tx, { id }) {
    const connection = await findDisconnectable(tx, id as ConnectionId);
    if (!connection) return false;
    const correlationId = newId<CorrelationId>();
    const disconnect = await letGo(deps, tx, connection, connection, correlationId);
    if (!disconnect?.started) return false; // Let go by the time of the backup: that goes on.
    await purgeContent(tx, connection.connectionId);
    // A workflow of this name has run and closed after the backup.
    await insertDispatch(tx, { ...disconnectDispatch({ ...connection, ...disconnect, correlationId }), restart: true });
    return true;
  },
  /** One on its way out is left to its revoke, which learns from the provider whether it has ended. */
  async GRANT(_deps, tx, { id }) {
    const grant = await findGrant(tx, id as GrantId);
    if (grant?.status !== 'LIVE' && grant?.status !== 'PENDING') return false;
    await buryGrant(tx, grant.grantId);
    return true;
  },
  KEPT_TOKENS: (_deps, tx, { id }) => destroyKept(tx, id as JobId),
  /** With a receipt anew: the one there was is gone. */
  async SUBJECT({ mac }, tx, { id }) {
    const scopeId = id as ScopeId;
    await lockScopeById(tx, scopeId);
    const scope = await findScope(tx, scopeId);
    if (!scope || scope.forgotten) return false;
    const parts = receiptParts(scope.appId, scope);
    const connectionIds = (await listOfScope(tx, scopeId)).map(({ connectionId }) => connectionId);
    const subject = { appId: scope.appId, scopeId, scopeMac: mac.of(...parts), scopeMacs: mac.allOf(...parts) };
    return (await beginErasure(tx, { ...subject, connectionIds })) !== undefined;
  },
  APP_KEY: (_deps, tx, { id }) => revokeKey(tx, id as KeyId),
  ADMIN_TOKEN: async (_deps, tx, { id }) => (await revokeAdminToken(tx, id as AdminTokenId)) !== undefined,
};

/** They may know of rows that are gone. What the rows that are left ask for, reconciliation starts anew. */
async function endWorkflows({ temporal, taskQueue }: { temporal: Client; taskQueue: string }): Promise<number> {
  const query = `TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running"`;
  let ended = 0;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    try {
      await temporal.workflow.getHandle(workflowId, runId).terminate('The database has been restored.');
      ended += 1;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error; // It has ended by itself.
    }
  }
  return ended;
}

/** Runs the command; it is in the audit log, refused or not. */
export async function runRestore(args: readonly string[]): Promise<void> {
  const config = readConfig('worker');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli' });
  const temporal = createTemporalClient(config);
  try {
    await audited(sql, 'restore replay', async () => {
      const { json, 'dry-run': dryRun = false } = readOptions(RESTORE, args);
      if (config.ERASURE_JOURNAL === undefined) {
        throw new ServiceError('BAD_USER_INPUT', 'ERASURE_JOURNAL is not set: there is no journal to replay.');
      }
      const deps = { ...lettingGo(config), sql, journal: openJournal(config.ERASURE_JOURNAL), temporal };
      const found = await replay({ ...deps, taskQueue: config.TASK_QUEUE }, { dryRun: dryRun === true });
      const { lines, undone, workflowsEnded } = found;
      process.stdout.write(
        json === true
          ? `${JSON.stringify(found)}\n`
          : `${lines} line(s) since the backup, ${undone} done again; ${workflowsEnded} workflow(s) ended\n`,
      );
      return { target: null, dryRun: dryRun === true };
    });
  } finally {
    await temporal.connection.close();
    await sql.end({ timeout: 5 });
  }
}

const lettingGo = (config: WorkerConfig): LettingGo => ({
  facts: providerFacts(config),
  mac: createMac(config.VAULT_MAC_KEYS),
  suspendSiblings: config.SUSPEND_SIBLINGS ?? config.DEPLOYMENT === 'production',
});

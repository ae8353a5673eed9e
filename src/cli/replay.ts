import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { disconnect } from '../domain/disconnecting/disconnect.ts';
import { identifySubject } from '../domain/disconnecting/start-subject-erasure.ts';
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
import type { JournalLine } from '../journal/files.ts';
import type { Journal } from '../journal/journal.ts';
import { readLinesAfter } from '../journal/keep.ts';
import { buildDisconnectDispatch } from '../outbox/dispatches.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import { findDisconnectable, listConnectionsOfScope } from '../store/admin/bulk-disconnects.ts';
import { insertErasure } from '../store/admin/erasures.ts';
import { revokeAdminToken } from '../store/admin/tokens.ts';
import { purgeContent } from '../store/disconnects.ts';
import {
  doubtTokens,
  findGrant,
  findGrantOfConnection,
  listGrantsWithTokens,
  moveGrantToDead,
} from '../store/grants.ts';
import { getJournalPosition, updateJournalPosition } from '../store/journal.ts';
import { discardKeptTokens } from '../store/kept-tokens.ts';
import { listPendingMigrations } from '../store/migrate.ts';
import { insertDispatch } from '../store/outbox.ts';
import { findScopeById, lockScopeById } from '../store/scopes.ts';
import { revokeKey } from '../store/setup.ts';
import { type Database, inTransaction, type Transaction } from '../store/sql.ts';

/** The result of a replay. */
export interface Replay {
  /** Lines of the journal that were missing in the database. */
  readonly lines: number;
  /** How many of these lines the replay repeated, because the restored database still had the data. */
  readonly repeated: number;
  readonly workflowsEnded: number;
}

export type DisconnectDeps = Parameters<typeof disconnect>[0];

type ReplayDeps = DisconnectDeps & {
  /** The line of the journal that says that a grant has ended. */
  readonly endOf: ReadonlyMap<string, number>;
};

/** Grants that one statement changes. */
const GRANTS = 1_000;

/** Ends all running workflows, then repeats the erasures in the journal. An interrupted replay continues when run again. */
export async function replay(
  deps: DisconnectDeps & { sql: Database; journal: Journal; temporal: Client; taskQueue: string },
  { dryRun }: { dryRun: boolean },
): Promise<Replay> {
  const { sql, journal } = deps;
  if ((await listPendingMigrations(sql)).length > 0) {
    throw new ServiceError('BAD_USER_INPUT', 'The database has migrations pending: run `migrate` first.');
  }
  const position = await getJournalPosition(sql);
  const last = await journal.lastNumber();
  if (last < position) {
    throw new StaleDatabaseError(
      `The journal ends with line ${last}, but the database knows line ${position}: the journal is incomplete or belongs to another database.`,
    );
  }
  const lines = await readLinesAfter(journal, position, last);
  if (dryRun) return { lines: lines.length, repeated: 0, workflowsEnded: 0 };
  const workflowsEnded = await endWorkflows(deps);
  const endOf = new Map(lines.flatMap(({ kind, id, number }) => (kind === 'GRANT' ? [[id, number]] : [])));
  await doubtSpentTokens(deps, endOf);
  let repeated = 0;
  for (const line of inOrder(lines)) {
    await inTransaction(sql, async (tx) => {
      repeated += (await repeatErasure[line.kind]({ ...deps, endOf }, tx, line)) ? 1 : 0;
    });
  }
  await inTransaction(sql, (tx) => updateJournalPosition(tx, last));
  return { lines: lines.length, repeated, workflowsEnded };
}

/**
 * Puts connections first: their grants may have been replaced after the backup, and only the backup's tokens can still revoke
 * them. Puts subjects last: the receipts of a disconnect are found by its subject.
 */
const inOrder = (lines: readonly JournalLine[]): readonly JournalLine[] =>
  lines.toSorted((one, other) => (PLACES[one.kind] ?? 0) - (PLACES[other.kind] ?? 0));
const PLACES: Readonly<Partial<Record<JournalLine['kind'], number>>> = { CONNECTION: -1, SUBJECT: 1 };

/**
 * Where each refresh spends its refresh token, the backup may have spent ones: a refusal of them is no proof that the grant
 * has ended. Leaves out grants whose end is in the journal.
 */
async function doubtSpentTokens(
  { sql, facts }: DisconnectDeps & { sql: Database },
  endOf: ReplayDeps['endOf'],
): Promise<void> {
  const rotating = PROVIDER_NAMES.filter((provider) => facts[provider].rotatesRefreshTokens);
  let after: GrantId | null = null;
  do {
    const page: GrantId[] = await listGrantsWithTokens(sql, rotating, { after, limit: GRANTS });
    await doubtTokens(
      sql,
      page.filter((grantId) => !endOf.has(grantId)),
    );
    after = page.at(-1) ?? null;
  } while (after !== null);
}

/** Repeats the erasure of a line, by kind. @returns false if nothing was left to erase. */
const repeatErasure: Readonly<
  Record<JournalLine['kind'], (deps: ReplayDeps, tx: Transaction, line: JournalLine) => Promise<boolean>>
> = {
  async CONNECTION(deps, tx, { id, number }) {
    const connection = await findDisconnectable(tx, id as ConnectionId);
    if (!connection) return false;
    const correlationId = newId<CorrelationId>();
    const result = await disconnect(deps, tx, connection, connection, correlationId, { lane: 'BULK' });
    if (!result?.started) return false; // The backup already contains the disconnect, which continues.
    // A grant that ended before the disconnect had been replaced by one that the backup does not have.
    const grant = await findGrantOfConnection(tx, connection.connectionId);
    if (grant && (deps.endOf.get(grant.grantId) ?? number) < number) await doubtTokens(tx, [grant.grantId]);
    await purgeContent(tx, connection.connectionId);
    // A workflow with this id ran and closed after the backup.
    await insertDispatch(tx, {
      ...buildDisconnectDispatch({ ...connection, ...result, correlationId, lane: 'BULK' }),
      restart: true,
    });
    return true;
  },
  /**
   * Skips a grant with an open revoke: the revoke learns from the provider whether the grant has ended. A reconnect after the
   * backup may have replaced any other.
   */
  async GRANT(_deps, tx, { id }) {
    const grant = await findGrant(tx, id as GrantId);
    if (grant?.status !== 'LIVE' && grant?.status !== 'PENDING') return false;
    await moveGrantToDead(tx, grant.grantId, { inDoubt: true });
    return true;
  },
  KEPT_TOKENS: (_deps, tx, { id }) => discardKeptTokens(tx, id as JobId),
  /** Creates a new receipt: the restore lost the old one. */
  async SUBJECT({ mac }, tx, { id }) {
    const scopeId = id as ScopeId;
    await lockScopeById(tx, scopeId);
    const scope = await findScopeById(tx, scopeId);
    if (!scope || scope.forgotten) return false;
    const connectionIds = (await listConnectionsOfScope(tx, scopeId)).map(({ connectionId }) => connectionId);
    const subject = identifySubject(mac, scope.appId, scopeId, scope);
    return (await insertErasure(tx, { ...subject, connectionIds })) !== undefined;
  },
  APP_KEY: (_deps, tx, { id }) => revokeKey(tx, id as KeyId),
  ADMIN_TOKEN: async (_deps, tx, { id }) => (await revokeAdminToken(tx, id as AdminTokenId)) !== undefined,
};

/** Ends all workflows: they may name rows that are gone. Reconciliation restarts the workflows that the remaining rows need. */
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

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { PROVIDER_NAMES } from '../basics/codes.ts';
import { ServiceError, StaleDatabaseError } from '../basics/errors.ts';
import type { ConnectionId, GrantId } from '../basics/ids.ts';
import type { DisconnectRules } from '../domain/disconnecting/disconnect.ts';
import { findEnds, inOrderOfRepetition, repeatErasure } from '../domain/disconnecting/repeat-erasure.ts';
import type { Journal } from '../journal/journal.ts';
import { readLinesAfter } from '../journal/keep.ts';
import { type Database, inTransaction } from '../store/driver/sql.ts';
import { listGrantsWithTokens } from '../store/grants/grants.ts';
import { doubtTokens } from '../store/grants/refresh-claims.ts';
import { getJournalPosition, updateJournalPosition } from '../store/journal.ts';
import { listPendingMigrations } from '../store/migrate.ts';
import type { Recall } from '../temporal/recall.ts';

/** The result of a replay. */
export interface Replay {
  /** Lines of the journal that were missing in the database. */
  readonly lines: number;
  /** How many of these lines the replay repeated, because the restored database still had the data. */
  readonly repeated: number;
  /** In a dry run, how many it would end. */
  readonly workflowsEnded: number;
}

export type DisconnectDeps = DisconnectRules;

/** Grants that one statement changes. */
const GRANTS = 1_000;

type ReplayDeps = DisconnectDeps & {
  readonly sql: Database;
  readonly journal: Journal;
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly recall: Pick<Recall, 'findDisconnect'>;
};

/**
 * Ends all running workflows, then repeats the erasures in the journal. Disconnects keep the receipts that their callers have, if Temporal
 * knows them. An interrupted replay continues when run again.
 */
export async function replay(deps: ReplayDeps, { dryRun }: { dryRun: boolean }): Promise<Replay> {
  const { sql, journal, recall } = deps;
  if ((await listPendingMigrations(sql)).length > 0) {
    throw new ServiceError('BAD_USER_INPUT', 'The database has migrations pending: run `migrate` first.');
  }
  const position = await getJournalPosition(sql);
  const last = await journal.lastNumber(position);
  if (last < position) {
    throw new StaleDatabaseError(
      `The journal ends with line ${last}, but the database knows line ${position}: the journal is incomplete or belongs to another database.`,
    );
  }
  const lines = await readLinesAfter(journal, position);
  if (dryRun) return { lines: lines.length, repeated: 0, workflowsEnded: await countWorkflows(deps) };
  const workflowsEnded = await endWorkflows(deps);
  const endOf = findEnds(lines);
  await doubtSpentTokens(deps, endOf);
  let repeated = 0;
  for (const line of inOrderOfRepetition(lines)) {
    const lost = line.kind === 'CONNECTION' ? await recall.findDisconnect(line.id as ConnectionId) : undefined;
    await inTransaction(sql, async (tx) => {
      repeated += (await repeatErasure({ ...deps, endOf, findLost: () => lost }, tx, line)) ? 1 : 0;
    });
  }
  await inTransaction(sql, (tx) => updateJournalPosition(tx, position + lines.length));
  return { lines: lines.length, repeated, workflowsEnded };
}

/**
 * Where each refresh spends its refresh token, the backup may have spent ones: a refusal of them is no proof that the grant
 * has ended. Leaves out grants whose end is in the journal.
 */
async function doubtSpentTokens(
  { sql, facts }: DisconnectDeps & { sql: Database },
  endOf: ReadonlyMap<string, number>,
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

const running = (taskQueue: string) => `TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running"`;

async function countWorkflows({ temporal, taskQueue }: { temporal: Client; taskQueue: string }): Promise<number> {
  return (await temporal.workflow.count(running(taskQueue))).count;
}

/** Ends all workflows: they may name rows that are gone. Reconciliation restarts the workflows that the remaining rows need. */
async function endWorkflows({ temporal, taskQueue }: { temporal: Client; taskQueue: string }): Promise<number> {
  const query = running(taskQueue);
  let ended = 0;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    try {
      await temporal.workflow.getHandle(workflowId, runId).terminate('The database has been restored.');
      ended += 1;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error; // It has already ended.
    }
  }
  return ended;
}

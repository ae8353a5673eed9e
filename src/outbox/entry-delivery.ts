import { type Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import { ForeignQueueError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import type { Database } from '../store/driver/sql.ts';
import { deleteDispatches, type OutboxEntry, postponeDispatch, postponeRefusedDispatch } from '../store/outbox.ts';
import { resumeStoredTrace, runInSpan, SpanKind } from '../telemetry/tracing.ts';
import { batchCalls } from '../temporal/batch-calls.ts';
import { startWorkflow } from '../temporal/start-workflow.ts';
import { createQueueCheck } from './queue-owner.ts';

const DEADLINE_MS = 5_000;
/**
 * While Temporal does not answer, a process tries one entry this often. No entry waits longer for its next
 * try, so that all are delivered as soon as it answers.
 */
export const PROBE_SECONDS = 5;
/** The longest pause for an entry that failed for another reason. */
const LONGEST_POSTPONE_SECONDS = 60;
/** The longest pause for an entry that Temporal refuses: only a new version of ours, or a setting of Temporal, helps. */
const LONGEST_REFUSAL_SECONDS = 15 * 60;

/** The outcome of an entry. An undelivered one is tried again after `seconds`. */
export type Outcome =
  | {
      readonly type: 'DELIVERED';
      /** Whether another entry of its workflow may wait for this one. */
      readonly isFollowed?: boolean;
    }
  /** Temporal answers, and does not accept the entry. */
  | { readonly type: 'REFUSED' }
  /** Temporal answers with a failure of its own, or not at all. */
  | { readonly type: 'FAILED' | 'UNANSWERED'; readonly seconds: number };

interface Deps {
  readonly sql: Database;
  readonly client: Client;
  readonly taskQueue: string;
  readonly log: Log;
}

/** Creates the delivery of one entry, which it deletes from the outbox, or puts back. */
export function createEntryDelivery({ sql, client, taskQueue, log }: Deps): (entry: OutboxEntry) => Promise<Outcome> {
  /** Deletes delivered entries in batches: one statement for all that are ready. */
  const remove = batchCalls((outboxIds: readonly string[]) => deleteDispatches(sql, outboxIds));

  const start = (entry: OutboxEntry) =>
    client.withDeadline(Date.now() + DEADLINE_MS, () => startWorkflow(client, taskQueue, entry));

  async function postpone({ outboxId, workflowId, tries }: OutboxEntry, error: unknown): Promise<Outcome> {
    const code = codeOf(error);
    if (error instanceof ForeignQueueError) log.error('Work not delivered', { reasons: [error.message] });
    else log.warn('Workflow not started yet', { error, workflowId, tries });
    const type = SILENCE.includes(code) ? 'UNANSWERED' : 'FAILED';
    const most = type === 'UNANSWERED' ? PROBE_SECONDS : LONGEST_POSTPONE_SECONDS;
    const seconds = Math.min(most, 2 ** tries);
    await postponeDispatch(sql, outboxId, seconds, code);
    return { type, seconds };
  }

  async function postponeRefused(entry: OutboxEntry, error: unknown): Promise<Outcome> {
    const { outboxId, workflowId, workflowType, refusals } = entry;
    const code = codeOf(error);
    // Logged once: the outbox retries it without end, and a gauge shows it.
    if (refusals === 0) log.error('Temporal refuses to start a workflow', { error, workflowId, workflowType, code });
    const seconds = Math.min(LONGEST_REFUSAL_SECONDS, 2 ** (refusals + 1));
    await postponeRefusedDispatch(sql, outboxId, seconds, code);
    return { type: 'REFUSED' };
  }

  const findForeign = createQueueCheck({ sql, client, taskQueue });

  return async (entry) => {
    try {
      const foreign = await findForeign();
      if (foreign !== undefined) throw foreign;
      await resumeStoredTrace(entry, () => runInSpan('outbox delivery', spanOf(entry), () => start(entry)));
    } catch (error) {
      return isRefusal(codeOf(error)) ? await postponeRefused(entry, error) : await postpone(entry, error);
    }
    return { type: 'DELIVERED', isFollowed: await remove(entry.outboxId) };
  };
}

/** gRPC codes of a faulty request: no sender and no retry can succeed with it. */
const REFUSALS: Readonly<Record<number, string>> = { 3: 'INVALID_ARGUMENT', 11: 'OUT_OF_RANGE', 12: 'UNIMPLEMENTED' };
const CODES: Readonly<Record<number, string>> = {
  ...REFUSALS,
  1: 'CANCELLED',
  4: 'DEADLINE_EXCEEDED',
  5: 'NOT_FOUND',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
};
/** Codes of a Temporal that cannot be reached or does not answer, or that must not have work of this database. */
const SILENCE = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'FOREIGN_QUEUE'];
/** An error before anything was sent: the entry makes no valid request. */
const UNSENDABLE = 'UNSENDABLE';

/** The closed code of a failed delivery. */
function codeOf(error: unknown): string {
  if (error instanceof ForeignQueueError) return 'FOREIGN_QUEUE';
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return CODES[cause.code] ?? 'UNKNOWN';
  return error instanceof TypeError || error instanceof RangeError ? UNSENDABLE : 'UNKNOWN';
}

const isRefusal = (code: string): boolean => code === UNSENDABLE || Object.values(REFUSALS).includes(code);

const spanOf = ({ workflowType, workflowId, tries }: OutboxEntry) => ({
  kind: SpanKind.PRODUCER,
  attributes: { 'temporal.workflow.type': workflowType, 'temporal.workflow.id': workflowId, 'outbox.tries': tries },
});

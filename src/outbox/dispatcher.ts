import type { Client } from '@temporalio/client';
import type { Log } from '../log.ts';
import { deleteDispatches, type OutboxEntry, postponeDispatch, takeDispatches } from '../store/outbox.ts';
import type { Database } from '../store/sql.ts';
import { inSpan, resumeStored, SpanKind } from '../telemetry/tracing.ts';
import { startWorkflow } from './start-workflow.ts';

/** Delivers what the outbox holds. Delivery follows a commit at once; what a crash or outage leaves, the sweep takes. */
export interface Dispatcher {
  /** Something was committed to the outbox: deliver soon, without holding the caller. */
  nudge(): void;
  /** Delivers all that is due. @returns how many were delivered, and how many could not be. */
  deliverDue(): Promise<{ delivered: number; failed: number }>;
  /** Ends after the delivery in progress. */
  close(): Promise<void>;
}

/** Delivered side by side: an operator's push of hundreds is with Temporal as fast as that takes them. */
const BATCH = 100;
/** A crash in the middle of a delivery gives its entries back after this long. */
const LEASE_SECONDS = 15;
const DEADLINE_MS = 5_000;
const LONGEST_WAIT_MS = 30_000;

export function createDispatcher(deps: { sql: Database; client: Client; taskQueue: string; log: Log }): Dispatcher {
  const { sql, client, taskQueue, log } = deps;
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;

  const start = (entry: OutboxEntry) =>
    client.withDeadline(Date.now() + DEADLINE_MS, () => startWorkflow(client, taskQueue, entry));

  async function deliver(entry: OutboxEntry): Promise<boolean> {
    try {
      await resumeStored(entry, () => inSpan('outbox delivery', spanOf(entry), () => start(entry)));
      return true;
    } catch (error) {
      const waitSeconds = Math.min(60, 2 ** Math.min(entry.tries, 6));
      log.warn('Workflow not started yet', { error, workflowId: entry.workflowId, tries: entry.tries });
      await postponeDispatch(sql, entry.outboxId, waitSeconds);
      return false;
    }
  }

  async function deliverDue(): Promise<{ delivered: number; failed: number }> {
    let delivered = 0;
    for (;;) {
      const entries = await takeDispatches(sql, { limit: BATCH, leaseSeconds: LEASE_SECONDS });
      const deliveries = entries.map(deliver);
      await Promise.allSettled(deliveries); // All of them: none goes on behind the back of whoever closes the connection.
      const outcomes = await Promise.all(deliveries);
      const done = entries.filter((_, index) => outcomes[index]);
      await deleteDispatches(
        sql,
        done.map(({ outboxId }) => outboxId),
      );
      const failed = entries.length - done.length;
      delivered += done.length;
      // With Temporal down every further batch would fail too; with nothing left there is none.
      if (failed > 0 || entries.length === 0) return { delivered, failed };
    }
  }

  async function drain(): Promise<void> {
    do {
      again = false;
      try {
        const { failed } = await deliverDue();
        failures = failed > 0 ? failures + 1 : 0;
      } catch (error) {
        failures += 1;
        log.warn('Outbox not readable', { error });
      }
    } while (again && !closed);
    running = undefined;
    if (failures > 0 && !closed) {
      // This process remembers that something waits; the sweep is for those that no longer can.
      retry = setTimeout(nudge, Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** Math.min(failures, 5)));
      retry.unref();
    }
  }

  function nudge(): void {
    if (closed) return;
    clearTimeout(retry);
    if (running !== undefined) again = true;
    else running = drain();
  }

  return {
    nudge,
    deliverDue,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await running;
    },
  };
}

const spanOf = ({ workflowType, workflowId, tries }: OutboxEntry) => ({
  kind: SpanKind.PRODUCER,
  attributes: { 'temporal.workflow.type': workflowType, 'temporal.workflow.id': workflowId, 'outbox.tries': tries },
});

import { setTimeout as delay } from 'node:timers/promises';
import { type Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Log } from '../log.ts';
import {
  deleteDispatches,
  type OutboxEntry,
  postponeDispatch,
  postponeRefusedDispatch,
  takeDispatches,
} from '../store/outbox.ts';
import type { Database } from '../store/sql.ts';
import { resumeStoredTrace, runInSpan, SpanKind } from '../telemetry/tracing.ts';
import { batchCalls } from './batch-calls.ts';
import { startWorkflow } from './start-workflow.ts';

/** How many entries were delivered, and how many could not be. */
export interface Delivery {
  readonly delivered: number;
  readonly failed: number;
}

/** Delivers what the outbox holds. Delivery follows a commit at once; what a crash or outage leaves, the sweep takes. */
export interface Dispatcher {
  /** Something was committed to the outbox: deliver soon, without holding the caller. */
  deliverSoon(): void;
  /** Delivers all that is due, until `signal` says that it is enough. */
  deliverDue(options?: { signal?: AbortSignal }): Promise<Delivery>;
  /** Ends after the deliveries in progress. */
  close(): Promise<void>;
}

interface Lane {
  /** Of entries that were refused before, which must not hold up the others. */
  readonly refused: boolean;
  /** Delivered side by side: an operator's push of hundreds is with Temporal as fast as that takes them. */
  readonly atOnce: number;
}
const LANES = [
  { refused: false, atOnce: 100 },
  { refused: true, atOnce: 10 },
] as const satisfies readonly Lane[];
/** New ones are looked for this often while others are being delivered. */
const LOOK_EVERY_MS = 50;
/** A crash in the middle of a delivery gives its entries back after this long. */
const LEASE_SECONDS = 15;
const DEADLINE_MS = 5_000;
const LONGEST_WAIT_MS = 30_000;
/** So many failures without one success, and Temporal is away: further entries would fail too. */
const AWAY = 5;
/** Between tries of an entry while Temporal is away: it comes back for all at once. */
const LONGEST_POSTPONE_SECONDS = 60;
/** Of one that Temporal refuses as it is: only another version of ours, or a setting of Temporal's, changes that. */
const LONGEST_REFUSAL_SECONDS = 15 * 60;

export function createDispatcher(deps: { sql: Database; client: Client; taskQueue: string; log: Log }): Dispatcher {
  const { sql, client, taskQueue, log } = deps;
  /** Entries go as soon as they are delivered, as many as are by then in one statement. */
  const remove = batchCalls<string>((outboxIds) => deleteDispatches(sql, outboxIds));
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;

  const start = (entry: OutboxEntry) =>
    client.withDeadline(Date.now() + DEADLINE_MS, () => startWorkflow(client, taskQueue, entry));

  async function deliver(entry: OutboxEntry): Promise<'delivered' | 'refused' | 'away'> {
    try {
      await resumeStoredTrace(entry, () => runInSpan('outbox delivery', spanOf(entry), () => start(entry)));
    } catch (error) {
      return await putBack(entry, error);
    }
    await remove(entry.outboxId);
    return 'delivered';
  }

  async function putBack(entry: OutboxEntry, error: unknown): Promise<'refused' | 'away'> {
    const { outboxId, workflowId, workflowType, tries, refusals } = entry;
    const code = codeOf(error);
    if (!isRefusal(code)) {
      log.warn('Workflow not started yet', { error, workflowId, tries });
      await postponeDispatch(sql, outboxId, Math.min(LONGEST_POSTPONE_SECONDS, 2 ** Math.min(tries, 6)), code);
      return 'away';
    }
    // Once: it is tried again for ever, and a gauge says that it is there.
    if (refusals === 0) log.error('Temporal refuses to start a workflow', { error, workflowId, workflowType, code });
    await postponeRefusedDispatch(
      sql,
      outboxId,
      Math.min(LONGEST_REFUSAL_SECONDS, 2 ** Math.min(refusals + 1, 10)),
      code,
    );
    return 'refused';
  }

  /** Delivers those that were refused before, or the others, and takes new ones while some are being delivered. */
  async function deliverLane({ refused, atOnce }: Lane, signal: AbortSignal | undefined): Promise<Delivery> {
    const counts = { delivered: 0, refused: 0, away: 0 };
    let awayInARow = 0;
    const broken: unknown[] = [];
    const busy = new Set<Promise<void>>();
    const begin = (entry: OutboxEntry) => {
      const delivery = deliver(entry)
        .then((outcome) => {
          counts[outcome] += 1;
          awayInARow = outcome === 'away' ? awayInARow + 1 : 0;
        })
        .catch((error: unknown) => broken.push(error))
        .then(() => void busy.delete(delivery));
      busy.add(delivery);
    };
    const take = async (): Promise<number> => {
      const limit = atOnce - busy.size;
      const entries = limit > 0 ? await takeDispatches(sql, { limit, leaseSeconds: LEASE_SECONDS, refused }) : [];
      entries.forEach(begin);
      return entries.length;
    };
    const isEnough = () => closed || signal?.aborted || broken.length > 0 || awayInARow >= AWAY;
    let isEmpty = false;
    while (!isEmpty && !isEnough()) {
      const taken = await take().catch((error: unknown) => broken.push(error));
      isEmpty = taken === 0 && busy.size === 0;
      await aWhile(busy, LOOK_EVERY_MS);
    }
    await Promise.all(busy); // All of them: none goes on behind the back of whoever closes the connection.
    if (broken.length > 0) throw broken[0];
    return { delivered: counts.delivered, failed: counts.refused + counts.away };
  }

  async function deliverDue({ signal }: { signal?: AbortSignal } = {}): Promise<Delivery> {
    const lanes = LANES.map((lane) => deliverLane(lane, signal));
    await Promise.allSettled(lanes);
    const sum = { delivered: 0, failed: 0 };
    for (const { delivered, failed } of await Promise.all(lanes)) {
      sum.delivered += delivered;
      sum.failed += failed;
    }
    return sum;
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
      retry = setTimeout(deliverSoon, Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** Math.min(failures, 5)));
      retry.unref();
    }
  }

  function deliverSoon(): void {
    if (closed) return;
    clearTimeout(retry);
    if (running !== undefined) again = true;
    else running = drain();
  }

  return {
    deliverSoon,
    deliverDue,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await running;
    },
  };
}

/** Until all are done, or that long. */
async function aWhile(busy: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  if (busy.size === 0) return;
  const over = new AbortController();
  const pause = delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.all(busy), pause]);
  over.abort();
}

/** gRPC's names of what is about the request itself, whoever sends it whenever. */
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
/** Thrown before anything was sent: this entry cannot be made a request of. */
const UNSENDABLE = 'UNSENDABLE';

/** Why a delivery failed, as a closed code. */
function codeOf(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return CODES[cause.code] ?? 'UNKNOWN';
  return error instanceof TypeError || error instanceof RangeError ? UNSENDABLE : 'UNKNOWN';
}

const isRefusal = (code: string): boolean => code === UNSENDABLE || Object.values(REFUSALS).includes(code);

const spanOf = ({ workflowType, workflowId, tries }: OutboxEntry) => ({
  kind: SpanKind.PRODUCER,
  attributes: { 'temporal.workflow.type': workflowType, 'temporal.workflow.id': workflowId, 'outbox.tries': tries },
});

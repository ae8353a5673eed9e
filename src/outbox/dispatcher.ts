import { type Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Log } from '../basics/log.ts';
import type { Database } from '../store/driver/sql.ts';
import {
  deleteDispatches,
  type Lane,
  type LastTurns,
  type OutboxEntry,
  postponeDispatch,
  postponeRefusedDispatch,
  takeDispatches,
} from '../store/outbox.ts';
import { resumeStoredTrace, runInSpan, SpanKind } from '../telemetry/tracing.ts';
import { batchCalls } from '../temporal/batch-calls.ts';
import { startWorkflow } from '../temporal/start-workflow.ts';

/** How many entries were delivered, and how many failed. */
export interface Delivery {
  readonly delivered: number;
  readonly failed: number;
}

/** Delivers the outbox's entries: right after a commit, or by the sweep after a crash or outage. */
export interface Dispatcher {
  /** Delivers entries that were just committed, without holding the caller. Leaves those that Temporal refused to the sweep. */
  deliverSoon(): void;
  /** Delivers all due entries, until `signal` aborts. */
  deliverDue(options?: { signal?: AbortSignal }): Promise<Delivery>;
  /** Stops after the deliveries in progress. */
  close(): Promise<void>;
}

/**
 * How many entries of each lane it delivers side by side. No lane waits for another. An operator's retry of hundreds runs as
 * fast as Temporal accepts it; bulk work leaves Temporal's time to the others.
 */
const AT_ONCE: Readonly<Record<Lane, number>> = { PERSON: 100, REQUEST: 100, BULK: 10, REFUSED: 10 };
/** A commit adds no refused entry, so it costs no look for them: the sweep retries those. */
const NEW_ENTRIES = ['PERSON', 'REQUEST', 'BULK'] as const;
const ALL_ENTRIES = [...NEW_ENTRIES, 'REFUSED'] as const;
/** How often it looks for new entries while it delivers others. */
const LOOK_EVERY_MS = 50;
/** The least time between two looks for entries that this process committed, so that a burst makes few statements. */
const LOOK_AGAIN_MS = 10;
/** After a crash during a delivery, another process may take the entries after this time. */
const LEASE_SECONDS = 15;
const DEADLINE_MS = 5_000;
/** So many failures in a row mean that Temporal is down: further entries would fail too. */
const AWAY = 5;
/**
 * While Temporal does not answer, a process tries one entry this often, whatever waits. No entry waits longer for its next
 * try, so that all are delivered as soon as it answers.
 */
const PROBE_SECONDS = 5;
/** The longest pause for an entry that failed for another reason. */
const LONGEST_POSTPONE_SECONDS = 60;
/** Added to a wait for the database's clock. */
const CLOCK_SLACK_MS = 20;
/** The longest pause for an entry that Temporal refuses: only a new version of ours, or a setting of Temporal, helps. */
const LONGEST_REFUSAL_SECONDS = 15 * 60;

export function createDispatcher(deps: { sql: Database; client: Client; taskQueue: string; log: Log }): Dispatcher {
  const { sql, client, taskQueue, log } = deps;
  /** Deletes delivered entries in batches: one statement for all that are ready. */
  const remove = batchCalls<string>((outboxIds) => deleteDispatches(sql, outboxIds));
  let running: Promise<void> | undefined;
  let again = false;
  /** Counts the calls of `deliverSoon`: a lane that sees a new one looks for its entries. */
  let calls = 0;
  let closed = false;
  let failures = 0;
  let turns: LastTurns = {};
  /** Temporal does not answer: one entry at a time finds out when it does. */
  let isSilent = false;
  /** When the entries that this process has postponed are due. */
  let postponedUntilMs = 0;
  let retry: NodeJS.Timeout | undefined;

  const start = (entry: OutboxEntry) =>
    client.withDeadline(Date.now() + DEADLINE_MS, () => startWorkflow(client, taskQueue, entry));

  async function deliver(entry: OutboxEntry): Promise<'delivered' | 'refused' | 'away' | 'silent'> {
    try {
      await resumeStoredTrace(entry, () => runInSpan('outbox delivery', spanOf(entry), () => start(entry)));
    } catch (error) {
      return await putBack(entry, error);
    }
    await remove(entry.outboxId);
    return 'delivered';
  }

  async function putBack(entry: OutboxEntry, error: unknown): Promise<'refused' | 'away' | 'silent'> {
    const { outboxId, workflowId, workflowType, tries, refusals } = entry;
    const code = codeOf(error);
    if (!isRefusal(code)) {
      log.warn('Workflow not started yet', { error, workflowId, tries });
      const silent = SILENCE.includes(code);
      const seconds = Math.min(silent ? PROBE_SECONDS : LONGEST_POSTPONE_SECONDS, 2 ** Math.min(tries, 6));
      await postponeDispatch(sql, outboxId, seconds, code);
      postponedUntilMs = Math.max(postponedUntilMs, Date.now() + seconds * 1_000 + CLOCK_SLACK_MS);
      return silent ? 'silent' : 'away';
    }
    // Logged once: the outbox retries it without end, and a gauge shows it.
    if (refusals === 0) log.error('Temporal refuses to start a workflow', { error, workflowId, workflowType, code });
    await postponeRefusedDispatch(
      sql,
      outboxId,
      Math.min(LONGEST_REFUSAL_SECONDS, 2 ** Math.min(refusals + 1, 10)),
      code,
    );
    return 'refused';
  }

  /** Delivers the entries of these lanes, and takes new ones while deliveries are in progress. */
  async function deliverLanes(lanes: readonly Lane[], signal?: AbortSignal): Promise<Delivery> {
    const counts = { delivered: 0, refused: 0, away: 0, silent: 0 };
    let awayInARow = 0;
    const broken: unknown[] = [];
    const busy = new Set<Promise<void>>();
    const places = lanes.map((lane) => ({ lane, busy: 0 }));
    let wake = () => {};
    /** Waits until no delivery is in progress, at most `ms`. */
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        if (busy.size === 0) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const begin = (entry: OutboxEntry) => {
      const place = places.find(({ lane }) => lane === entry.lane);
      if (place) place.busy += 1;
      const delivery = deliver(entry)
        .then((outcome) => {
          counts[outcome] += 1;
          const answers = outcome === 'delivered' || outcome === 'refused';
          awayInARow = answers ? 0 : awayInARow + 1;
          if (answers) isSilent = false;
          else if (outcome === 'silent' && awayInARow >= AWAY) isSilent = true;
        })
        .catch((error: unknown) => broken.push(error))
        .then(() => {
          busy.delete(delivery);
          if (place) place.busy -= 1;
          if (busy.size === 0) wake();
        });
      busy.add(delivery);
    };
    const take = async (): Promise<number> => {
      if (isSilent && busy.size > 0) return 0;
      const taken = await takeDispatches(sql, {
        places: places.map(({ lane, busy }) => ({ lane, limit: AT_ONCE[lane] - busy })),
        leaseSeconds: LEASE_SECONDS,
        turns,
        ...(isSilent && { limit: 1 }),
      });
      turns = taken.turns;
      taken.entries.forEach(begin);
      return taken.entries.length + taken.passedOver;
    };
    const isEnough = () => closed || signal?.aborted || broken.length > 0 || awayInARow >= (isSilent ? 1 : AWAY);
    let isEmpty = false;
    while (!isEmpty && !isEnough()) {
      const [seen, lookedAtMs] = [calls, performance.now()];
      const isIdle = busy.size === 0; // If it is not, entries may wait for an earlier one of their workflow to end.
      const taken = await take().catch((error: unknown) => broken.push(error));
      isEmpty = taken === 0 && isIdle;
      const full = places.filter(({ lane, busy }) => busy >= AT_ONCE[lane]);
      const hasRoom = () => full.some(({ lane, busy }) => busy < AT_ONCE[lane]);
      const hasTime = () => performance.now() - lookedAtMs < LOOK_EVERY_MS;
      do await pause(LOOK_AGAIN_MS);
      while (busy.size > 0 && !hasRoom() && calls === seen && hasTime());
    }
    await Promise.all(busy); // All of them: none may run on after the connection is closed.
    if (broken.length > 0) throw broken[0];
    return { delivered: counts.delivered, failed: counts.refused + counts.away + counts.silent };
  }

  const deliverDue = ({ signal }: { signal?: AbortSignal } = {}): Promise<Delivery> =>
    deliverLanes(ALL_ENTRIES, signal);

  async function drain(): Promise<void> {
    do {
      again = false;
      try {
        const { failed } = await deliverLanes(NEW_ENTRIES);
        failures = failed > 0 ? failures + 1 : 0;
      } catch (error) {
        failures += 1;
        log.warn('Outbox not readable', { error });
      }
    } while (again && !closed && !isSilent);
    running = undefined;
    // This process retries by itself; the sweep delivers the entries of crashed processes.
    const waitMs = failures > 0 ? 1_000 * Math.min(PROBE_SECONDS, 2 ** failures) : postponedUntilMs - Date.now();
    if (waitMs <= 0 || closed) return;
    retry = setTimeout(begin, waitMs);
    retry.unref();
  }

  function begin(): void {
    clearTimeout(retry);
    retry = undefined;
    if (running !== undefined) again = true;
    else running = drain();
  }

  function deliverSoon(): void {
    if (closed) return;
    calls += 1;
    // However many entries are committed meanwhile, the next probe shows whether Temporal answers.
    if (!isSilent || retry === undefined) begin();
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
/** Codes of a Temporal that cannot be reached or does not answer. */
const SILENCE = ['UNAVAILABLE', 'DEADLINE_EXCEEDED'];
/** An error before anything was sent: the entry makes no valid request. */
const UNSENDABLE = 'UNSENDABLE';

/** The closed code of a failed delivery. */
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

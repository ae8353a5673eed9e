import { GRANTED_CONNECTION, LIVE_CONNECTION, OPEN_JOB, UNFINISHED_ATTEMPT } from '../basics/codes.ts';

/**
 * Every transition of every status: the target, and the statuses it can follow. Store functions take their `from` here,
 * so that no other transition can be written. A list of its own: nothing else knows the transitions.
 */
export const TRANSITIONS = {
  attempt: {
    AUTHORIZING: ['CREATED'],
    EXCHANGING: ['AUTHORIZING'],
    COMPLETED: ['EXCHANGING'],
    DENIED: ['AUTHORIZING'],
    FAILED: UNFINISHED_ATTEMPT,
    EXPIRED: UNFINISHED_ATTEMPT,
    CANCELED: UNFINISHED_ATTEMPT,
  },
  connection: {
    CONNECTED: LIVE_CONNECTION,
    SUSPENDED: ['CONNECTED'],
    RECONNECT_REQUIRED: GRANTED_CONNECTION,
    DISCONNECTED: LIVE_CONNECTION,
    DELETING: ['DISCONNECTED'],
  },
  /** The stored statuses; STALE is READY or PARTIAL, computed on read. */
  sync: {
    /** A reconnect starts a scan: the failure of the last one is over. */
    PENDING: ['FAILED'],
    RUNNING: ['PENDING', 'RUNNING', 'READY', 'PARTIAL', 'FAILED'],
    READY: ['RUNNING'],
    PARTIAL: ['RUNNING'],
    /** A scan can fail before its first step. */
    FAILED: ['PENDING', 'RUNNING', 'READY', 'PARTIAL', 'FAILED'],
  },
  job: {
    RUNNING: OPEN_JOB,
    SUCCEEDED: ['RUNNING'],
    FAILED: OPEN_JOB,
    CANCELED: OPEN_JOB,
    /** An operator retries a FAILED revoke. */
    QUEUED: ['FAILED'],
  },
  identity: {
    COMPLETED: ['PENDING'],
    DENIED: ['PENDING'],
    FAILED: ['PENDING'],
    EXPIRED: ['PENDING'],
  },
} as const;

type Machine = keyof typeof TRANSITIONS;

/** The statuses that `to` can follow, for `status = any(...)`. */
export const sourcesOf = <M extends Machine>(machine: M, to: keyof (typeof TRANSITIONS)[M]): readonly string[] =>
  TRANSITIONS[machine][to] as unknown as readonly string[];

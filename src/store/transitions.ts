/**
 * Every transition of every status: the target, and the statuses it can follow. Store functions take their `from` here,
 * so that no other transition can be written.
 */
export const TRANSITIONS = {
  attempt: {
    AUTHORIZING: ['CREATED'],
    EXCHANGING: ['AUTHORIZING'],
    COMPLETED: ['EXCHANGING'],
    DENIED: ['AUTHORIZING'],
    FAILED: ['CREATED', 'AUTHORIZING', 'EXCHANGING'],
    EXPIRED: ['CREATED', 'AUTHORIZING', 'EXCHANGING'],
    CANCELED: ['CREATED', 'AUTHORIZING', 'EXCHANGING'],
  },
  connection: {
    CONNECTED: ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'],
    SUSPENDED: ['CONNECTED'],
    RECONNECT_REQUIRED: ['CONNECTED', 'SUSPENDED'],
    DISCONNECTED: ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'],
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
    RUNNING: ['QUEUED', 'RUNNING'],
    SUCCEEDED: ['RUNNING'],
    FAILED: ['QUEUED', 'RUNNING'],
    CANCELED: ['QUEUED', 'RUNNING'],
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

export const UNFINISHED_ATTEMPT = ['CREATED', 'AUTHORIZING', 'EXCHANGING'] as const;
export const LIVE_CONNECTION = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const;
export const OPEN_JOB = ['QUEUED', 'RUNNING'] as const;

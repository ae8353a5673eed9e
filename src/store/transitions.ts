/**
 * Every move a status can make, as data: to which, from which. Store functions take their `from` here, so that a
 * move not listed cannot be written.
 * @internal
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
  /** As stored; STALE is READY or PARTIAL computed on read. */
  sync: {
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
    /** A FAILED revoke tried again by an operator. */
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

/** The statuses from which `to` may be reached, for `status = any(...)`. */
export const sourcesOf = <M extends Machine>(machine: M, to: keyof (typeof TRANSITIONS)[M]): readonly string[] =>
  TRANSITIONS[machine][to] as unknown as readonly string[];

export const UNFINISHED_ATTEMPT = ['CREATED', 'AUTHORIZING', 'EXCHANGING'] as const;
export const LIVE_CONNECTION = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const;
export const OPEN_JOB = ['QUEUED', 'RUNNING'] as const;

/** The codes that the service answers with. */
export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
  'CAPABILITY_UNAVAILABLE',
  'DISCONNECT_IN_PROGRESS',
  'RATE_LIMITED',
  'SYNC_WINDOW_BUSY',
  'UPSTREAM_UNAVAILABLE',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  readonly correlationId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly connectionId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly cause?: unknown;
}

/** Every failure of an operation: the service refused it, or no readable answer arrived. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** `UPSTREAM_UNAVAILABLE` also when no answer arrived, and for a code that this version of the client does not know. */
  readonly code: ErrorCode;
  /** Quote it in a report to the service's operators. Undefined when no answer arrived. */
  readonly correlationId: string | undefined;
  /** Whole seconds to wait; set on most `RATE_LIMITED` errors. */
  readonly retryAfterSeconds: number | undefined;
  /** The connection that was refused, also as one of a list. */
  readonly connectionId: string | undefined;
  /** The job in flight; set on `SYNC_WINDOW_BUSY`. */
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.correlationId = details.correlationId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.connectionId = details.connectionId;
    this.jobId = details.jobId;
  }
}

/** A job or a result was still unfinished when the caller's time-out ended. The job itself continues. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/** A browser returned with a session id that is not the one in its own session. Show nothing, look nothing up. */
export class ReturnMismatchError extends Error {
  override readonly name = 'ReturnMismatchError';
}

/** A webhook request whose signature, timestamp or body is not valid. Answer it with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

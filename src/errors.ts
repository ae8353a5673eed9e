/** Every code a caller can meet in `extensions.code`. @internal */
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
/** Those an operator can meet besides. */
const ADMIN_ERROR_CODES = ['FRESH_SIGN_IN_REQUIRED'] as const;
export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof ADMIN_ERROR_CODES)[number];

/** A refusal a caller or an operator is meant to read: a code of the contract and a sentence for a person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Whole seconds; with RATE_LIMITED only. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const badInput = (name: string, fault: string): ServiceError =>
  new ServiceError('BAD_USER_INPUT', `${name} ${fault}.`);

/** This database must not be used as it is. The message tells the operator why, and what to do. */
export class RefusedDatabaseError extends Error {}

/** The database is not as new as what is known outside it: it has been restored, and must not be served from yet. */
export class StaleDatabaseError extends RefusedDatabaseError {
  override readonly name = 'StaleDatabaseError';
}

/** The database was made by other migrations than those of this build. */
export class ForeignSchemaError extends RefusedDatabaseError {
  override readonly name = 'ForeignSchemaError';
}

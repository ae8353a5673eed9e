import type { ErrorCode } from './codes.ts';
import type { ConnectionId, JobId } from './ids.ts';

/** A refusal for a caller or an operator: a code of the contract and a sentence for a person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Data that a program needs besides the code. */
export interface ErrorDetails {
  /** Whole seconds; with RATE_LIMITED only. */
  readonly retryAfterSeconds?: number;
  /** The connection that is refused, also as one of a list. */
  readonly connectionId?: ConnectionId;
  /** The job in flight; with SYNC_WINDOW_BUSY only. */
  readonly jobId?: JobId;
}

export const badInput = (name: string, fault: string): ServiceError =>
  new ServiceError('BAD_USER_INPUT', `${name} ${fault}.`);

/** The database must not be used in its present state. The message gives the operator the reason and the remedy. */
export class RefusedDatabaseError extends Error {}

/** The database is older than the erasure journal. It was restored from a backup and must not serve requests yet. */
export class StaleDatabaseError extends RefusedDatabaseError {
  override readonly name = 'StaleDatabaseError';
}

/** A file of this build, against which the database is checked, is missing, unreadable or damaged. */
export class BrokenBuildError extends RefusedDatabaseError {
  override readonly name = 'BrokenBuildError';
}

/** The server is an older Postgres than the service needs. */
export class OldServerError extends RefusedDatabaseError {
  override readonly name = 'OldServerError';
}

/** The database was created by migrations of another build. */
export class ForeignSchemaError extends RefusedDatabaseError {
  override readonly name = 'ForeignSchemaError';
}

/** Database, schema or tables belong to another role than that of `migrate`, or others have rights to them. */
export class ForeignRightsError extends RefusedDatabaseError {
  override readonly name = 'ForeignRightsError';
}

/** The service's database roles do not exist, and the role of `migrate` may not create them. */
export class MissingRolesError extends RefusedDatabaseError {
  override readonly name = 'MissingRolesError';
}

/** Work for the task queue reaches workers of another installation, or of a copy of the database. */
export class ForeignQueueError extends RefusedDatabaseError {
  override readonly name = 'ForeignQueueError';
  /** Whether it may pass without a change of the configuration. */
  readonly passes: boolean;

  constructor(message: string, { passes = false } = {}) {
    super(message);
    this.passes = passes;
  }
}

import { RefusedDatabaseError, ServiceError } from '../basics/errors.ts';
import { ListenError } from '../basics/listen.ts';
import { ConfigError } from '../config/config.ts';
import { describeDatabaseFailure } from '../store/driver/database-failure.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Explains to an operator why a process or command failed. @returns undefined if only the log can say. */
export function explainFailure(error: unknown): string | undefined {
  if ([ConfigError, ListenError, RefusedDatabaseError, ServiceError].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  const code = codeOf(error);
  if (code === '42501')
    return `The role of DATABASE_URL lacks a right in the database: run migrate again as the owner, or run the command in the environment it needs (${code}).`;
  const words = describeDatabaseFailure(error);
  return words === undefined ? undefined : `${words} (${code}).`;
}

import { RefusedDatabaseError, ServiceError } from '../basics/errors.ts';
import { ListenError } from '../basics/listen.ts';
import { ConfigError } from '../config/config.ts';
import { describeDatabaseFailure } from '../store/driver/database-failure.ts';
import { explainTemporalFailure } from '../temporal/explain-temporal-failure.ts';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** An error that Temporal's client wraps. Found by its form, because the library takes longer to load than most commands run. */
const findGrpcError = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && 'metadata' in cause ? cause : undefined;
};

/** Explains to an operator why a process or command failed. @returns undefined if only the log has the reason. */
export function explainFailure(error: unknown): string | undefined {
  if ([ConfigError, ListenError, RefusedDatabaseError, ServiceError].some((kind) => error instanceof kind)) {
    return (error as Error).message;
  }
  const grpcError = findGrpcError(error);
  if (grpcError !== undefined) return `${explainTemporalFailure(grpcError)}.`;
  const code = codeOf(error);
  if (code === '42501')
    return `The role of DATABASE_URL lacks a right in the database: run migrate again as the owner, or run the command in the environment it needs (${code}).`;
  const words = describeDatabaseFailure(error);
  return words === undefined ? undefined : `${words} (${code}).`;
}

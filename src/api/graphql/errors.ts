import type { GraphQLError } from 'graphql';
import type { ErrorCode } from '../../basics/codes.ts';
import { type ErrorDetails, ServiceError } from '../../basics/errors.ts';
import { logOutage } from '../../store/driver/log-outage.ts';
import type { Exchange } from '../http/exchange.ts';

/** An error in the form that callers receive. */
export interface ExposedError {
  readonly message: string;
  readonly locations?: GraphQLError['locations'];
  readonly path?: GraphQLError['path'];
  readonly extensions: {
    readonly code: ErrorCode;
    readonly correlationId: string;
  } & ErrorDetails;
}

/** The answer to every failure of ours. Callers get no more details. */
const MASK = { code: 'UPSTREAM_UNAVAILABLE', message: 'Something went wrong on our side.' } as const;

const MAX_LOCATIONS = 10;
const MAX_MESSAGE = 400;

/** GraphQL quotes the refused value in the middle of a message, so the place and the reason are at its ends. */
function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const half = MAX_MESSAGE / 2 - 2;
  return `${message.slice(0, half).toWellFormed()} … ${message.slice(-half).toWellFormed()}`;
}

/** Several times the need of a person who reads it. A refused sender must not get more than that. */
const MAX_BYTES = 8_000;

/** @returns the first errors, as many as fit into `MAX_BYTES`, but one at least. */
export function takeFitting(errors: readonly ExposedError[]): readonly ExposedError[] {
  let bytes = 0;
  const count = errors.findIndex((error) => {
    bytes += Buffer.byteLength(JSON.stringify(error)) + 1;
    return bytes > MAX_BYTES;
  });
  return count === -1 ? errors : errors.slice(0, Math.max(1, count));
}

/**
 * Turns an error into its public form. A ServiceError and GraphQL's own errors about the request keep their message.
 * Every other error is logged, and the caller receives only the correlation id of its log line.
 */
export function expose(error: unknown, { correlationId, log }: Exchange): ExposedError {
  const outer: Partial<GraphQLError> = isGraphQLError(error) ? error : {};
  const place = {
    ...(outer.locations !== undefined && { locations: outer.locations.slice(0, MAX_LOCATIONS) }),
    ...(outer.path !== undefined && { path: outer.path }),
  };
  const cause = findRootCause(error);
  if (cause instanceof ServiceError) {
    const { code, message, details } = cause;
    return { message: shorten(message), ...place, extensions: { code, correlationId, ...details } };
  }
  if (isGraphQLError(error) && isGraphQLError(cause) && isRequestError(error, cause)) {
    return { message: shorten(error.message), ...place, extensions: { code: 'BAD_USER_INPUT', correlationId } };
  }
  if (!logOutage(log, cause)) log.error('Unexpected failure', { error: cause });
  return { message: MASK.message, ...place, extensions: { code: MASK.code, correlationId } };
}

/** Compares the name, because `instanceof` fails if two copies of the library are loaded. */
const isGraphQLError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError';

function findRootCause(error: unknown): unknown {
  const cause = isGraphQLError(error) ? error.originalError : undefined;
  return cause === undefined || cause === null ? error : findRootCause(cause);
}

/**
 * An error without a path was raised before execution. An error with a path comes from a field. Then GraphQL sets
 * `nodes` if it refused an argument, and leaves it unset if the resolver returned a wrong value.
 */
const isRequestError = (error: GraphQLError, cause: GraphQLError): boolean =>
  cause.extensions?.unexpected !== true && (error.path === undefined || cause.nodes !== undefined);

/** @returns 400 if any input was bad, also beside fields that have a value; otherwise 200. */
export const chooseStatus = (codes: readonly ErrorCode[]): 200 | 400 => (codes.includes('BAD_USER_INPUT') ? 400 : 200);

import type { ExecutionResult, GraphQLError } from 'graphql';
import { type ErrorCode, ServiceError } from '../../errors.ts';
import type { Exchange } from '../http/exchange.ts';

/** An error as a caller reads it. */
export interface ExposedError {
  readonly message: string;
  readonly locations?: GraphQLError['locations'];
  readonly path?: GraphQLError['path'];
  readonly extensions: {
    readonly code: ErrorCode;
    readonly correlationId: string;
    readonly retryAfterSeconds?: number;
  };
}

/** What is told of a failure that is ours, and all that is told. */
const MASK = { code: 'UPSTREAM_UNAVAILABLE', message: 'Something went wrong on our side.' } as const;

/**
 * What a caller may read of an error: a ServiceError as it is, what GraphQL has to say about the request, and of
 * everything else nothing but the correlation id, under which it is logged.
 */
export function expose(error: unknown, { correlationId, log }: Exchange): ExposedError {
  const outer: Partial<GraphQLError> = isGraphQLError(error) ? error : {};
  const place = {
    ...(outer.locations !== undefined && { locations: outer.locations }),
    ...(outer.path !== undefined && { path: outer.path }),
  };
  const cause = rootCause(error);
  if (cause instanceof ServiceError) {
    const { code, message, retryAfterSeconds } = cause;
    const pause = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return { message, ...place, extensions: { code, correlationId, ...pause } };
  }
  if (isGraphQLError(error) && isGraphQLError(cause) && isAboutTheRequest(error, cause)) {
    return { message: error.message, ...place, extensions: { code: 'BAD_USER_INPUT', correlationId } };
  }
  log.error('Unexpected failure', { error: cause });
  return { message: MASK.message, ...place, extensions: { code: MASK.code, correlationId } };
}

/** By name: `instanceof` fails across two copies of the library. */
const isGraphQLError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError';

function rootCause(error: unknown): unknown {
  const cause = isGraphQLError(error) ? error.originalError : undefined;
  return cause === undefined || cause === null ? error : rootCause(cause);
}

/**
 * An error without a path was raised before execution. One with a path comes out of a field: there GraphQL points at
 * the nodes of the document when it refuses an argument, and at none when what a resolver returned does not fit.
 */
const isAboutTheRequest = (error: GraphQLError, cause: GraphQLError): boolean =>
  cause.extensions?.unexpected !== true && (error.path === undefined || cause.nodes !== undefined);

/** Bad input answers 400 if nothing came of the request; whatever else fails answers 200. */
export function statusOf(data: ExecutionResult['data'], codes: readonly ErrorCode[]): 200 | 400 {
  const empty = Object.values(data ?? {}).every((value) => value === null);
  return empty && codes.includes('BAD_USER_INPUT') ? 400 : 200;
}

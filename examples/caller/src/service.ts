import { z } from 'zod';
import type { TypedDocumentString } from './generated/service.ts';

/** The error codes of the service. Newer services may send more; see `ServiceError.code`. @internal */
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

/** The service refused the request or did not answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** UPSTREAM_UNAVAILABLE if the answer has no code, or one that this program does not know. */
  readonly code: ErrorCode;
  /** The reference for the service's operators; undefined if no answer came. */
  readonly correlationId: string | undefined;
  /** In whole seconds; set with RATE_LIMITED if the service says how long to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { correlationId?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.correlationId = more.correlationId;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Sends one operation. @throws ServiceError unless it succeeds completely. */
export type Service = <Result, Variables>(
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<Result>;

const TIMEOUT_MS = 10_000;

const Answer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({
            code: z.enum(ERROR_CODES).catch('UPSTREAM_UNAVAILABLE'),
            correlationId: z.string().optional(),
            retryAfterSeconds: z.number().optional(),
          })
          .default({ code: 'UPSTREAM_UNAVAILABLE' }),
      }),
    )
    .optional(),
});

/** Creates a client for the service's endpoint. It logs neither the key nor any body, because bodies contain launch tokens and proofs. */
export function createService(options: { url: string; key: string; fetch?: typeof fetch }): Service {
  const { url, key, fetch: send = fetch } = options;
  return async <Result, Variables>(operation: TypedDocumentString<Result, Variables>, variables: Variables) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: operation.toString(), variables }),
      redirect: 'error', // A redirect would send the key to another host.
      signal: AbortSignal.timeout(TIMEOUT_MS),
    } as const;
    // Ignores the HTTP status: most refusals come with 200, and a refusal with 400 also has its code in the body.
    const body: unknown = await send(url, request)
      .then((response) => response.json())
      .catch((cause) => {
        const reason = cause instanceof Error ? cause.name : 'unknown';
        throw new ServiceError('UPSTREAM_UNAVAILABLE', `The service sent no readable answer (${reason}).`);
      });
    const answer = Answer.safeParse(body);
    if (!answer.success)
      throw new ServiceError('UPSTREAM_UNAVAILABLE', 'The service sent an answer of an unknown form.');
    const [error] = answer.data.errors ?? [];
    if (error) throw new ServiceError(error.extensions.code, error.message, error.extensions);
    return answer.data.data as Result; // `Result` is generated from the schema, which the service enforces.
  };
}

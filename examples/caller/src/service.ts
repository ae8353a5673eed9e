import { z } from 'zod';
import type { TypedDocumentString } from './generated/service.ts';

/** The codes the service answers with. More may come: see `ServiceError.code`. @internal */
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

/** An answer that is a refusal, or no answer at all. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** UPSTREAM_UNAVAILABLE when there was no code, or one this program does not know. */
  readonly code: ErrorCode;
  /** What to quote when asking the service's operators; absent when nothing came back. */
  readonly correlationId: string | undefined;
  /** Whole seconds; with RATE_LIMITED, when the service says how long. */
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

/** Sends one operation. @throws ServiceError for every answer but a full success. */
export type Service = <Result, Variables>(
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<Result>;

const PATIENCE_MS = 10_000;

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

/**
 * The service behind its one endpoint. Neither the key nor any body is ever logged: bodies hold launch tokens and proofs.
 */
export function createService(options: { url: string; key: string; fetch?: typeof fetch }): Service {
  const { url, key, fetch: send = fetch } = options;
  return async <Result, Variables>(operation: TypedDocumentString<Result, Variables>, variables: Variables) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: operation.toString(), variables }),
      redirect: 'error', // Or the key could follow a redirect to somewhere else.
      signal: AbortSignal.timeout(PATIENCE_MS),
    } as const;
    // Whatever the HTTP status: a refusal mostly comes with 200, and one with 400 has its code in the body too.
    const body: unknown = await send(url, request)
      .then((response) => response.json())
      .catch((cause) => {
        const why = cause instanceof Error ? cause.name : 'unknown';
        throw new ServiceError('UPSTREAM_UNAVAILABLE', `The service gave no answer that can be read (${why}).`);
      });
    const answer = Answer.safeParse(body);
    if (!answer.success) throw new ServiceError('UPSTREAM_UNAVAILABLE', 'The service answered in a form of its own.');
    const [error] = answer.data.errors ?? [];
    if (error) throw new ServiceError(error.extensions.code, error.message, error.extensions);
    return answer.data.data as Result; // Of this shape by the schema, from which `Result` is generated.
  };
}

import type { CallOptions } from './call-options.js';
import { ERROR_CODES, type ErrorCode, ServiceError } from './errors.js';
import { OPERATIONS, type Operations } from './generated/schema.js';
import { sleep } from './sleep.js';

export interface ClientOptions {
  /** The service's endpoint, such as `https://accounts.example.com/graphql`. */
  readonly url: string;
  /** The application key, `<key-id>.<secret>`. It belongs on your server and never in a browser. */
  readonly key: string;
  /** Milliseconds that one try may take. 10,000 by default. */
  readonly timeoutMs?: number;
  /** How often an operation is retried that is safe to repeat. 2 by default; 0 turns retries off. */
  readonly retries?: number;
  /** The longest `retryAfterSeconds` that is waited for. A longer one is thrown to you. 2 by default. */
  readonly maxRetryAfterSeconds?: number;
  /** Sends the requests. The global `fetch` by default. */
  readonly fetch?: typeof fetch;
}

export type Client = Operations;

/**
 * The mutations that can be repeated: a repeated refresh or lookup gives the job in flight, a repeated disconnect the same
 * two jobs. The other mutations create an attempt or spend a proof, so the client never sends them twice.
 */
const REPEATABLE_MUTATIONS: readonly string[] = ['requestRefresh', 'requestContentLookup', 'disconnectConnection'];

const DEFAULTS = { timeoutMs: 10_000, retries: 2, maxRetryAfterSeconds: 2 };
const FIRST_PAUSE_MS = 200;

/**
 * A client with one method for each operation of the service. A method sends one request, selects every field of the answer,
 * and throws `ServiceError` for everything but a complete answer.
 *
 * Queries, refreshes, lookups and disconnects are retried after network errors and `UPSTREAM_UNAVAILABLE`. Every operation is
 * retried after `RATE_LIMITED` with a short `retryAfterSeconds`, because the service has not executed it.
 */
export function createClient(options: ClientOptions): Client {
  const settings = { ...DEFAULTS, ...withoutUndefined(options) };
  const methods = Object.entries(OPERATIONS).map(([name, { kind, takesArguments, document }]) => {
    const isRepeatable = kind === 'query' || REPEATABLE_MUTATIONS.includes(name);
    const method = async (first?: object, second?: CallOptions): Promise<unknown> => {
      const [variables, callOptions] = takesArguments ? [first, second] : [{}, first as CallOptions | undefined];
      const body = JSON.stringify({ query: document, variables });
      const data = await sendWithRetries(settings, body, isRepeatable, callOptions?.signal);
      return data[name];
    };
    return [name, method];
  });
  return Object.fromEntries(methods) as Client; // Generated from the same schema as `Operations`.
}

type Settings = ClientOptions & typeof DEFAULTS;

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

async function sendWithRetries(settings: Settings, body: string, isRepeatable: boolean, signal?: AbortSignal) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(settings, body, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError) || tries > settings.retries) throw error;
      const pauseMs = findPauseMs(error, isRepeatable, tries, settings.maxRetryAfterSeconds);
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs, signal);
    }
  }
}

/** How long to wait before the next try; undefined when there must be none. */
function findPauseMs(error: ServiceError, isRepeatable: boolean, tries: number, maxRetryAfterSeconds: number) {
  if (error.code === 'RATE_LIMITED') {
    const { retryAfterSeconds } = error;
    const isShort = retryAfterSeconds !== undefined && retryAfterSeconds <= maxRetryAfterSeconds;
    return isShort ? retryAfterSeconds * 1_000 : undefined;
  }
  if (error.code !== 'UPSTREAM_UNAVAILABLE' || !isRepeatable) return undefined;
  const ceilingMs = FIRST_PAUSE_MS * 2 ** (tries - 1);
  return ceilingMs / 2 + Math.random() * (ceilingMs / 2);
}

async function send(settings: Settings, body: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  let answer: unknown;
  let response: Response | undefined;
  try {
    response = await (settings.fetch ?? fetch)(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${settings.key}` },
      body,
      redirect: 'error', // The key must not follow a redirect to another host.
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    answer = await response.json(); // A refusal has its code in the body, regardless of the HTTP status.
  } catch (cause) {
    signal?.throwIfAborted();
    const what = timeout.aborted ? `No answer within ${settings.timeoutMs} ms` : 'No readable answer';
    const why = timeout.aborted ? '' : `: ${describeFault(response, cause)}`;
    throw new ServiceError('UPSTREAM_UNAVAILABLE', `${what} from ${describeUrl(settings.url)}${why}.`, { cause });
  }
  return readAnswer(answer);
}

/** `HTTP 404, text/html` or, without a response, `ECONNREFUSED`. */
function describeFault(response: Response | undefined, cause: unknown): string {
  if (response !== undefined) {
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    return `HTTP ${response.status}${type && `, ${type}`}`;
  }
  const { message, cause: inner } = asRecord(cause); // `fetch` names the network's error only in its cause.
  const { code, message: detail } = asRecord(inner);
  return asText(code) || asText(detail) || asText(message) || 'no connection';
}

/** The URL without what may be secret in it. */
function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'the service';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** The data of a complete answer. @throws ServiceError for any other */
function readAnswer(answer: unknown): Record<string, unknown> {
  const { data, errors } = asRecord(answer);
  if (Array.isArray(errors) && errors.length > 0) throw toServiceError(errors[0]);
  if (typeof data !== 'object' || data === null) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', 'The answer is not a GraphQL answer. Check the URL of the service.');
  }
  return data as Record<string, unknown>;
}

function toServiceError(error: unknown): ServiceError {
  const { message, extensions } = asRecord(error);
  const { code, correlationId, retryAfterSeconds, connectionId, jobId } = asRecord(extensions);
  return new ServiceError(
    isErrorCode(code) ? code : 'UPSTREAM_UNAVAILABLE',
    typeof message === 'string' ? message : 'The service refused the request.',
    {
      correlationId: asText(correlationId),
      retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
      connectionId: asText(connectionId),
      jobId: asText(jobId),
    },
  );
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isErrorCode = (code: unknown): code is ErrorCode => ERROR_CODES.some((known) => known === code);

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

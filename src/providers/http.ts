import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { createNetworkCheck } from '../basics/public-address.ts';
import { runInSpan, SpanKind } from '../telemetry/tracing.ts';
import type { LookupAll } from './dns-lookup.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { type Call, type Permit, ProviderError } from './provider.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;
const MAX_CHUNKS = 512;
/** Informational heads (RFC 9110, 15.2) before the answer. Some servers send one or two; an endless row of them costs a core. */
const MAX_INFORMATIONAL = 10;
/** How much of an answer's unwanted body it reads to keep the connection, and for how long. */
const DISCARDED_BYTES = 4 * 1024;
const DISCARD_MS = 250;

export interface HttpRequest {
  /** Provider and operation (`PROVIDER_B video list`). Errors name the request only by this text. */
  readonly where: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as `application/json`. */
  readonly json?: unknown;
  /** Its `admit` counts the request's cost and waits for its slot before the request is sent. */
  readonly call: Call;
  /** Units of the provider's daily quota. Default 0. */
  readonly quotaUnits?: number;
  /** Default false. */
  readonly cannotWait?: boolean;
  /** For the whole request after `admit`, including the connection and the body. Default 15 s. */
  readonly timeoutMs?: number;
  /** Limit of the answer's body. Default 2 MiB. */
  readonly maxBytes?: number;
  /** Stops after the headers and leaves `text` empty. */
  readonly withoutBody?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** Headers by lower-case name. Commas join the values of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * The service's only HTTP client, which counts and meters every call. It follows no redirect, keeps no cookie,
 * requests no compressed answer, and never repeats a request.
 */
export interface Http {
  /**
   * @throws ProviderError `RetryLater` without a complete answer (also after a timeout or an abort), `ContractBroken` for
   * an answer larger than `maxBytes` or behind too many informational heads. Both have `outcomeUnknown` if the request may have
   * been sent. Errors of `call.admit` pass through.
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** The same client as a `fetch` for libraries. Returns redirects as answers. Throws like `request`. */
  readonly fetch: (url: string, options?: FetchOptions) => Promise<Response>;
  /**
   * Posts a body to a receiver of events, and resolves with the status and headers. It discards the rest of the answer, which is
   * read up to 4 KiB and for 250 ms, so that the connection can be used again, and no longer. Throws like `request`.
   */
  readonly post: (request: PostRequest) => Promise<Omit<HttpAnswer, 'text'>>;
  close(): Promise<void>;
}

export interface PostRequest {
  /** Errors name the request only by this text. */
  readonly where: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** For the whole request, including the connection and the rest of the answer. */
  readonly timeoutMs: number;
}

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Opens the client. In production it connects only to public addresses, over https.
 * @param options.privateNetworks networks (CIDR notation) that production may also connect to.
 * @param options.lookUp finds the addresses of a host; Node's own by default.
 */
export function createHttp({
  production,
  userAgent = 'social-account-connection-service',
  privateNetworks = [],
  lookUp,
}: {
  production: boolean;
  userAgent?: string;
  privateNetworks?: readonly string[];
  lookUp?: LookupAll;
}): Http {
  const connect = createGuardedConnector(production, createNetworkCheck(privateNetworks), lookUp);
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });

  const send = async (request: RawRequest): Promise<RawAnswer> => {
    const deadline = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const headers = { ...request.headers, 'user-agent': userAgent, 'accept-encoding': 'identity' };
    const attributes = { 'http.request.method': request.method };
    // The request carries no trace context: our trace ids stay private.
    return await runInSpan(request.where, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const answer = await roundTrip(agent, { ...request, headers }, signal);
      span.setAttribute('http.response.status_code', answer.status);
      return answer;
    });
  };

  /** A request to a platform, which needs a permit. */
  const sendPermitted = (_permit: Permit, request: RawRequest) => send(request);

  return {
    request: async (request) => {
      const { where, method, url, form, json, call, quotaUnits = 0, cannotWait = false } = request;
      const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES, withoutBody = false } = request;
      const headers = { accept: 'application/json', ...request.headers, ...contentType(form, json) };
      const body = form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json);
      const permit = await call.admit({ quotaUnits, cannotWait });
      const { signal } = call;
      const answer = await sendPermitted(permit, {
        where,
        method,
        url,
        headers,
        body,
        signal,
        timeoutMs,
        maxBytes,
        reads: withoutBody ? 'HEADERS' : 'ALL',
      });
      const { status, headers: received } = answer;
      const decoded = await decodeBody(answer, { where, maxBytes });
      // A byte order mark is no JSON (RFC 8259, section 8.1), and some servers send one.
      const text = decoded.toString('utf8').replace(/^\uFEFF/, '');
      return { status, headers: Object.fromEntries(received), text };
    },
    fetch: async (url, options = {}) => {
      const where = 'Identity provider';
      const answer = await send({
        where,
        method: options.method === 'POST' ? 'POST' : 'GET',
        url,
        headers: Object.fromEntries(new Headers(options.headers)),
        body: options.body === undefined || options.body === null ? null : String(options.body),
        signal: options.signal ?? null,
        timeoutMs: DEFAULT_TIMEOUT_MS,
        maxBytes: DEFAULT_MAX_BYTES,
        reads: 'ALL',
      });
      const { status, headers } = answer;
      const body = await decodeBody(answer, { where, maxBytes: DEFAULT_MAX_BYTES });
      const bodiless = status === 204 || status === 205 || status === 304;
      return new Response(bodiless ? null : new Uint8Array(body), { status, headers });
    },
    post: async ({ timeoutMs, ...request }) => {
      const answer = await send({
        ...request,
        method: 'POST',
        timeoutMs,
        maxBytes: DISCARDED_BYTES,
        body: request.body,
        reads: 'STATUS',
      });
      return { status: answer.status, headers: Object.fromEntries(answer.headers) };
    },
    close: async () => await agent.close(),
  };
}

interface RawRequest {
  readonly where: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** HEADERS closes the connection after them; STATUS discards the body, and succeeds even if that fails. */
  readonly reads: 'ALL' | 'HEADERS' | 'STATUS';
}

interface RawAnswer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};
/** No text begins with it (RFC 1952, section 2.3.1). Some proxies remove the header and leave the encoding. */
const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b;

/**
 * Decodes a body that a server or proxy has compressed although we request `identity`.
 * @throws ProviderError `ContractBroken`, whose code names the cause
 */
async function decodeBody(
  { status, headers, body }: RawAnswer,
  { where, maxBytes }: { where: string; maxBytes: number },
): Promise<Buffer> {
  const named = (headers.find(([name]) => name === 'content-encoding')?.[1] ?? '')
    .trim()
    .toLowerCase()
    .replace(/^x-/, '');
  const encoding = isGzip(body) ? 'gzip' : named;
  if (body.length === 0 || encoding === '' || encoding === 'identity') return body;
  const refuse = (networkCode: string) =>
    new ProviderError('ContractBroken', `${where}: the answer's content encoding cannot be read (${networkCode}).`, {
      status,
      networkCode,
      outcomeUnknown: true,
    });
  const decode = DECODERS[encoding];
  if (decode === undefined) throw refuse('CONTENT_ENCODING_UNKNOWN');
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    // A body that was not compressed after all, such as one that a proxy has decoded, is read as it is.
    if (/^\s*[{[<]/.test(body.toString('latin1', 0, 20))) return body;
    throw refuse(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'ANSWER_TOO_LARGE' : 'CONTENT_ENCODING_BROKEN');
  }
}

function contentType(form: unknown, json: unknown): Record<string, string> {
  if (form !== undefined) return { 'content-type': 'application/x-www-form-urlencoded' };
  return json === undefined ? {} : { 'content-type': 'application/json' };
}

/** Sends one request with undici's `dispatch`, the only API that reports whether a byte reached the socket. */
function roundTrip(agent: Agent, request: RawRequest, signal: AbortSignal): Promise<RawAnswer> {
  const { where, method, url, headers, body, maxBytes, reads } = request;
  return new Promise((resolve, reject) => {
    let sent = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: [string, string][] = [];
    let size = 0;
    let informational = 0;
    const chunks: Buffer[] = [];
    let merged = 0;

    let discarding: NodeJS.Timeout | undefined;

    const end = (error: ProviderError | null) => {
      signal.removeEventListener('abort', abort);
      clearTimeout(discarding);
      if (error === null || discarding !== undefined)
        resolve({ status, headers: received, body: Buffer.concat(chunks) });
      else reject(error);
    };
    const lost = (reason: string) =>
      new ProviderError('RetryLater', `${where}: no complete answer (${reason}).`, {
        outcomeUnknown: sent,
        networkCode: reason,
      });
    const broken = (reason: string, facts: { status?: number; networkCode?: string }) =>
      new ProviderError('ContractBroken', `${where}: ${reason}.`, { ...facts, outcomeUnknown: true });
    // Rejects at once, even while waiting for a connection: undici provides the controller only when it starts sending.
    const abort = () => {
      end(lost(signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError' ? 'TIMEOUT' : 'ABORTED'));
      controller?.abort(new Error('aborted'));
    };

    signal.addEventListener('abort', abort);
    if (signal.aborted) return abort();
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(new Error('aborted'));
        else sent = true;
      },
      onResponseStart(current, code, incoming) {
        if (code < 200) {
          informational += 1;
          if (informational <= MAX_INFORMATIONAL) return; // The final answer follows.
          end(broken('its final head does not come', { networkCode: 'TOO_MANY_HEADS' }));
          return current.abort(new Error('too many heads'));
        }
        status = code;
        received = Object.entries(incoming).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
        const stop = () => {
          end(null);
          current.abort(new Error('enough'));
        };
        if (reads === 'HEADERS') stop();
        if (reads === 'STATUS') discarding = setTimeout(stop, DISCARD_MS);
      },
      onResponseData(current, chunk) {
        size += chunk.length;
        if (reads === 'STATUS' && size <= maxBytes) return;
        chunks.push(chunk);
        // Merges small chunks: a body sent byte by byte would keep one buffer alive for each byte. Each byte is copied once.
        if (chunks.length - merged > MAX_CHUNKS) {
          chunks.push(Buffer.concat(chunks.splice(merged)));
          merged += 1;
        }
        if (size <= maxBytes) return;
        end(broken('the answer is too large', { status }));
        current.abort(new Error('too large'));
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(lost(codeOf(error))),
    };
    try {
      const { origin, pathname, search } = new URL(url);
      agent.dispatch({ origin, path: pathname + search, method, headers, body }, handler);
    } catch (error) {
      end(lost(codeOf(error))); // Undici refuses the request, for example a URL with another protocol.
    }
  });
}

/** The code of a network failure (`ECONNREFUSED`, `UND_ERR_SOCKET` …). Its message may contain secrets. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : 'NETWORK';
}

import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublicAddress } from './addresses.ts';
import { ProviderError } from './provider.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;

export interface HttpRequest {
  /** Provider and operation in our own words (`PROVIDER_B video list`): all that an error says of the request. */
  readonly where: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as `application/json`. */
  readonly json?: unknown;
  readonly signal: AbortSignal;
  /** For all of it, connecting and the body included. Default 15 s. */
  readonly timeoutMs?: number;
  /** Of the answer's body. Default 2 MiB. */
  readonly maxBytes?: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; a repeated header's values are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The one way out of this service. Follows no redirect, keeps no cookie, and never repeats a request. */
export interface Http {
  /**
   * @throws ProviderError `RetryLater` when no whole answer came (a timeout and an abort included), `ContractBroken`
   * when the answer is larger than `maxBytes`; `outcomeUnknown` once the request may have been sent.
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** The same way out for a library that wants a `fetch`; redirects come back as answers. Throws as `request`. */
  readonly fetch: (url: string, options?: FetchOptions) => Promise<Response>;
  close(): Promise<void>;
}

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Opens the client. In production it connects to public addresses only, by https only; both are decided on the very
 * address a socket is opened to, so a name that resolves differently a second time gains nothing. In development plain
 * http is taken too, but not over the public network.
 */
export function createHttp({ production, userAgent }: { production: boolean; userAgent: string }): Http {
  const agent = new Agent({ connect: guardedConnector(production), headersTimeout: 0, bodyTimeout: 0 });

  const send = async (request: RawRequest): Promise<RawAnswer> => {
    const deadline = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    const headers = { ...request.headers, 'user-agent': userAgent, 'accept-encoding': 'identity' };
    return await exchange(agent, { ...request, headers }, signal);
  };

  return {
    request: async ({ where, method, url, headers, form, json, signal, timeoutMs, maxBytes }) => {
      const {
        status,
        headers: received,
        body,
      } = await send({
        where,
        method,
        url,
        headers: { accept: 'application/json', ...headers, ...contentType(form, json) },
        body: form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json),
        signal,
        timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
        maxBytes: maxBytes ?? DEFAULT_MAX_BYTES,
      });
      return { status, headers: Object.fromEntries(received), text: body.toString('utf8') };
    },
    fetch: async (url, options = {}) => {
      const { status, headers, body } = await send({
        where: 'Identity provider',
        method: options.method === 'POST' ? 'POST' : 'GET',
        url,
        headers: Object.fromEntries(new Headers(options.headers)),
        body: options.body === undefined || options.body === null ? null : String(options.body),
        signal: options.signal ?? null,
        timeoutMs: DEFAULT_TIMEOUT_MS,
        maxBytes: DEFAULT_MAX_BYTES,
      });
      const bodiless = status === 204 || status === 205 || status === 304;
      return new Response(bodiless ? null : new Uint8Array(body), { status, headers });
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
}

interface RawAnswer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

function contentType(form: unknown, json: unknown): Record<string, string> {
  if (form !== undefined) return { 'content-type': 'application/x-www-form-urlencoded' };
  return json === undefined ? {} : { 'content-type': 'application/json' };
}

/** One request, on undici's own dispatch: only there is it known whether anything has been written to a socket. */
function exchange(agent: Agent, request: RawRequest, signal: AbortSignal): Promise<RawAnswer> {
  const { where, method, url, headers, body, maxBytes } = request;
  return new Promise((resolve, reject) => {
    let sent = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: [string, string][] = [];
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (error: ProviderError | null) => {
      signal.removeEventListener('abort', abort);
      if (error === null) resolve({ status, headers: received, body: Buffer.concat(chunks) });
      else reject(error);
    };
    const lost = () => new ProviderError('RetryLater', `${where}: no complete answer.`, { outcomeUnknown: sent });
    // Rejects at once, also while it still waits for a connection: a controller comes only with the first byte sent.
    const abort = () => {
      end(lost());
      controller?.abort(new Error('aborted'));
    };

    const { origin, pathname, search } = new URL(url);
    signal.addEventListener('abort', abort);
    if (signal.aborted) return abort();
    agent.dispatch(
      { origin, path: pathname + search, method, headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(new Error('aborted'));
          else sent = true;
        },
        onResponseStart(_controller, code, incoming) {
          status = code;
          received = Object.entries(incoming).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
        },
        onResponseData(current, chunk) {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= maxBytes) return;
          end(
            new ProviderError('ContractBroken', `${where}: the answer is too large.`, { status, outcomeUnknown: true }),
          );
          current.abort(new Error('too large'));
        },
        onResponseEnd: () => end(null),
        onResponseError: () => end(lost()),
      },
    );
  });
}

/** Opens sockets only where the policy lets them go. */
function guardedConnector(production: boolean): buildConnector.connector {
  const guarded = (protocol: string): buildConnector.connector => {
    const permits = (address: string) => {
      const open = isPublicAddress(address);
      return production ? open && protocol === 'https:' : !open || protocol === 'https:';
    };
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(permits) });
    return (options, callback) => {
      // A host that is an address already is never looked up.
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !permits(host)) callback(refusal(), null);
      else connect(options, callback);
    };
  };
  const plain = guarded('http:');
  const secure = guarded('https:');
  return (options, callback) => (options.protocol === 'https:' ? secure : plain)(options, callback);
}

const refusal = () => new Error('The egress policy refuses this address.');

const guardedLookup =
  (permits: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const allowed = found.filter(({ address }) => permits(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(), '');
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });

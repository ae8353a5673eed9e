import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { type CorrelationId, newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { countRequest } from '../../telemetry/instruments.ts';
import { markSpanFailed, runInNewTrace, SpanKind } from '../../telemetry/tracing.ts';
import type { Graphql } from '../graphql/graphql.ts';
import { hideBodies, readWithin } from './bodies.ts';
import { getClientAddress, type HttpEnv } from './exchange.ts';

/** The limit of a GraphQL request's JSON body. */
const MAX_BODY_BYTES = 64 * 1024;

export interface HttpOptions {
  readonly log: Log;
  /** The number of reverse proxies in front of this process; see `getClientAddress`. */
  readonly trustedProxies: number;
  /** True if clients reach the service over https. Then it sends HSTS. False by default. */
  readonly secure?: boolean;
  /** GraphQL endpoints by path. */
  readonly graphql: Readonly<Record<string, Graphql>>;
  /** Schemas by path, as text. */
  readonly schemas: Readonly<Record<string, string>>;
  /** Returns the reasons why the process cannot serve, or none if it is ready. Answers within a few seconds. */
  readonly unready: () => Promise<readonly string[]>;
  /** Further routes, such as the pages of the connect flow. */
  readonly pages?: readonly Hono<HttpEnv>[];
}

/** Creates the app that answers all requests to the api. */
export function createHttpApp({
  log,
  trustedProxies,
  secure = false,
  graphql,
  schemas,
  unready,
  pages = [],
}: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const headers = { ...SAFE_HEADERS, ...(secure && HSTS) };

  // Ahead of the middleware, which copies requests and answers. Every method except POST gets the 404 of an unknown path.
  for (const [path, answer] of Object.entries(graphql)) {
    app.post(path, async (c) => {
      startExchange(c, log, trustedProxies);
      await recordExchange(c, path, async () => {
        c.res = await answerGraphql(c, answer, headers).catch((error: unknown) => answerFailure(error, c, headers));
      });
      return c.res;
    });
  }
  app.use(exchanges(log, trustedProxies), setSafeHeaders(headers), hideBodies);

  for (const [path, text] of Object.entries(schemas)) {
    app.get(path, (c) => c.text(text));
  }
  app.get('/healthz', (c) => c.text('alive'));
  app.get('/readyz', async (c) => {
    const reasons = await unready();
    return reasons.length === 0 ? c.text('ready') : c.text(reasons.join('\n'), 503);
  });
  for (const page of pages) app.route('/', page);

  app.notFound((c) => c.text('Not found.', 404));
  app.onError((error, c) => answerFailure(error, c));
  return app;
}

/** As `Request.text()` decodes. */
const utf8 = new TextDecoder();

/** Reads the body without a copy of the request, and creates the response with all its headers. */
async function answerGraphql(c: Context<HttpEnv>, graphql: Graphql, headers: Headers): Promise<Response> {
  const exchange = c.get('exchange');
  const always = { ...headers, 'x-correlation-id': exchange.correlationId };
  const bytes = await readWithin(MAX_BODY_BYTES, c.req.raw);
  if (bytes === undefined) {
    const text = { ...always, 'content-type': 'text/plain; charset=UTF-8' };
    return new Response(`The body exceeds ${MAX_BODY_BYTES} bytes.`, { status: 413, headers: text });
  }
  const request = { headers: c.req.raw.headers, body: utf8.decode(bytes) };
  const { status, contentType, body } = await graphql(request, exchange);
  const json = { ...always, 'content-type': contentType, 'cache-control': 'no-store' };
  return new Response(body, { status, headers: json });
}

function answerFailure(error: unknown, c: Context<HttpEnv>, headers: Headers = {}): Response {
  const { correlationId, log } = c.get('exchange');
  const always = { ...headers, 'x-correlation-id': correlationId };
  if (c.req.raw.signal.aborted) {
    log.debug('The caller hung up', { error });
    return c.text('The request ended early.', 400, always);
  }
  log.error('Unexpected failure', { error });
  return c.text('Something went wrong on our side.', 500, always);
}

const QUIET_ROUTES = ['/healthz', '/readyz'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Describes a request without any text from outside, because its path or query string may contain a token. */
function describe(c: Context<HttpEnv>, route = routePath(c, -1)) {
  return {
    method: METHODS.includes(c.req.method) ? c.req.method : 'OTHER',
    route: route === '/*' ? 'none' : route,
    status: c.res.status,
  };
}

/** Gives a request its correlation id. */
function startExchange(c: Context<HttpEnv>, log: Log, trustedProxies: number): void {
  const correlationId = newId<CorrelationId>();
  c.set('exchange', {
    correlationId,
    address: getClientAddress(c, trustedProxies),
    log: log.with({ correlationId }),
    operations: new Map(),
    codes: [],
    atEnd: [],
  });
}

/** Runs `answer`, which sets `c.res`, in a trace, and writes the request's one log line. */
async function recordExchange(
  c: Context<HttpEnv>,
  route: string | undefined,
  answer: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  const { log, operations, codes, atEnd } = c.get('exchange');
  const recorded = async () => {
    await answer().finally(() => {
      for (const end of atEnd) end();
    });
    const request = describe(c, route);
    const ms = performance.now() - startedAtMs;
    countRequest(request, ms / 1000);
    log[QUIET_ROUTES.includes(request.route) ? 'debug' : 'info']('Request', {
      ...request,
      ms: Math.round(ms),
      ...(operations.size > 0 && { operations: [...operations.values()] }),
      ...(codes.length > 0 && { codes: [...new Set(codes)] }),
    });
  };
  if (QUIET_ROUTES.includes(c.req.path)) await recorded();
  else await traceRequest(c, route, recorded);
}

/** Gives each request a correlation id, which it also sends in the answer, a trace, and one log line. */
const exchanges = (log: Log, trustedProxies: number) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    startExchange(c, log, trustedProxies);
    await recordExchange(c, undefined, async () => {
      await next();
      c.header('x-correlation-id', c.get('exchange').correlationId);
    });
  });

async function traceRequest(
  c: Context<HttpEnv>,
  route: string | undefined,
  answer: () => Promise<void>,
): Promise<void> {
  const { correlationId } = c.get('exchange');
  const options = { kind: SpanKind.SERVER, correlationId, callersTraceparent: c.req.header('traceparent') };
  await runInNewTrace('request', options, async (span) => {
    await answer();
    const request = describe(c, route); // The route is known only now.
    span.updateName(`${request.method} ${request.route}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': request.route,
      'http.response.status_code': request.status,
    });
    if (request.status >= 500) markSpanFailed(span, String(request.status));
  });
}

type Headers = Readonly<Record<string, string>>;

/** Protect a browser that is led to open any of our URLs. Pages set their own headers. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Two years, for this host only, because we do not own the other hosts of its domain. RFC 6797. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' };

const setSafeHeaders = (headers: Headers) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });

export interface RunningServer {
  readonly port: number;
  /**
   * Serves for another `noticeMs` but closes each connection after its answer. Then stops listening, gives requests in
   * flight up to `graceMs` to finish, and closes all remaining connections.
   */
  close(graceMs: number, noticeMs?: number): Promise<void>;
}

/** How long a client may take, in milliseconds, and how much it may use. An idle client cannot hold a socket. */
export interface ServerLimits {
  /** Time to send all headers of a request. */
  readonly headersTimeout: number;
  /** Time to send a whole request. */
  readonly requestTimeout: number;
  /** Time between two requests. Longer than load balancers keep theirs, so that they never use a connection we closed. */
  readonly keepAliveTimeout: number;
  /** Time without a byte in either direction during an answer, for example because the client does not read. */
  readonly idleTimeout: number;
  /** How often Node checks connections against the first two limits. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of all headers of one request. A request with more gets 431. */
  readonly maxHeaderSize: number;
  /** Open connections. Further ones are closed at once, which leaves file descriptors for the database. */
  readonly maxConnections: number;
  /** Unanswered requests on one connection. A client that sends more is disconnected. */
  readonly maxPipelined: number;
}

/** @internal */
export const SERVER_LIMITS: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  idleTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 10_000,
  maxPipelined: 10,
};

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
}

/** @throws Error Node's own, for example with code EADDRINUSE. */
export async function startServer(app: Hono<HttpEnv>, options: ServerOptions): Promise<RunningServer> {
  const { idleTimeout, maxConnections, maxPipelined, ...serverOptions } = { ...SERVER_LIMITS, ...options.limits };
  const isTooMany = createPipelineBound(maxPipelined);
  let closing = false;
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const bindings = env as HttpBindings;
      if (isTooMany(bindings)) {
        bindings.incoming.socket.destroy();
        return new Response(null, { status: 429 });
      }
      const response = await app.fetch(request, bindings);
      // Otherwise a client that reuses its connection would keep the server open.
      if (closing) response.headers.set('connection', 'close');
      return response;
    },
    serverOptions,
  }) as Server; // The adapter creates other server types only with other options.
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeout);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    async close(graceMs, noticeMs = 0) {
      closing = true;
      if (noticeMs > 0) await delay(noticeMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve())); // Also closes idle connections.
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/**
 * Node passes on all pipelined requests at once, without waiting for earlier answers.
 * @returns a function that is true for a request if its connection has too many unanswered ones.
 */
function createPipelineBound(maxPipelined: number): (bindings: HttpBindings) => boolean {
  const unanswered = new WeakMap<object, number>();
  return ({ incoming: { socket }, outgoing }) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    outgoing.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return count > maxPipelined;
  };
}

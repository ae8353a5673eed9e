import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { type CorrelationId, newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { countRequest } from '../../telemetry/instruments.ts';
import { inNewTrace, markFailed, SpanKind } from '../../telemetry/tracing.ts';
import type { Graphql } from '../graphql/graphql.ts';
import { hideBodies, takesBody } from './bodies.ts';
import { clientAddress, type HttpEnv } from './exchange.ts';

/** Of a GraphQL request's JSON body. */
export const MAX_BODY_BYTES = 64 * 1024;

export interface HttpOptions {
  readonly log: Log;
  /** How many reverse proxies stand in front; see `clientAddress`. */
  readonly trustedProxies: number;
  /** Whether it is reached over https: browsers are told to come no other way. False by default. */
  readonly secure?: boolean;
  /** GraphQL endpoints by path. */
  readonly graphql: Readonly<Record<string, Graphql>>;
  /** Schemas by path, as text. */
  readonly schemas: Readonly<Record<string, string>>;
  /** What keeps the process from serving, in a few words each; none when it is ready. Answers within a few seconds. */
  readonly unready: () => Promise<readonly string[]>;
  /** Pages with paths of their own, such as those of the connect flow. */
  readonly pages?: readonly Hono<HttpEnv>[];
}

/** Everything the api serves, as one function from request to response. */
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
  app.use(exchange(log, trustedProxies), safeHeaders(secure), hideBodies);

  for (const [path, answer] of Object.entries(graphql)) {
    // Only POST: every other method gets the 404 of a path that is not there.
    app.post(path, takesBody(MAX_BODY_BYTES), async (c) => await answer(c.req.raw, c.get('exchange')));
  }
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
  app.onError((error, c) => {
    const { log } = c.get('exchange');
    if (c.req.raw.signal.aborted) {
      log.debug('The caller hung up', { error });
      return c.text('The request ended early.', 400);
    }
    log.error('Unexpected failure', { error });
    return c.text('Something went wrong on our side.', 500);
  });
  return app;
}

const QUIET_ROUTES = ['/healthz', '/readyz'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What a request was, in words that nobody outside chooses: a path may hold a token, a query string certainly may. */
function describe(c: Context<HttpEnv>) {
  const route = routePath(c, -1);
  return {
    method: METHODS.includes(c.req.method) ? c.req.method : 'OTHER',
    route: route === '/*' ? 'none' : route,
    status: c.res.status,
  };
}

/** Gives each request its correlation id, which the answer names, its trace, and its one log line. */
const exchange = (log: Log, trustedProxies: number) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    const startedAtMs = performance.now();
    const correlationId = newId<CorrelationId>();
    const requestLog = log.with({ correlationId });
    const address = clientAddress(c, trustedProxies);
    const operations = new Map<string, string>();
    const atEnd: (() => void)[] = [];
    c.set('exchange', { correlationId, address, log: requestLog, operations, codes: [], atEnd });
    const answer = async () => {
      await next().finally(() => {
        for (const end of atEnd) end();
      });
      c.header('x-correlation-id', correlationId);
      const request = describe(c);
      const ms = performance.now() - startedAtMs;
      countRequest(request, ms / 1000);
      requestLog[QUIET_ROUTES.includes(request.route) ? 'debug' : 'info']('Request', {
        ...request,
        ms: Math.round(ms),
        ...(operations.size > 0 && { operations: [...operations.values()] }),
        ...(c.get('exchange').codes.length > 0 && { codes: [...new Set(c.get('exchange').codes)] }),
      });
    };
    if (QUIET_ROUTES.includes(c.req.path)) await answer();
    else await traced(c, answer);
  });

async function traced(c: Context<HttpEnv>, answer: () => Promise<void>): Promise<void> {
  const { correlationId } = c.get('exchange');
  const options = { kind: SpanKind.SERVER, correlationId, callersTraceparent: c.req.header('traceparent') };
  await inNewTrace('request', options, async (span) => {
    await answer();
    const { method, route, status } = describe(c); // Only now is it known which route it took.
    span.updateName(`${method} ${route}`);
    span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
    if (status >= 500) markFailed(span, String(status));
  });
}

/** For what a browser might be made to open here; pages set stricter or other ones themselves. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Two years, for this host alone: its parent's other hosts are not ours. RFC 6797. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' };

const safeHeaders = (secure: boolean) => {
  const headers = Object.entries({ ...SAFE_HEADERS, ...(secure && HSTS) });
  return createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    for (const [name, value] of headers) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });
};

export interface RunningServer {
  readonly port: number;
  /**
   * Goes on serving for `noticeMs`, every answer the last on its connection; then stops listening, lets requests in
   * flight finish for up to `graceMs`, and cuts off what is left.
   */
  close(graceMs: number, noticeMs?: number): Promise<void>;
}

/** How long a client may take, in milliseconds, and how much it may hold: nobody keeps a socket by doing nothing. */
export interface ServerLimits {
  /** To send all headers of a request. */
  readonly headersTimeout: number;
  /** To send a whole request. */
  readonly requestTimeout: number;
  /** Between two requests. Longer than a load balancer keeps its end, so that it is never the one to find it gone. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction while a request is answered, such as of a client that does not read. */
  readonly idleTimeout: number;
  /** How often connections are held against the first two. */
  readonly connectionsCheckingInterval: number;
  /** Of the headers of one request, together. Longer ones answer 431. */
  readonly maxHeaderSize: number;
  /** Open at once; further ones are closed at once. They leave file descriptors for the database. */
  readonly maxConnections: number;
  /** Requests on one connection that have no answer yet. Whoever sends more without waiting is cut off. */
  readonly maxPipelined: number;
}

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
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
}

/** @throws Error as Node does, such as with code EADDRINUSE. */
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
      // Or a client that keeps its connection would hold the server open.
      if (closing) response.headers.set('connection', 'close');
      return response;
    },
    serverOptions,
  }) as Server; // The adapter's other kinds of server come with options of their own.
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
 * Node hands out all requests that a client has sent, whether or not it waits for their answers.
 * @returns tells of each request whether its connection has too many without an answer.
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

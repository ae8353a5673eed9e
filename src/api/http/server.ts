import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { ServiceError } from '../../basics/errors.ts';
import { type ListenAt, listen } from '../../basics/listen.ts';
import type { Log } from '../../basics/log.ts';
import { logOutage } from '../../store/driver/log-outage.ts';
import type { Graphql } from '../graphql/contract.ts';
import { hideBodies } from './bodies.ts';
import { boundChunks } from './bound-chunks.ts';
import { getClientAddress, type HttpEnv } from './exchange.ts';
import { createGraphqlEndpoint, type GraphqlEndpoint } from './graphql-endpoint.ts';
import { createExchange, type Described, isProbe, recordExchange } from './record-exchange.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';

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
  /** True if only operators reach the listener. Then `/readyz` names the reasons. False by default: strangers ask too. */
  readonly tellsReasons?: boolean;
  /** Refuses pages while the database may not serve. @throws ServiceError */
  readonly mayServe?: () => void;
  /** The page at `/`, if there is one. */
  readonly front?: Hono<HttpEnv>;
  /** Further routes, such as the pages of the connect flow. */
  readonly pages?: readonly Hono<HttpEnv>[];
}

/** An app, and its GraphQL endpoints. */
export interface HttpApp extends Hono<HttpEnv> {
  readonly endpoints: readonly GraphqlEndpoint[];
}

/** Creates the app that answers all requests to the api. */
export function createHttpApp({
  log,
  trustedProxies,
  secure = false,
  graphql,
  schemas,
  unready,
  tellsReasons = false,
  mayServe = () => undefined,
  front,
  pages = [],
}: HttpOptions): HttpApp {
  const app = new Hono<HttpEnv>();
  const headers = { ...SAFE_HEADERS, ...(secure && HSTS) };

  const endpoints = Object.entries(graphql).map(([path, answer]) => {
    const endpoint = createGraphqlEndpoint({ path, graphql: answer, log, trustedProxies, headers });
    // Ahead of the middleware, which copies requests and answers. Every method except POST gets the 404 of an unknown path.
    app.post(path, (c) => endpoint.answerFetch(c));
    return endpoint;
  });
  app.use(exchanges(log, trustedProxies), setSafeHeaders(headers), hideBodies);

  for (const [path, text] of Object.entries(schemas)) {
    app.get(path, (c) => c.text(text));
  }
  if (front !== undefined) app.route('/', front);
  // For a person who opens an address in a browser, and one who posts to the base URL. The status stays that of an unknown path.
  const paths = Object.keys(graphql);
  for (const path of ['/', ...paths])
    app.on(path === '/' ? ['GET', 'POST'] : ['GET'], [path], (c) => {
      const line = describeHost(path, paths, Object.keys(schemas));
      const isBrowser = path === '/' && c.req.header('accept')?.includes('text/html');
      return isBrowser ? c.html(toPage(line), 404) : c.text(line, 404);
    });
  const answerReadiness = async (c: Context<HttpEnv>) => {
    const reasons = await unready();
    if (reasons.length === 0) return c.text('ready');
    return c.text(tellsReasons ? reasons.join('\n') : 'not ready', 503);
  };
  app.on(['GET', 'OPTIONS'], '/healthz', (c) => c.text('alive'));
  app.on(['GET', 'OPTIONS'], '/readyz', answerReadiness);
  app.options('/', answerReadiness); // HAProxy's request by `option httpchk` alone.
  app.use(async (_c, next) => {
    mayServe();
    await next();
  });
  for (const page of pages) app.route('/', page);

  app.notFound((c) => c.text('Not found.', 404));
  app.onError((error, c) => answerFailure(error, c));
  return Object.assign(app, { endpoints });
}

/** One line with the addresses. @param paths of the GraphQL endpoints. */
function describeHost(path: string, paths: readonly string[], schemas: readonly string[]): string {
  const here = path === '/' ? 'No page here.' : 'No page here: this address takes GraphQL by POST, with a key.';
  const endpoints = path === '/' ? ` POST GraphQL to ${paths.join(' or ')}.` : '';
  return `Social Account Connection Service. ${here}${endpoints} Open ${schemas.join(' or ')} to read the schema${
    paths.includes('/api/admin/graphql') ? ', and /admin for the operators’ console' : ''
  }.\n`;
}

/** The same for a browser, with the addresses to open as links. @param line of our own words only */
function toPage(line: string): string {
  const isAddress = (word: string) => word === '/admin' || (word.startsWith('/') && word.endsWith('schema.graphql'));
  const words = line.trim().split(' ');
  const text = words.map((word) => (isAddress(word) ? `<a href="${word}">${word}</a>` : word)).join(' ');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Social Account Connection Service</title><p>${text}</p></html>\n`;
}

function answerFailure(error: unknown, c: Context<HttpEnv>): Response {
  const { log } = c.get('exchange');
  if (c.req.raw.signal.aborted) {
    log.debug('The caller hung up', { error });
    return c.text('The request ended early.', 400);
  }
  if (error instanceof ServiceError) return c.text(error.message, 503);
  if (!logOutage(log, error)) log.error('Unexpected failure', { error });
  return c.text('Something went wrong on our side.', 500);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Describes a request without any text from outside, because its path or query string may contain a token. */
function describe(c: Context<HttpEnv>): Described {
  const route = matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path ?? 'none'; // `/*` is middleware.
  return {
    method: METHODS.includes(c.req.method) ? c.req.method : 'OTHER',
    route,
    status: c.res.status,
  };
}

/** Gives each request a correlation id, which it also sends in the answer, a trace, and one log line. */
const exchanges = (log: Log, trustedProxies: number) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    const own = getConnInfo(c).remote.address ?? '';
    const exchange = createExchange(getClientAddress(own, c.req.raw.headers, trustedProxies), log);
    c.set('exchange', exchange);
    await recordExchange(
      exchange,
      { isQuiet: isProbe(c.req.method, c.req.path), traceparent: c.req.header('traceparent') ?? null },
      async () => {
        await next();
        c.header('x-correlation-id', exchange.correlationId);
      },
      () => describe(c),
    );
  });

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

const SERVER_LIMITS: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  idleTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 10_000,
  maxPipelined: 10,
};

/** Answers a request before the app is asked. @returns whether it does */
export type AnswerDirectly = (
  endpoints: readonly GraphqlEndpoint[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => boolean;

export interface ServerOptions extends ListenAt {
  readonly limits?: Partial<ServerLimits>;
  readonly answerDirectly?: AnswerDirectly | undefined;
}

/** @throws ListenError */
export async function startServer(
  app: Hono<HttpEnv> & Partial<Pick<HttpApp, 'endpoints'>>,
  options: ServerOptions,
): Promise<RunningServer> {
  const { answerDirectly = () => false } = options;
  const { idleTimeout, maxConnections, maxPipelined, ...serverOptions } = { ...SERVER_LIMITS, ...options.limits };
  const unanswered = new Unanswered();
  let closing = false;
  // HTTP/1.0 has no Host header (RFC 9112, section 3.2), and health checks of proxies still use it.
  const answerByRoute = getRequestListener((request, env) => app.fetch(request, env), { hostname: 'localhost' });
  const server = createServer(serverOptions, (incoming, outgoing) => {
    if (unanswered.add(incoming, outgoing) > maxPipelined) return void incoming.socket.destroy();
    if (closing) closeAfterwards(outgoing);
    if (refuseAmbiguous(incoming, outgoing)) return;
    boundChunks(incoming);
    writeHostCanonically(incoming);
    if (!answerDirectly(app.endpoints ?? [], incoming, outgoing)) void answerByRoute(incoming, outgoing);
  });
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeout);
  const port = await listen(server, options);
  return {
    port,
    async close(graceMs, noticeMs = 0) {
      closing = true;
      unanswered.each(closeAfterwards);
      if (noticeMs > 0) await delay(noticeMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve())); // Also closes idle connections.
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cutOff);
    },
  };
}

/** Node's adapter refuses an IPv6 address in any other form, and a proxy sends its operator's spelling. */
function writeHostCanonically({ headers }: IncomingMessage): void {
  if (headers.host !== undefined && /^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(headers.host))
    headers.host = URL.parse(`http://${headers.host}`)?.host ?? headers.host;
}

/** Otherwise a client that reuses its connection would keep the server open. */
function closeAfterwards(outgoing: ServerResponse): void {
  outgoing.shouldKeepAlive = false;
}

/** The requests that have no answer yet. Node passes on all pipelined ones at once, without waiting for earlier answers. */
class Unanswered {
  readonly #all = new Set<ServerResponse>();
  readonly #perSocket = new WeakMap<object, number>();

  /** @returns how many its connection has. */
  add({ socket }: IncomingMessage, outgoing: ServerResponse): number {
    const count = (this.#perSocket.get(socket) ?? 0) + 1;
    this.#all.add(outgoing);
    this.#perSocket.set(socket, count);
    outgoing.once('close', () => {
      this.#all.delete(outgoing);
      this.#perSocket.set(socket, (this.#perSocket.get(socket) ?? 1) - 1);
    });
    return count;
  }

  each(act: (outgoing: ServerResponse) => void): void {
    for (const outgoing of this.#all) act(outgoing);
  }
}

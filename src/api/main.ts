import { type Closings, openTogether } from '../basics/closings.ts';
import type { ListenAt } from '../basics/listen.ts';
import { createLog, type Log } from '../basics/log.ts';
import { shutdownSignal } from '../basics/shutdown-signal.ts';
import { watchPauses } from '../basics/watch-pauses.ts';
import type { ApiConfig } from '../config/config.ts';
import { createOidc } from '../identity/oidc.ts';
import { openJournalKeeper } from '../journal/keep.ts';
import { watchFreshness } from '../journal/watch-freshness.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { createCatalog } from '../providers/catalog.ts';
import { createHttp, type Http } from '../providers/http.ts';
import { findKeyOwner, updateKeyLastUse } from '../store/apps/keys.ts';
import { measureRoundTrip } from '../store/gauges.ts';
import { watchCommits } from '../store/watch-commits.ts';
import { initializeIssuerCounters } from '../telemetry/instruments.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { observePool } from '../telemetry/observe-pool.ts';
import { startTracing } from '../telemetry/start-tracing.ts';
import { createTemporalClient } from '../temporal/client.ts';
import { createMac } from '../vault/mac.ts';
import { createOpen } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';
import { createFrontPage } from './connect/front-page.tsx';
import { createHeldCallbacks } from './connect/held-callbacks.ts';
import { createLogoRoutes } from './connect/logo.ts';
import { readOperator } from './connect/operator.ts';
import { createConnectRoutes } from './connect/routes.ts';
import type { ApiDeps } from './deps.ts';
import { type FastPaths, fastPaths } from './fast/fast-paths.ts';
import { createFreshness } from './freshness.ts';
import { createAppAccess } from './graphql/authorization.ts';
import { createGraphql } from './graphql/graphql.ts';
import { createKeyUse, type KeyUse } from './graphql/key-use.ts';
import { callersSchema } from './graphql/schema-texts.ts';
import { unavailable } from './http/in-time.ts';
import { createHttpApp, type HttpOptions, type RunningServer, type ServerOptions, startServer } from './http/server.ts';
import { Turns } from './http/turns.ts';
import { isAdminSecure, openAdmin } from './open-admin.ts';
import { type Databases, openDatabases } from './open-databases.ts';
import { createPlatformRoutes } from './platform-callbacks/routes.ts';
import { createReadiness, refuseDatabase } from './readiness.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { resolvers } from './resolvers/index.ts';

const NOTICE_SECONDS = 5;
const ADMIN_PORT = 8082;
/** Database connections that one app cannot occupy. */
const CONNECTIONS_FOR_OTHERS = 2;
/** Queries of one app at the same time. They share statements, so they need few connections. */
const MAX_QUERIES = 32;
/** The most queued requests of one app. */
const MAX_WAITING = 200;

export interface RunningApi {
  readonly port: number;
  /** Equal to `port` if the admin API has no listener of its own. */
  readonly adminPort: number;
  /** Reports on `/readyz` that the process stops, lets requests in flight finish, then closes everything. */
  close(): Promise<void>;
}

/** Starts the server for GraphQL, the browser side of Connect, the admin API and the console. */
export const startApi = (config: ApiConfig, log: Log): Promise<RunningApi> =>
  openTogether(log, async (closings) => {
    closings.add({ close: await startTracing(config, 'accounts-api', log) });
    closings.add({ close: watchPauses(log) });
    const databases = openDatabases(config, log, closings);
    const { sql } = databases;
    const metrics = await startMetrics(config, databases, log);
    if (metrics !== undefined) closings.add(metrics);
    const mac = createMac(config.VAULT_MAC_KEYS);
    const journal = openJournalKeeper(sql, config, mac);
    const freshness = createFreshness(journal, log);
    await refuseDatabase(sql, log);
    await freshness.refuseStale();
    const watch = closings.add(watchFreshness(sql, journal, log));
    closings.add(watchCommits(databases.link, log));
    const mayServe = () => {
      if (watch.findReason() !== undefined) throw unavailable();
    };

    const temporal = createTemporalClient(config);
    closings.add(temporal.connection);
    const outbox = closings.add(createDispatcher({ sql, client: temporal, taskQueue: config.TASK_QUEUE, log }));
    const http = closings.add(createHttp({ production: config.DEPLOYMENT === 'production' }));
    const deps = await createDeps(config, { sql, outbox, mac });
    const fast: Partial<FastPaths> = config.FAST_PATHS ? fastPaths : {};
    const keyUse = closings.add(createKeyUse((keyIds) => updateKeyLastUse(sql, keyIds), log));
    const parts = {
      callers: consumerGraphql(deps, { keyUse, mayServe, fast }),
      connect: openConnect(deps, { http, log }, closings),
      admin: openAdmin(deps, { temporal, http, mayServe, createFast: fast.createFast }, closings),
      unready: createReadiness(sql, freshness, log),
    };
    const ports = await serve(config, parts, { log, mayServe, answerDirectly: fast.answerDirectly }, closings);
    void parts.unready(); // Logs missing parts before the first check arrives.
    outbox.deliverSoon(); // An earlier process may have left undelivered entries.
    return ports;
  });

async function createDeps(config: ApiConfig, open: Pick<ApiDeps, 'sql' | 'outbox' | 'mac'>): Promise<ApiDeps> {
  return {
    ...open,
    config,
    facts: createCatalog(config),
    sealInbox: await createSeal(config.VAULT_INBOX_PUBLIC_KEYS),
    sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
    openEdge: await createOpen(config.VAULT_EDGE_KEYS),
    attemptRefusals: new RecentRefusals(),
    suspendSiblings: config.SUSPEND_SIBLINGS ?? config.DEPLOYMENT === 'production',
  };
}

/** Opens the pages for people who connect an account, and the addresses that platforms call. */
function openConnect(deps: ApiDeps, { http, log }: { http: Http; log: Log }, closings: Closings) {
  const { config, sql } = deps;
  const { CONNECT_URL: connectUrl, DATABASE_URL: databaseUrl } = config;
  const production = config.DEPLOYMENT === 'production';
  const operator = readOperator(config);
  if (production && Object.values(operator).includes(undefined))
    log.warn(
      'OPERATOR_NAME, OPERATOR_CONTACT, OPERATOR_PRIVACY_URL or OPERATOR_TERMS_URL is not set: platforms require them',
    );
  const held = closings.add(createHeldCallbacks({ sql, databaseUrl, databaseFiles: config, log }));
  const oidc = createOidc({ fetch: http.fetch, allowHttp: !production, unlistedPrompt: config.IDENTITY_PROMPT });
  const launchesPerAddress = config.CONNECT_LAUNCHES_PER_ADDRESS;
  const logos = createLogoRoutes(deps);
  return {
    front: createFrontPage(operator, deps.facts),
    logos,
    pages: [
      logos, // Ahead of the pages, whose headers forbid to keep an answer.
      createConnectRoutes({ ...deps, operator, held, connectUrl, oidc, launchesPerAddress }),
      createPlatformRoutes({ ...deps, operator, connectUrl }),
    ],
  };
}

interface Parts {
  readonly callers: ReturnType<typeof consumerGraphql>;
  readonly connect: ReturnType<typeof openConnect>;
  readonly admin: ReturnType<typeof openAdmin>;
  readonly unready: () => Promise<readonly string[]>;
}

/** Listens: for everything at one port, or in production and with ADMIN_PORT for operators at another one. */
async function serve(
  config: ApiConfig,
  { callers, connect, admin, unready }: Parts,
  { answerDirectly, ...shared }: Pick<HttpOptions, 'log' | 'mayServe'> & Pick<ServerOptions, 'answerDirectly'>,
  closings: Closings,
): Promise<Pick<RunningApi, 'port' | 'adminPort'>> {
  const production = config.DEPLOYMENT === 'production';
  let stopping = false;
  const servers: RunningServer[] = [];
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  const noticeMs = (config.SHUTDOWN_NOTICE_SECONDS ?? (production ? NOTICE_SECONDS : 0)) * 1000;
  closings.add({
    close: async () => {
      stopping = true;
      await Promise.all(servers.map((server) => server.close(graceMs, noticeMs)));
    },
  });
  const start = async (options: Omit<HttpOptions, 'log' | 'trustedProxies' | 'unready'>, at: ListenAt) => {
    const app = createHttpApp({
      ...shared,
      trustedProxies: config.TRUSTED_PROXIES,
      unready: async () => (stopping ? ['the process is stopping'] : await unready()),
      ...options,
    });
    const server = await startServer(app, { ...at, answerDirectly });
    servers.push(server);
    return server.port;
  };
  const hasAdminListener = production || config.ADMIN_PORT !== undefined;
  const beside = hasAdminListener ? { graphql: {}, schemas: {}, pages: [] } : admin;
  const port = await start(
    {
      front: connect.front,
      tellsReasons: !hasAdminListener,
      secure: config.CONNECT_URL.startsWith('https://'),
      graphql: { '/graphql': callers, ...beside.graphql },
      schemas: { '/schema.graphql': callersSchema, ...beside.schemas },
      pages: [...beside.pages, ...connect.pages],
    },
    { host: config.API_HOST ?? (production ? '::' : '127.0.0.1'), port: config.API_PORT, settings: 'API' },
  );
  if (!hasAdminListener) return { port, adminPort: port };
  const adminPort = await start(
    {
      ...admin,
      tellsReasons: true,
      secure: isAdminSecure(config),
      pages: [...admin.pages, connect.logos], // The console loads them from its own host.
    },
    { host: config.ADMIN_HOST ?? '127.0.0.1', port: config.ADMIN_PORT ?? ADMIN_PORT, settings: 'ADMIN' },
  );
  return { port, adminPort };
}

/** Loads the metrics library only if metrics are configured. */
async function startMetrics(config: ApiConfig, { sql, size }: Databases, log: Log): Promise<Metrics | undefined> {
  const { API_METRICS_PORT: port, API_METRICS_HOST: host } = config;
  if (port === undefined) return undefined;
  const { startMetrics } = await import('../telemetry/metrics.ts');
  const metrics = await startMetrics({ host, port, settings: 'API_METRICS' }, log);
  observePool(metrics.board, { size, timeRoundTrip: () => measureRoundTrip(sql) });
  initializeIssuerCounters();
  return metrics;
}

function consumerGraphql(
  deps: ApiDeps,
  { keyUse, mayServe, fast }: { keyUse: KeyUse; mayServe: () => void; fast: Partial<FastPaths> },
) {
  const running = Math.max(1, deps.config.DATABASE_POOL_SIZE - CONNECTIONS_FOR_OTHERS);
  const turns = {
    queries: new Turns({ running: MAX_QUERIES, waiting: MAX_WAITING }),
    mutations: new Turns({ running, waiting: MAX_WAITING }),
  };
  return createGraphql({
    endpoint: '/graphql',
    typeDefs: callersSchema,
    resolvers,
    open: ['status'],
    shared: deps,
    createFast: fast.createFast,
    ...createAppAccess((keyId) => findKeyOwner(deps.sql, keyId), turns, {
      noteUse: keyUse.note,
      limits: { mayServe },
      createGuess: fast.createGuess,
    }),
  });
}

/** Serves until the process receives a shutdown signal. */
export async function runApi(config: ApiConfig): Promise<void> {
  const log = createLog(config.LOG_LEVEL).with({ component: 'api' });
  const stopped = shutdownSignal();
  const api = await startApi(config, log);
  log.info('Api listens', { port: api.port });
  if (api.adminPort !== api.port) log.info('Admin listens', { port: api.adminPort });
  const signal = await stopped;
  log.info('Api stops', { signal });
  await api.close();
  log.info('Api stopped');
}

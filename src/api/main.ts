import { createLog, type Log } from '../basics/log.ts';
import { shutdownSignal } from '../basics/shutdown-signal.ts';
import { readTemporalSettings } from '../basics/temporal-settings.ts';
import { type ApiConfig, ConfigError } from '../config/config.ts';
import { createOidc } from '../identity/oidc.ts';
import { createOperatorSignIn } from '../identity/operator-sign-in.ts';
import { createIssuerTest } from '../identity/test-issuer.ts';
import { openJournalKeeper } from '../journal/keep.ts';
import { watchFreshness } from '../journal/watch-freshness.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { createCatalog } from '../providers/catalog.ts';
import { createHttp, type Http } from '../providers/http.ts';
import { findKeyOwner, updateKeyLastUse } from '../store/apps/keys.ts';
import { createBusinessClock } from '../store/business-clock.ts';
import { addReadConnection } from '../store/driver/read-connection.ts';
import { openLink } from '../store/driver/reconnecting-pool.ts';
import { openDatabase } from '../store/driver/sql.ts';
import { measureRoundTrip } from '../store/gauges.ts';
import { watchCommits } from '../store/watch-commits.ts';
import { initializeIssuerCounters } from '../telemetry/instruments.ts';
import { observePool } from '../telemetry/observe-pool.ts';
import { startTracing } from '../telemetry/start-tracing.ts';
import { createWorkflowAsker } from '../temporal/ask-workflow.ts';
import { createTemporalClient } from '../temporal/client.ts';
import { createMac } from '../vault/mac.ts';
import { createOpen } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';
import { createAdmin } from './admin/admin.ts';
import { createTemporalUi } from './admin/temporal-ui.ts';
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
import { createHttpApp, startServer } from './http/server.ts';
import { Turns } from './http/turns.ts';
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
export async function startApi(config: ApiConfig, log: Log): Promise<RunningApi> {
  const production = config.DEPLOYMENT === 'production';
  const host = config.API_HOST ?? (production ? '::' : '127.0.0.1');
  const endTracing = await startTracing(config, 'accounts-api', log);
  const metrics = await startMetrics(config, log);
  const openPool = (poolSize: number) => () =>
    openDatabase(config.DATABASE_URL, {
      poolSize,
      applicationName: 'api',
      files: config,
      sharesRoundTrips: config.FAST_PATHS,
    });
  const link = openLink(openPool(1), () => log.warn('Silent database connections replaced'));
  const fast: Partial<FastPaths> = config.FAST_PATHS ? fastPaths : {};
  const sql = link.openPool(openPool(Math.max(1, config.DATABASE_POOL_SIZE - 1)));
  const readConnection = link.openPool(openPool(1));
  if (config.FAST_PATHS) addReadConnection(sql, readConnection);
  const mac = createMac(config.VAULT_MAC_KEYS);
  const journal = openJournalKeeper(sql, config, mac);
  const freshness = createFreshness(journal, log);
  await refuseDatabase(sql, log);
  await freshness.refuseStale();
  if (metrics !== undefined) {
    observePool(metrics.board, {
      size: sql.options.max + readConnection.options.max,
      timeRoundTrip: () => measureRoundTrip(sql),
    });
    initializeIssuerCounters();
  }
  const temporal = createTemporalClient(config);
  const asker = createWorkflowAsker(temporal, config.TASK_QUEUE);
  const outbox = createDispatcher({ sql, client: temporal, taskQueue: config.TASK_QUEUE, log });
  const userAgent = 'social-account-connection-service';
  const http = createHttp({ production, userAgent });
  // Only its settings name the issuer of operators. Those of callers' issuers never reach a private network.
  const operatorsHttp = createHttp({
    production,
    userAgent,
    privateNetworks: config.ADMIN_OIDC_PRIVATE_NETWORKS ?? [],
  });
  const deps: ApiDeps = {
    config,
    sql,
    outbox,
    facts: createCatalog(config),
    mac,
    sealInbox: await createSeal(config.VAULT_INBOX_PUBLIC_KEYS),
    sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
    openEdge: await createOpen(config.VAULT_EDGE_KEYS),
    attemptRefusals: new RecentRefusals(),
    suspendSiblings: config.SUSPEND_SIBLINGS ?? production,
  };
  const watch = watchFreshness(sql, journal, log);
  const commits = watchCommits(link, log);
  const mayServe = () => {
    if (watch.findReason() !== undefined) throw unavailable();
  };
  const keyUse = createKeyUse((keyIds) => updateKeyLastUse(sql, keyIds), log);
  let stopping = false;
  const temporalUi = createTemporalUi(config.TEMPORAL_UI_URL, readTemporalSettings(config).namespace);
  const admin = createAdmin(
    {
      ...deps,
      temporalUi,
      askWorkflow: asker.ask,
      countFailing: asker.countFailing,
      askWorkers: asker.askWorkers,
      testIssuer: createIssuerTest({ fetch: http.fetch, allowHttp: !production }),
      maskNames: config.MASK_NAMES ?? production,
    },
    {
      secure: isAdminSecure(config),
      openId: createOpenIdOptions(config, operatorsHttp, !production),
      installation: {
        name: config.INSTALLATION_NAME ?? (production ? 'Production' : 'Development'),
        color: config.INSTALLATION_COLOR,
      },
      mayServe,
      createFast: fast.createFast,
    },
  );
  const hasOwnListener = production || config.ADMIN_PORT !== undefined;
  const beside = hasOwnListener ? { graphql: {}, schemas: {}, pages: [] } : admin;
  const unready = createReadiness(sql, freshness, log);
  const held = createHeldCallbacks({
    sql,
    databaseUrl: config.DATABASE_URL,
    databaseFiles: config,
    log,
  });
  const shared = {
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    mayServe,
    unready: async () => (stopping ? ['the process is stopping'] : await unready()),
  };
  const operator = readOperator(config);
  if (production && Object.values(operator).includes(undefined))
    log.warn(
      'OPERATOR_NAME, OPERATOR_CONTACT, OPERATOR_PRIVACY_URL or OPERATOR_TERMS_URL is not set: platforms require them',
    );
  const logos = createLogoRoutes(deps);
  const app = createHttpApp({
    ...shared,
    front: createFrontPage(operator, deps.facts),
    tellsReasons: !hasOwnListener,
    secure: config.CONNECT_URL.startsWith('https://'),
    graphql: { '/graphql': consumerGraphql(deps, { keyUse, mayServe, fast }), ...beside.graphql },
    schemas: { '/schema.graphql': callersSchema, ...beside.schemas },
    pages: [
      ...beside.pages,
      logos, // Ahead of the pages, whose headers forbid to keep an answer.
      createConnectRoutes({
        operator,
        ...deps,
        held,
        connectUrl: config.CONNECT_URL,
        oidc: oidcOver(http, !production, config.IDENTITY_PROMPT),
        launchesPerAddress: config.CONNECT_LAUNCHES_PER_ADDRESS,
      }),
      createPlatformRoutes({ ...deps, operator, connectUrl: config.CONNECT_URL }),
    ],
  });
  const server = await startServer(app, {
    host,
    port: config.API_PORT,
    settings: 'API',
    answerDirectly: fast.answerDirectly,
  });
  const adminServer = hasOwnListener
    ? await startServer(
        createHttpApp({
          ...shared,
          tellsReasons: true,
          secure: isAdminSecure(config),
          ...admin,
          pages: [...admin.pages, logos], // The console loads them from its own host.
        }),
        {
          host: config.ADMIN_HOST ?? '127.0.0.1',
          port: config.ADMIN_PORT ?? ADMIN_PORT,
          settings: 'ADMIN',
          answerDirectly: fast.answerDirectly,
        },
      )
    : undefined;
  void unready(); // Logs missing parts before the first check arrives.
  outbox.deliverSoon(); // An earlier process may have left undelivered entries.
  return {
    port: server.port,
    adminPort: adminServer?.port ?? server.port,
    close: async () => {
      stopping = true;
      watch.close();
      commits.close();
      const noticeSeconds = config.SHUTDOWN_NOTICE_SECONDS ?? (production ? NOTICE_SECONDS : 0);
      const [graceMs, noticeMs] = [config.SHUTDOWN_GRACE_SECONDS * 1000, noticeSeconds * 1000];
      await Promise.all([server.close(graceMs, noticeMs), adminServer?.close(graceMs, noticeMs)]);
      await metrics?.close();
      await outbox.close();
      await Promise.all([http.close(), operatorsHttp.close()]);
      await held.close();
      await keyUse.close();
      await Promise.all([sql.end({ timeout: 5 }), readConnection.end({ timeout: 5 }), link.close()]);
      await asker.close();
      await temporal.connection.close();
      await endTracing();
    },
  };
}

/** Loads the metrics library only if metrics are configured. */
async function startMetrics({ API_METRICS_PORT: port, API_METRICS_HOST: host }: ApiConfig, log: Log) {
  if (port === undefined) return undefined;
  return await (await import('../telemetry/metrics.ts')).startMetrics({ host, port, settings: 'API_METRICS' }, log);
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

/** @returns true if operators' browsers use https. A proxy terminates TLS, so only the configuration knows. */
const isAdminSecure = ({ DEPLOYMENT, ADMIN_URL }: ApiConfig): boolean =>
  DEPLOYMENT === 'production' || ADMIN_URL?.startsWith('https://') === true;

/** Reads the OpenID Connect settings of the operators' sign-in. Either all or none are configured. */
function createOpenIdOptions(config: ApiConfig, http: Http, allowHttp: boolean) {
  const { ADMIN_URL, ADMIN_OIDC_ISSUER, ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET, ADMIN_OIDC_ROLES } = config;
  if (ADMIN_OIDC_ISSUER === undefined) return undefined;
  if (!ADMIN_URL || !ADMIN_OIDC_CLIENT_ID || !ADMIN_OIDC_CLIENT_SECRET || !ADMIN_OIDC_ROLES) {
    throw new ConfigError([
      'ADMIN_OIDC_ISSUER needs ADMIN_URL, ADMIN_OIDC_CLIENT_ID, ADMIN_OIDC_CLIENT_SECRET and ADMIN_OIDC_ROLES',
    ]);
  }
  const issuer = {
    issuer: ADMIN_OIDC_ISSUER,
    clientId: ADMIN_OIDC_CLIENT_ID,
    clientSecret: ADMIN_OIDC_CLIENT_SECRET,
    tokenAuthMethod: config.ADMIN_OIDC_TOKEN_AUTH_METHOD,
  };
  const asked = { scopes: config.ADMIN_OIDC_SCOPES, groupClaim: config.ADMIN_OIDC_GROUP_CLAIM };
  const clock = createBusinessClock();
  const signIn = createOperatorSignIn(issuer, asked, { fetch: http.fetch, allowHttp, now: clock.now });
  return { signIn, clock, roles: ADMIN_OIDC_ROLES, adminUrl: ADMIN_URL };
}

const oidcOver = (http: Http, allowHttp: boolean, unlistedPrompt: ApiConfig['IDENTITY_PROMPT']) =>
  createOidc({ fetch: http.fetch, allowHttp, unlistedPrompt });

/** Serves until the process receives a shutdown signal. */
export async function runApi(config: ApiConfig): Promise<void> {
  const log = createLog(config.LOG_LEVEL).with({ component: 'api' });
  const told = shutdownSignal();
  const api = await startApi(config, log);
  log.info('Api listens', { port: api.port });
  if (api.adminPort !== api.port) log.info('Admin listens', { port: api.adminPort });
  const signal = await told;
  log.info('Api stops', { signal });
  await api.close();
  log.info('Api stopped');
}

import { setTimeout as delay } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createIssuerActivities, createProviderActivities, createStoreActivities } from '../activities/index.ts';
import type { WorkerConfig } from '../config.ts';
import { createSignIn } from '../identity/sign-in.ts';
import { createLog, type Log } from '../log.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import { createProviders } from '../providers/adapters.ts';
import { providerFacts } from '../providers/catalog.ts';
import { createHttp } from '../providers/http.ts';
import { PROVIDER_NAMES, type ProviderName } from '../providers/provider.ts';
import { openDatabase } from '../store/sql.ts';
import { createTemporalClient, temporalSettings } from '../temporal.ts';
import { createMac } from '../vault/mac.ts';
import { createOpen } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';
import { IDENTITY } from '../workflows/contract.ts';
import { startHealthServer } from './health.ts';
import { ensureSchedules } from './schedules.ts';

/** Schedules are looked at this often: they go with Temporal's data, and nothing else would bring them back. */
const SCHEDULES_EVERY_MS = 60_000;

/** Runs the workers of one process until told to stop: workflows and our own store, and each provider on its own queue. */
export async function runWorker(config: WorkerConfig): Promise<void> {
  const log = createLog(config.LOG_LEVEL).with({ component: 'worker' });
  installRuntime(log);
  const sql = openDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL_SIZE, applicationName: 'worker' });
  const temporal = createTemporalClient(config);
  const taskQueue = config.TASK_QUEUE;
  const dispatcher = createDispatcher({ sql, client: temporal, taskQueue, log });
  const production = config.DEPLOYMENT === 'production';
  const http = createHttp({ production, userAgent: 'social-account-connection-service' });
  const deps = {
    sql,
    providers: createProviders(config, http),
    facts: providerFacts(config),
    vault: {
      sealGrant: await createSeal(config.VAULT_GRANT_KEYS),
      openGrant: await createOpen(config.VAULT_GRANT_KEYS),
      openInbox: await createOpen(config.VAULT_INBOX_PRIVATE_KEYS),
      sealEdge: await createSeal(config.VAULT_EDGE_KEYS),
    },
    mac: createMac(config.VAULT_MAC_KEYS),
    connectUrl: config.CONNECT_URL,
    suspendSiblings: config.SUSPEND_SIBLINGS ?? production,
    outbox: dispatcher,
    log,
    temporal,
    taskQueue,
    dispatcher,
    signIn: createSignIn({ fetch: http.fetch, allowHttp: !production }),
  };

  const connection = await connect(config, log);
  const shared = {
    connection,
    namespace: temporalSettings(config).namespace,
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds`,
  } satisfies WorkerOptions | { connection: NativeConnection };
  const providerActivities = createProviderActivities(deps);
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      ...(config.WORKFLOW_BUNDLE === undefined
        ? { workflowsPath: new URL(`../workflows/index${import.meta.filename.slice(-3)}`, import.meta.url).pathname }
        : { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } }),
      reuseV8Context: true,
      activities: createStoreActivities(deps),
    }),
    ...PROVIDER_NAMES.map((provider) =>
      Worker.create({
        ...shared,
        taskQueue: `${taskQueue}-${provider}`,
        activities: providerActivities,
        // The queue's rate is the provider's limit, over all workers.
        maxTaskQueueActivitiesPerSecond: callsPerSecond(config, provider),
      }),
    ),
    Worker.create({ ...shared, taskQueue: `${taskQueue}-${IDENTITY}`, activities: createIssuerActivities(deps) }),
  ]);
  await ensureSchedules(temporal, taskQueue);
  const watchSchedules = setInterval(() => {
    ensureSchedules(temporal, taskQueue).catch((error: unknown) => log.warn('Schedules not looked at', { error }));
  }, SCHEDULES_EVERY_MS);
  watchSchedules.unref();

  const health = await startHealthServer(
    { host: config.WORKER_HEALTH_HOST ?? (production ? '0.0.0.0' : '127.0.0.1'), port: config.WORKER_HEALTH_PORT },
    () =>
      workers
        .filter((worker) => worker.getState() !== 'RUNNING')
        .map((worker) => `${worker.options.taskQueue}: ${worker.getState()}`),
  );
  log.info('Worker ready', { port: health.port, taskQueue });
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    clearInterval(watchSchedules);
    await health.close();
    await dispatcher.close();
    await http.close();
    await sql.end({ timeout: 5 });
    await temporal.connection.close();
    await connection.close();
    log.info('Worker stopped');
  }
}

const callsPerSecond = (config: WorkerConfig, provider: ProviderName): number => config[`${provider}_CALLS_PER_SECOND`];

/** Temporal may come up after us. */
async function connect(config: WorkerConfig, log: Log): Promise<NativeConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await NativeConnection.connect(temporalSettings(config).connectionOptions as never);
    } catch (error) {
      log.warn('Temporal not reachable yet', { error, tries });
      await delay(Math.min(10_000, 500 * 2 ** Math.min(tries, 5)));
    }
  }
}

/** The SDK's own lines go through ours, which drops what it does not know: they may quote failures. */
function installRuntime(log: Log): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const error = meta && 'error' in meta ? meta.error : undefined;
    const { workflowId, workflowType, activityType, taskQueue } = (meta ?? {}) as Record<string, string | undefined>;
    const fields = Object.fromEntries(
      Object.entries({ error, workflowId, workflowType, activityType, taskQueue }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    if (level === 'ERROR') log.error(`Temporal SDK: ${message}`, fields);
    else log.warn(`Temporal SDK: ${message}`, fields);
  });
  Runtime.install({ logger, shutdownSignals: ['SIGTERM', 'SIGINT'] });
}

import type { NativeConnection, Worker } from '@temporalio/worker';
import {
  createIssuerActivities,
  createProviderActivities,
  createStoreActivities,
  createWebhookActivities,
} from '../activities/index.ts';
import type { WorkerConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { shutdownSignal } from '../shutdown-signal.ts';
import { measureRoundTrip } from '../store/gauges.ts';
import { observePool } from '../telemetry/observe-pool.ts';
import { createWorkerDeps } from './deps.ts';
import { observeBacklogs, observeState } from './gauges.ts';
import { startHealthServer } from './health.ts';
import { listenToEvents } from './listen-to-events.ts';
import { ensureSchedules, watchSchedules } from './schedules.ts';
import { createWorkerStartup } from './startup.ts';
import { startTelemetry } from './telemetry.ts';
import { createWorkers } from './workers.ts';

/** Runs the workers of one process until it gets a shutdown signal. */
export async function runWorker(config: WorkerConfig): Promise<void> {
  const log = createLog(config.LOG_LEVEL).with({ component: 'worker' });
  const stopping = new AbortController();
  void shutdownSignal().then((signal) => {
    log.info('Worker stops', { signal });
    stopping.abort();
  });
  const host = config.WORKER_HEALTH_HOST ?? (config.DEPLOYMENT === 'production' ? '0.0.0.0' : '127.0.0.1');
  const telemetry = await startTelemetry(config, log);
  const parts = await createWorkerDeps(config, log);
  if (telemetry.metrics !== undefined) {
    const { board } = telemetry.metrics;
    observePool(board, { size: parts.sql.options.max, timeRoundTrip: () => measureRoundTrip(parts.sql) });
    observeState(board, parts.sql, { keepsJournal: parts.journal.isKept });
    observeBacklogs(board, parts.temporal, parts.taskQueue);
  }
  const workers: Worker[] = [];
  const startup = createWorkerStartup(log, stopping.signal);
  const unready = () => (workers.length > 0 ? listIdleWorkers(workers) : startup.reasons());
  const health = await startHealthServer({ host, port: config.WORKER_HEALTH_PORT }, unready);
  let connection: NativeConnection | undefined;
  try {
    connection = await startup.waitForTemporal(config);
    if (connection === undefined || !(await startup.waitForDatabase(parts))) return;
    const activities = {
      store: createStoreActivities(parts),
      provider: createProviderActivities(parts),
      issuer: createIssuerActivities(parts),
      webhook: createWebhookActivities(parts),
    };
    workers.push(...(await createWorkers(config, connection, activities)));
    const { temporal, taskQueue } = parts;
    await ensureSchedules(temporal, taskQueue);
    const endWatch = watchSchedules(temporal, taskQueue, log);
    const events = listenToEvents(config, parts.dispatcher, log);
    log.info('Worker ready', { port: health.port, taskQueue, buildId: config.WORKER_BUILD_ID });
    try {
      await runUntilStopped(workers, stopping.signal);
    } finally {
      await Promise.all([endWatch(), events.close()]);
    }
  } finally {
    await telemetry.metrics?.close();
    await parts.close();
    await connection?.close();
    await health.close();
    await telemetry.endTracing();
    log.info('Worker stopped');
  }
}

/** Runs until the shutdown signal or until one worker fails. Running tasks finish first. */
async function runUntilStopped(workers: readonly Worker[], stopping: AbortSignal): Promise<void> {
  const runs = workers.map((worker) => worker.run());
  const stopAll = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  stopping.addEventListener('abort', stopAll, { once: true });
  if (stopping.aborted) stopAll();
  try {
    await Promise.all(runs);
  } finally {
    stopAll();
    await Promise.allSettled(runs);
  }
}

const listIdleWorkers = (workers: readonly Worker[]): readonly string[] =>
  workers
    .filter((worker) => worker.getState() !== 'RUNNING')
    .map((worker) => `${worker.options.taskQueue}: ${worker.getState()}`);

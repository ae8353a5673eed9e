import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Worker } from '@temporalio/worker';
import { holdActivities } from '../activities/failures.ts';
import { createInlineSteps, NO_INLINE_STEPS } from '../activities/fast/inline-steps.ts';
import {
  createIssuerActivities,
  createProviderActivities,
  createStoreActivities,
  createWebhookActivities,
} from '../activities/index.ts';
import { Closings } from '../basics/closings.ts';
import { createLog, type Log } from '../basics/log.ts';
import { shutdownSignal } from '../basics/shutdown-signal.ts';
import { watchPauses } from '../basics/watch-pauses.ts';
import type { WorkerConfig } from '../config/config.ts';
import { repeatLostLines } from '../domain/disconnecting/repeat-lost-lines.ts';
import { type FreshnessWatch, watchFreshness } from '../journal/watch-freshness.ts';
import { describeWorker } from '../outbox/queue-owner.ts';
import { pollWebhookWakes } from '../outbox/wake-webhooks.ts';
import { listFaultsInTime } from '../store/database-faults.ts';
import { measureRoundTrip } from '../store/gauges.ts';
import { getInstallationId } from '../store/installation.ts';
import { observePool } from '../telemetry/observe-pool.ts';
import { startTracing } from '../telemetry/start-tracing.ts';
import { createRecall } from '../temporal/recall.ts';
import { createWorkerDeps } from './deps.ts';
import { observeState, observeTemporal } from './gauges.ts';
import { startHealthServer } from './health.ts';
import { runOwnSweeps } from './own-sweeps.ts';
import { claimQueue, keepPresence } from './presence.ts';
import { watchFailovers } from './repair-failovers.ts';
import { runUntilStopped } from './run-workers.ts';
import { watchSchedules } from './schedules.ts';
import { createWorkerStartup } from './startup.ts';
import { startTelemetry } from './telemetry.ts';
import { warnOfBuilds } from './warn-of-builds.ts';
import { createWorkers } from './workers.ts';

/** Longer than the library takes to close, after the time that tasks have. */
const CLOSING_MS = 10_000;

/** Runs the workers of one process until it gets a shutdown signal. */
export async function runWorker(config: WorkerConfig): Promise<void> {
  const log = createLog(config.LOG_LEVEL).with({ component: 'worker' });
  const stopping = new AbortController();
  void shutdownSignal().then((signal) => {
    log.info('Worker stops', { signal });
    stopping.abort();
  });
  const closings = new Closings(log);
  closings.add({ close: watchPauses(log) });
  try {
    await work(config, log, { stopping: stopping.signal, closings });
  } finally {
    await closings.close();
    log.info('Worker stopped');
  }
}

async function work(
  config: WorkerConfig,
  log: Log,
  { stopping, closings }: { stopping: AbortSignal; closings: Closings },
): Promise<void> {
  closings.add({ close: await startTracing(config, 'accounts-worker', log) });
  const parts = closings.add(await createWorkerDeps(config, log));
  if (config.DEPLOYMENT === 'production' && !parts.journal.isKept)
    log.warn('ERASURE_JOURNAL is not set: a restored backup brings back what was erased since');
  const metrics = await startTelemetry(config, log);
  if (metrics !== undefined) {
    const { board } = closings.add(metrics);
    observePool(board, { size: parts.sql.options.max, timeRoundTrip: () => measureRoundTrip(parts.sql) });
    observeState(board, parts.sql, { keepsJournal: parts.journal.isKept });
    observeTemporal(board, parts.temporal, parts.taskQueue);
  }
  const workers: Worker[] = [];
  const startup = createWorkerStartup(log, stopping);
  let freshness: FreshnessWatch | undefined;
  const listFaults = shareAnswers(() => listFaultsInTime(parts.sql, 'worker'));
  const unready = async () => {
    if (workers.length === 0) return startup.reasons();
    const stale = freshness?.findReason();
    if (stale !== undefined) return [stale];
    const idle = listIdleWorkers(workers);
    return idle.length > 0 ? idle : await listFaults();
  };
  const host = config.WORKER_HEALTH_HOST ?? (config.DEPLOYMENT === 'production' ? '::' : '127.0.0.1');
  const at = { host, port: config.WORKER_HEALTH_PORT, settings: 'WORKER_HEALTH' };
  const health = closings.add(await startHealthServer(at, unready));
  const connection = await startup.waitForTemporal(config);
  if (connection === undefined) return;
  closings.add(connection); // The library refuses to close it if a worker was created and never ran.
  if (!(await startup.waitForDatabase(parts))) return;
  const own = { workerId: randomUUID(), name: `${hostname()}:${health.port}` };
  if (!(await startup.waitForQueue(() => claimQueue(parts, own)))) return;
  const recall = createRecall(parts.temporal, parts.taskQueue);
  const watch = watchFreshness(parts.sql, parts.journal, log, {
    repeat: (seenAt) => repeatLostLines({ ...parts, recall }, seenAt),
  });
  freshness = closings.add(watch);
  const provider = holdActivities(watch, createProviderActivities(parts), { areRetried: false });
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1_000;
  const activities = {
    store: holdActivities(watch, createStoreActivities(parts), { areRetried: true }),
    provider,
    inlineSteps: config.FAST_PATHS ? createInlineSteps(provider, { stopping, graceMs }) : NO_INLINE_STEPS,
    issuer: holdActivities(watch, createIssuerActivities(parts), { areRetried: false }),
    webhook: holdActivities(watch, createWebhookActivities(parts), { areRetried: true }),
  };
  const wakes = closings.add(pollWebhookWakes(parts, parts.dispatcher));
  const options = { identity: describeWorker(own.workerId), activityEnded: wakes.lookSoon };
  workers.push(...(await createWorkers(config, connection, activities, options)));
  const { temporal, taskQueue } = parts;
  const installationId = await getInstallationId(parts.sql);
  const endWatch = watchSchedules(temporal, { taskQueue, installationId }, log);
  const endPresence = keepPresence(parts, own, stopping);
  const sweeps = runOwnSweeps(parts, { findHold: watch.findReason });
  const failovers = watchFailovers({ ...parts, recall }, () => watch.findReason() === undefined);
  closings.add({ close: () => Promise.all([endWatch(), endPresence(), sweeps.close(), failovers.close()]) });
  if (config.WORKER_BUILD_ID === undefined) void warnOfBuilds(temporal, taskQueue, log); // Work does not wait for it.
  log.info('Worker ready', { port: health.port, taskQueue, buildId: config.WORKER_BUILD_ID });
  await runUntilStopped(workers, stopping, { patienceMs: graceMs + CLOSING_MS });
}

/** All requests within a second get the same answer. */
function shareAnswers<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return async () => {
    if (last === undefined || performance.now() - last.atMs >= 1_000) last = { atMs: performance.now(), answer: ask() };
    return await last.answer;
  };
}

const listIdleWorkers = (workers: readonly Worker[]): readonly string[] =>
  workers
    .filter((worker) => worker.getState() !== 'RUNNING')
    .map((worker) => `${worker.options.taskQueue}: ${worker.getState()}`);

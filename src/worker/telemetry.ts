import { createServer } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { findAnswer, isLoggedWithJob } from '../activities/failures.ts';
import type { Log, LogFields } from '../basics/log.ts';
import { SWEEPS } from '../basics/sweeps.ts';
import type { WorkerConfig } from '../config/config.ts';
import { PROVIDER_CALLS } from '../providers/count-calls.ts';
import { initializeWorkCounters } from '../telemetry/instruments.ts';
import type { Metrics } from '../telemetry/metrics.ts';

const LOOPBACK = '127.0.0.1';
const READ_WITHIN_MS = 2_000;

/**
 * Sets up metrics and the log lines of Temporal's library. Call it once, before any use of that library.
 * @returns the metrics if a port is configured. Close them before the sources of their gauges.
 */
export async function startTelemetry(config: WorkerConfig, log: Log): Promise<Metrics | undefined> {
  const { WORKER_METRICS_PORT: port, WORKER_METRICS_HOST: host } = config;
  if (port === undefined) {
    installRuntime(log);
    return undefined;
  }
  // The library can only serve its metrics at an address of its own: on loopback, and each scrape of ours reads it.
  const libraryPort = await freePort();
  installRuntime(log, `${LOOPBACK}:${libraryPort}`);
  const alongside = () => readText(`http://${LOOPBACK}:${libraryPort}/metrics`);
  const { startMetrics } = await import('../telemetry/metrics.ts');
  const metrics = await startMetrics({ host, port, settings: 'WORKER_METRICS', alongside }, log);
  initializeWorkCounters(PROVIDER_CALLS, SWEEPS);
  return metrics;
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
  return await response.text();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** The library logs this at each start. Provider queues have no workflows by design. */
const ACTIVITIES_ONLY = 'No workflows registered, not polling for workflow tasks';

/** Each of some seventy polls logs its own retries. One line of a kind is enough. */
const SAME_LINE_EVERY_MS = 10_000;

/** @returns whether a line of this kind is due. Numbers in it, such as a count of retries, make no other kind. */
function createLineFilter(): (message: string) => boolean {
  const loggedAtMs = new Map<string, number>();
  return (message) => {
    const kind = message.replaceAll(/\d+/g, 'n');
    const now = performance.now();
    if (now - (loggedAtMs.get(kind) ?? Number.NEGATIVE_INFINITY) < SAME_LINE_EVERY_MS) return false;
    loggedAtMs.set(kind, now);
    return true;
  };
}

/** The answer in an error of the native part, which is a text. Only letters: it may quote more. */
const NATIVE_ANSWER = /\b(?:message|self): "([A-Za-z][A-Za-z ,.'-]{0,99})"/;

/** The fields of a line of the SDK that the log may have. @internal */
export function toFields(meta: Readonly<Record<string, unknown>> = {}): LogFields {
  const { error, run_id: runId, workflowId, workflowType, activityType, taskQueue, ...ours } = meta;
  const { correlationId, provider, jobId, attemptId } = ours;
  const reason = typeof error === 'string' ? NATIVE_ANSWER.exec(error)?.[1] : undefined;
  const cause = reason === undefined ? { error, ...findAnswer(error) } : { reason };
  const named = { ...cause, provider, correlationId, jobId, attemptId };
  const work = { workflowId, runId, workflowType, activityType, taskQueue };
  return Object.fromEntries(Object.entries({ ...named, ...work }).filter(([, value]) => value !== undefined));
}

/** The failed try of an attempt has no other line, so this one names it. @internal */
export function toLine(message: string, { attemptId, workflowType }: LogFields): string {
  if (attemptId === undefined || message !== 'Activity failed') return `Temporal SDK: ${message}`;
  return `A try of ${workflowType === 'identityAttempt' ? 'a sign-in' : 'a connect'} failed`;
}

/** Sends the SDK's log lines through our logger, which drops unknown fields: they may quote failures. */
function installRuntime(log: Log, metricsAddress?: string): void {
  const isDue = createLineFilter();
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const isAboutActivity = meta !== undefined && 'activityType' in meta;
    if (message === ACTIVITIES_ONLY || (!isAboutActivity && !isDue(message))) return;
    const fields = toFields(meta);
    if (fields.jobId !== undefined && isLoggedWithJob(fields.error)) return;
    const line = toLine(message, fields);
    if (level === 'ERROR') log.error(line, fields);
    else log.warn(line, fields);
  });
  // The names and units that Prometheus recommends.
  const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  Runtime.install({
    logger,
    shutdownSignals: [], // `shutdown-signal.ts` handles them from the start.
    telemetryOptions: {
      // Otherwise the native part of the library writes lines of its own to the console, in another format and with all that they quote.
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsAddress && { metrics: { prometheus: { bindAddress: metricsAddress, ...naming } } }),
    },
  });
}

import { createServer } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { WorkerConfig } from '../config.ts';
import type { Log } from '../log.ts';
import { PROVIDER_CALLS } from '../providers/count-calls.ts';
import { initializeWorkCounters } from '../telemetry/instruments.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { startTracing } from '../telemetry/start-tracing.ts';
import { SWEEPS } from '../workflows/contract.ts';

const LOOPBACK = '127.0.0.1';
const READ_WITHIN_MS = 2_000;

export interface WorkerTelemetry {
  /** Undefined when nobody wants any. To be closed before what its gauges are read from. */
  readonly metrics: Metrics | undefined;
  endTracing(): Promise<void>;
}

/**
 * Sets up what is told of this process: traces, metrics, and the lines of Temporal's library. Before anything of that
 * library is used; once a process.
 */
export async function startTelemetry(config: WorkerConfig, log: Log): Promise<WorkerTelemetry> {
  const endTracing = await startTracing(config, 'accounts-worker', log);
  const { WORKER_METRICS_PORT: port, WORKER_METRICS_HOST: host } = config;
  if (port === undefined) {
    installRuntime(log);
    return { metrics: undefined, endTracing };
  }
  // The library serves its own metrics and on nothing but an address: one within this machine, read when ours are.
  const libraryPort = await freePort();
  installRuntime(log, `${LOOPBACK}:${libraryPort}`);
  const alongside = () => readText(`http://${LOOPBACK}:${libraryPort}/metrics`);
  const metrics = await (await import('../telemetry/metrics.ts')).startMetrics({ host, port, alongside }, log);
  initializeWorkCounters(PROVIDER_CALLS, SWEEPS);
  return { metrics, endTracing };
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

/** Warned about at each start. Of a platform's queue it is so by design: workflows run on a queue of their own. */
const ACTIVITIES_ONLY = 'No workflows registered, not polling for workflow tasks';

/** The SDK's own lines go through ours, which drops what it does not know: they may quote failures. */
function installRuntime(log: Log, metricsAddress?: string): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (message === ACTIVITIES_ONLY) return;
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
  // Named and in units as Prometheus has them.
  const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  Runtime.install({
    logger,
    shutdownSignals: [], // We heed signals ourselves, from the first moment on.
    ...(metricsAddress && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: metricsAddress, ...naming } } },
    }),
  });
}

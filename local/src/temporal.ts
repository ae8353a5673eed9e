import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { LOOPBACK } from './ports.ts';
import type { Service } from './service.ts';

/** The search attributes of workflows; all of type Keyword. */
const SEARCH_ATTRIBUTES = ['AppId', 'Provider', 'ConnectionId', 'JobKind', 'LastFailure'] as const;
const INDEXED_VALUE_TYPE_KEYWORD = 2;
export const NAMESPACE = 'default';
const RETENTION = '14d';

/**
 * As started by default the server is tuned for one workflow at a time: hops wait for a 50 ms quantum, timers under
 * a second take about a second, and with four partitions priority, fairness and rate limits are inexact. A signal to
 * many, from its UI or command line, is sent to 50 a second. These settings take that away.
 */
const DYNAMIC_CONFIG: Readonly<Record<string, string>> = {
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxTimeShift': '"5ms"',
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'matching.enableFairness': 'true',
  'frontend.WorkflowTimeSkippingEnabled': 'true',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': '3',
  'worker.batcherRPS': '500',
  'worker.batcherConcurrency': '50',
};

export interface TemporalOptions {
  /** The `temporal` command. */
  readonly program: string;
  readonly port: number;
  /** Undefined: no user interface. */
  readonly uiPort: number | undefined;
  /** Undefined: in memory. */
  readonly databaseFile: string | undefined;
  readonly cwd: string;
  /** The port of its own metrics, for a benchmark. */
  readonly metricsPort?: number;
}

/** The command also reads profiles from the home directory, and none of the user's is meant here. */
const environment = (cwd: string) => ({ PATH: process.env.PATH ?? '', HOME: cwd });

/** The development server, on loopback.  */
export function createTemporalService(options: TemporalOptions): Service {
  const { program, port, uiPort, databaseFile, cwd, metricsPort } = options;
  // The default rollback journal halves throughput; with a write-ahead log, normal loses nothing when killed.
  const pragmas = ['journal_mode=wal', 'synchronous=normal'].flatMap((pragma) => ['--sqlite-pragma', pragma]);
  return {
    name: 'temporal',
    program,
    args: [
      ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port), '--log-level', 'warn'],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
      ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile, ...pragmas]),
      ...(metricsPort === undefined ? [] : ['--metrics-port', String(metricsPort)]),
      ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ],
    env: environment(cwd),
    cwd,
    stop: { signal: 'SIGTERM', patienceMs: 8_000 },
    isReady: async () => {
      const connection = await Connection.connect({ address: `${LOOPBACK}:${port}`, connectTimeout: '2 seconds' });
      try {
        await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
        return true;
      } finally {
        await connection.close();
      }
    },
  };
}

/** How long a closed workflow can still be looked at. The server's own default is a day. */
export async function setRetention({ program, port, cwd }: TemporalOptions): Promise<void> {
  const command = ['operator', 'namespace', 'update', '--namespace', NAMESPACE, '--retention', RETENTION];
  await promisify(execFile)(program, [...command, '--address', `${LOOPBACK}:${port}`], { cwd, env: environment(cwd) });
}

/** Registers the search attributes with an external server, which `TEMPORAL_ADDRESS` and the like name. */
export async function registerSearchAttributes(): Promise<void> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = SEARCH_ATTRIBUTES.filter((name) => customAttributes?.[name] === undefined);
    if (missing.length === 0) return;
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } finally {
    await connection.close();
  }
}

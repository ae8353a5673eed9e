import { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from './config.ts';
import { tracePropagation } from './telemetry/trace-propagation.ts';
import { readTemporalSettings } from './temporal-settings.ts';

/** Connects on first use, so that a process starts and serves reads while Temporal is down. */
export function createTemporalClient(config: TemporalConfig): Client {
  const { connectionOptions, namespace } = readTemporalSettings(config);
  // Without TLS, a proxy named by the environment could read everything. The workers' library ignores such a proxy too.
  const connection = Connection.lazy({ ...connectionOptions, channelArgs: { 'grpc.enable_http_proxy': 0 } });
  return new Client({ connection, namespace, interceptors: { workflow: [tracePropagation] } });
}

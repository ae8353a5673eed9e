import { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from './config.ts';
import { tracePropagation } from './telemetry/trace-propagation.ts';
import { readTemporalSettings } from './temporal-settings.ts';

/** Connects on first use, so that a process starts, and serves reads, while Temporal is away. */
export function createTemporalClient(config: TemporalConfig): Client {
  const { connectionOptions, namespace } = readTemporalSettings(config);
  // A proxy that the environment names would see all of a connection without TLS, and the workers' library ignores it.
  const connection = Connection.lazy({ ...connectionOptions, channelArgs: { 'grpc.enable_http_proxy': 0 } });
  return new Client({ connection, namespace, interceptors: { workflow: [tracePropagation] } });
}

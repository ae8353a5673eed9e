import { Client, Connection } from '@temporalio/client';
import { readTemporalSettings, type TemporalProfile } from '../basics/temporal-settings.ts';
import { tracePropagation } from './trace-propagation.ts';

/** After an outage the library would otherwise connect again only after up to two minutes. */
const LONGEST_RECONNECT_PAUSE_MS = 5_000;

/** Connects on first use, so that a process starts and serves reads while Temporal is down. */
export function createTemporalClient(config: TemporalProfile): Client {
  const { connectionOptions, namespace } = readTemporalSettings(config);
  // Without TLS, a proxy named by the environment could read everything. The workers' library ignores such a proxy too.
  const channelArgs = { 'grpc.enable_http_proxy': 0, 'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_PAUSE_MS };
  const connection = Connection.lazy({ ...connectionOptions, channelArgs });
  return new Client({ connection, namespace, interceptors: { workflow: [tracePropagation] } });
}

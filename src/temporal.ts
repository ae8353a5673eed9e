import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { TemporalConfig } from './config.ts';
import { tracePropagation } from './telemetry/temporal-client.ts';

/**
 * Where Temporal is, as the standard `TEMPORAL_*` variables say (address, namespace, API key, mutual TLS), or a TOML
 * file or profile they name. A profile that only happens to lie in somebody's home is not for a service.
 */
export function temporalSettings({ TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE }: TemporalConfig) {
  const named = TEMPORAL_CONFIG_FILE !== undefined || TEMPORAL_PROFILE !== undefined;
  const { connectionOptions, namespace } = loadClientConnectConfig({ disableFile: !named });
  return { connectionOptions, namespace: namespace ?? 'default' };
}

/** Connects on first use, so that a process starts, and serves reads, while Temporal is away. */
export function createTemporalClient(config: TemporalConfig): Client {
  const { connectionOptions, namespace } = temporalSettings(config);
  const connection = Connection.lazy(connectionOptions);
  return new Client({ connection, namespace, interceptors: { workflow: [tracePropagation] } });
}

import type { Log } from '../basics/log.ts';

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
}

/**
 * Sends spans to a collector if one is configured, and loads OpenTelemetry's libraries only then.
 * @returns a function that sends the remaining spans and stops.
 */
export async function startTracing(config: TracingConfig, serviceName: string, log: Log): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  const url = own ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (url === undefined) return async () => undefined;
  return (await import('./traces.ts')).installTracing(url, serviceName, log);
}

import type { Log } from '../basics/log.ts';

export interface TracingConfig {
  readonly OTEL_SDK_DISABLED: boolean;
  readonly OTEL_TRACES_EXPORTER: 'otlp' | 'none';
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
}

/**
 * Sends spans to a collector if one is configured, and loads OpenTelemetry's libraries only then.
 * @returns a function that sends the remaining spans and stops.
 */
export async function startTracing(config: TracingConfig, serviceName: string, log: Log): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return async () => undefined;
  const url = own ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (url === undefined) return async () => undefined;
  return (await import('./traces.ts')).installTracing(url, serviceName, log);
}

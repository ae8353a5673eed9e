import { createServer } from 'node:http';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { AggregationTemporality, InstrumentType, MeterProvider } from '@opentelemetry/sdk-metrics';
import { type ListenAt, listen } from '../basics/listen.ts';
import type { Log } from '../basics/log.ts';
import { createGaugeRegistry, type GaugeRegistry } from './gauge-registry.ts';

/** A scraper times out after 10 s by default, so a later response is useless. */
const COLLECT_WITHIN_MS = 8_000;
/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export interface Metrics {
  readonly port: number;
  readonly board: GaugeRegistry;
  /** Stops the server and waits for running reads. */
  close(): Promise<void>;
}

/** Repeats no observed gauge without a new observation: its worker is gone, or its source no longer answers. */
class FreshExporter extends PrometheusExporter {
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    const isObserved = type === InstrumentType.OBSERVABLE_GAUGE;
    return isObserved ? AggregationTemporality.DELTA : super.selectAggregationTemporality(type);
  }
}

/**
 * Installs the meter provider and serves the metrics at `/metrics` in Prometheus' text format. Port 0 takes a free port.
 * @param options.alongside reads further metrics in the same format; the response omits them if it throws.
 * @throws ListenError
 */
export async function startMetrics(
  options: ListenAt & { alongside?: () => Promise<string> },
  log: Log,
): Promise<Metrics> {
  const { alongside } = options;
  const exporter = new FreshExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  const board = createGaugeRegistry(provider.getMeter('social-account-connection-service'), log);
  const serializer = new PrometheusSerializer('', false, undefined, true, true); // Omits target and scope, which are constants.

  const collectNow = async (): Promise<string> => {
    const { resourceMetrics, errors } = await exporter.collect({ timeoutMillis: COLLECT_WITHIN_MS });
    for (const error of errors) log.warn('Some metrics could not be collected', { error });
    return serializer.serialize(resourceMetrics);
  };
  let collecting: Promise<string> | undefined;
  /** Scrapes at the same time share one collection: each observation belongs to one. */
  const collect = (): Promise<string> => {
    collecting ??= collectNow().finally(() => {
      collecting = undefined;
    });
    return collecting;
  };
  const others = async (): Promise<string> => {
    try {
      return (await alongside?.()) ?? '';
    } catch (error) {
      log.warn("The worker library's metrics could not be read", { error });
      return '';
    }
  };

  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([collect(), others()]).then(
      (parts) => response.writeHead(200, { 'content-type': TEXT_FORMAT }).end(parts.join('')),
      (error: unknown) => {
        log.error('Metrics could not be collected', { error });
        response.writeHead(500).end();
      },
    );
  });
  return {
    port: await listen(server, options),
    board,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await board.settled();
      metrics.disable();
      await provider.shutdown();
    },
  };
}

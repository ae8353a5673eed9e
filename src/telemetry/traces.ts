import { setTimeout as delay } from 'node:timers/promises';
import { type Context, propagation } from '@opentelemetry/api';
import {
  CompositePropagator,
  setGlobalErrorHandler,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../basics/log.ts';
import { CORRELATION_ID } from '../basics/trace-fields.ts';
import { takeNextSpanId } from './span-ids.ts';
import { enableTracing } from './tracing.ts';

const LAST_SEND_MS = 3_000;

/**
 * Sends spans to an OTLP collector (HTTP, protobuf). OpenTelemetry's library reads its own variables for sampling, batches,
 * headers, resource attributes and the rest.
 * @param url the collector's full path for traces.
 * @returns a function that sends the remaining spans and stops.
 */
export function installTracing(url: string, serviceName: string, log: Log): () => Promise<void> {
  setGlobalErrorHandler((error) => log.warn('Spans were not delivered', { error }));
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    idGenerator: ids,
    spanProcessors: [correlationIds, new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  // Ignores OTEL_PROPAGATORS: rows and workflow headers hold these formats.
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  provider.register({ propagator: new CompositePropagator({ propagators }) });
  enableTracing();
  return async () => {
    // Drops the spans that are still unsent by then, rather than delay the shutdown.
    const late = delay(LAST_SEND_MS, undefined, { ref: false });
    await Promise.race([provider.shutdown(), late]).catch((error: unknown) => {
      log.warn('Spans were not delivered', { error });
    });
  };
}

const random = new RandomIdGenerator();
const ids: IdGenerator = {
  generateTraceId: random.generateTraceId,
  generateSpanId: () => takeNextSpanId() ?? random.generateSpanId(),
};

/** Gives every span the correlation id of its request. */
const correlationIds: SpanProcessor = {
  onStart(span: Span, parent: Context) {
    const id = propagation.getBaggage(parent)?.getEntry(CORRELATION_ID)?.value;
    if (id !== undefined) span.setAttribute(CORRELATION_ID, id);
  },
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Sinks } from '@temporalio/workflow';

/** As Temporal's tracing packages name it, in every language: W3C Trace Context as a JSON object. */
const TRACE_HEADER = '_tracer-data';

/** What that holds: `traceparent`, and `baggage` with the correlation id. */
export type TraceCarrier = Readonly<Record<string, string>>;

/** Carried out of the sandbox, once for each run: what its span is made of. */
export interface TraceSinks extends Sinks {
  traces: { ended(parent: TraceCarrier): void };
}

export function readTrace(headers: Headers): TraceCarrier | undefined {
  const payload = headers[TRACE_HEADER];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<TraceCarrier>(payload);
}

export const withTrace = (headers: Headers, carrier: TraceCarrier): Headers => ({
  ...headers,
  [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier),
});

/**
 * The id of a run's span, from its own: the same whenever the run is replayed. The random half of the UUID, whose first
 * bits are never all zero. 16 hexadecimal digits.
 */
export const spanIdOf = (runId: string): string => runId.replaceAll('-', '').slice(16);

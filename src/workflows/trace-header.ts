import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Sinks } from '@temporalio/workflow';

/** The header's name in Temporal's tracing packages of all languages. It holds W3C Trace Context as a JSON object. */
const TRACE_HEADER = '_tracer-data';

/** The header's content: `traceparent`, and `baggage` with the correlation id. */
export type TraceCarrier = Readonly<Record<string, string>>;

/** Calls out of the sandbox, one per run: the data of its span. */
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
 * Derives the id of a run's span from the run id, so that every replay finds the same. It is the random half of the
 * UUID, which never starts with only zero bits: 16 hexadecimal digits.
 */
export const spanIdOf = (runId: string): string => runId.replaceAll('-', '').slice(16);

import { propagation, trace } from '@opentelemetry/api';

/** The baggage entry and span attribute of the correlation id. */
export const CORRELATION_ID = 'correlation.id';

/** The trace fields of a log line. */
export function getTraceFields(): { trace_id?: string; correlationId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined) return {};
  const correlationId = propagation.getActiveBaggage()?.getEntry(CORRELATION_ID)?.value;
  return { trace_id: span.traceId, ...(correlationId !== undefined && { correlationId }) };
}

import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { CorrelationId } from '../ids.ts';
import { setNextSpanId } from './span-ids.ts';

/**
 * Spans of our own, named by constants: route templates, root fields, workflow and activity types, what a provider is
 * asked for. Without a tracer provider installed all of it does nothing.
 */
const tracer = trace.getTracer('social-account-connection-service');

export { SpanKind };

/** Handed to work while nothing is traced; takes whatever it is told and keeps none of it. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let isOn = false;

/** Said once a tracer provider is installed: before that not even the library's empty functions are called. */
export function enableTracing(): void {
  isOn = true;
}

/** Goes along with the trace context; every span says it. */
export const CORRELATION_ID = 'correlation.id';

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** Own ids, closed codes and numbers only: no URL, header, body, token, or text of anybody else's. */
  readonly attributes?: Attributes;
  readonly links?: Link[];
}

/**
 * Runs `work` inside a span. Of a failure the span says its kind and nothing else: messages may quote what must not be
 * told.
 */
export async function runInSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!isOn) return await work(NO_SPAN);
  return await tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markSpanFailed(span, classifyFailure(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span of something that began at `startTime` and has just ended, with an id that others know it by already. */
export function recordSpan(
  name: string,
  { spanId, ...options }: SpanOptions & { readonly startTime: Date; readonly spanId: string },
): void {
  setNextSpanId(spanId);
  tracer.startSpan(name, options).end();
}

export function markSpanFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const KIND = /^[A-Za-z_]{1,50}$/;

/** A closed code where the error has one (`GrantDead`, `NOT_FOUND`), else the name of its class. */
function classifyFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { type, code } = error as { type?: unknown; code?: unknown };
  const kind = [type, code, error.name].find((one) => typeof one === 'string' && KIND.test(one));
  return typeof kind === 'string' ? kind : 'Error';
}

/** Begins a trace, all spans of which say the correlation id. A caller's own trace is linked to, never continued. */
export async function runInNewTrace<T>(
  name: string,
  options: SpanOptions & { readonly correlationId: CorrelationId; readonly callersTraceparent?: string | undefined },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isOn) return await work(NO_SPAN);
  const { correlationId, callersTraceparent, ...rest } = options;
  const caller = callersTraceparent === undefined ? undefined : spanContextOf({ traceparent: callersTraceparent });
  const links = caller === undefined ? [] : [{ context: caller }];
  return await context.with(correlated(correlationId), () => runInSpan(name, { ...rest, links }, work));
}

/** How a trace goes on in another process: W3C Trace Context, and the correlation id as W3C Baggage. */
export type Carrier = Readonly<Record<string, string>>;

/** The context that is active, to be gone on from elsewhere; undefined where nothing is traced. */
export function findCarrier(): Carrier | undefined {
  if (trace.getActiveSpan() === undefined) return undefined;
  const carried: Record<string, string> = {};
  propagation.inject(context.active(), carried);
  return carried;
}

/** The active context's `traceparent` (W3C Trace Context, level 1). */
export const findTraceparent = (): string | null => findCarrier()?.traceparent ?? null;

/** Goes on, in `work`, from where a carrier was taken; from nowhere without one. */
export const resumeTrace = <T>(carried: Carrier | undefined, work: () => T): T =>
  context.with(carried === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, carried), work);

/** The same for what has been stored in a row. */
export function resumeStoredTrace<T>(
  stored: { readonly traceparent: string | null; readonly correlationId: string | null },
  work: () => T,
): T {
  const start = stored.correlationId === null ? ROOT_CONTEXT : correlated(stored.correlationId);
  const from = stored.traceparent === null ? start : propagation.extract(start, { traceparent: stored.traceparent });
  return context.with(from, work);
}

const correlated = (correlationId: string) =>
  propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ [CORRELATION_ID]: { value: correlationId } }));

const spanContextOf = (carried: Carrier) => trace.getSpanContext(propagation.extract(ROOT_CONTEXT, carried));

/** What a log line says of the trace it was written in. */
export function getTraceFields(): { trace_id?: string; correlationId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined) return {};
  const correlationId = propagation.getActiveBaggage()?.getEntry(CORRELATION_ID)?.value;
  return { trace_id: span.traceId, ...(correlationId !== undefined && { correlationId }) };
}

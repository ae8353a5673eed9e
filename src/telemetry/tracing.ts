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
import type { CorrelationId } from '../basics/ids.ts';
import { CORRELATION_ID } from '../basics/trace-fields.ts';
import { setNextSpanId } from './span-ids.ts';

/**
 * The tracer of our own spans. Their names are constants: route templates, root fields, workflow and activity types,
 * provider calls. Without a tracer provider all of this does nothing.
 */
const tracer = trace.getTracer('social-account-connection-service');

export { SpanKind };

/** The span that work gets while tracing is off; it discards everything. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let isOn = false;

/** Call it once a tracer provider is installed. Until then not even the library's empty functions run. */
export function enableTracing(): void {
  isOn = true;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** Own ids, closed codes and numbers only: no URL, header, body, token, nor text of a caller or provider. */
  readonly attributes?: Attributes;
  readonly links?: Link[];
}

/** Runs `work` inside a span. The span of a failure has its kind, never its message: messages may quote secrets. */
export function runInSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!isOn) return work(NO_SPAN);
  return tracer.startActiveSpan(name, options, async (span) => {
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

/** Records a span that began at `startTime` and ends now, with an id that other spans already name. */
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

/** Returns the error's closed code if it has one (`GrantDead`, `NOT_FOUND`), otherwise the name of its class. */
function classifyFailure(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { type, code } = error as { type?: unknown; code?: unknown };
  const kind = [type, code, error.name].find((one) => typeof one === 'string' && KIND.test(one));
  return typeof kind === 'string' ? kind : 'Error';
}

/** Starts a trace whose spans all have the correlation id. It links to the caller's trace and never continues it. */
export function runInNewTrace<T>(
  name: string,
  options: SpanOptions & { readonly correlationId: CorrelationId; readonly callersTraceparent?: string | undefined },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isOn) return work(NO_SPAN);
  const { correlationId, callersTraceparent, ...rest } = options;
  const caller = callersTraceparent === undefined ? undefined : spanContextOf({ traceparent: callersTraceparent });
  const links = caller === undefined ? [] : [{ context: caller }];
  return context.with(correlated(correlationId), () => runInSpan(name, { ...rest, links }, work));
}

/** Carries a trace to another process: W3C Trace Context, and the correlation id as W3C Baggage. */
export type Carrier = Readonly<Record<string, string>>;

/** The active context, to be resumed elsewhere; undefined while tracing is off. */
export function findCarrier(): Carrier | undefined {
  if (trace.getActiveSpan() === undefined) return undefined;
  const carried: Record<string, string> = {};
  propagation.inject(context.active(), carried);
  return carried;
}

/** The active context's `traceparent` (W3C Trace Context, level 1). */
export const findTraceparent = (): string | null => findCarrier()?.traceparent ?? null;

/** Runs `work` in the context of a carrier; in the root context without one. */
export const resumeTrace = <T>(carried: Carrier | undefined, work: () => T): T =>
  context.with(carried === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, carried), work);

/** Runs `work` in the context that a row stores. */
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

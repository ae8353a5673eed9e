import { type CorrelationId, newId } from '../../basics/ids.ts';
import type { Log } from '../../basics/log.ts';
import { countRequest } from '../../telemetry/instruments.ts';
import { markSpanFailed, runInNewTrace, SpanKind } from '../../telemetry/tracing.ts';
import type { Exchange } from './exchange.ts';

/** Gives a request its correlation id. @param address see `getClientAddress`. */
export function createExchange(address: string, log: Log): Exchange {
  const correlationId = newId<CorrelationId>();
  return { correlationId, address, log: log.with({ correlationId }), operations: new Map(), codes: [], atEnd: [] };
}

/** A request and its answer without any text from outside, because a path or a query string may contain a token. */
export interface Described {
  readonly method: string;
  /** The route's template. */
  readonly route: string;
  readonly status: number;
}

/** Probes have no trace, and a log line only at the level debug. */
export const isProbe = (method: string, path: string): boolean =>
  ['/healthz', '/readyz'].includes(path) || (method === 'OPTIONS' && path === '/');

/** Runs `answer` in a trace, and writes the request's one log line. @param describe knows the route only afterwards. */
export function recordExchange<T>(
  exchange: Exchange,
  { isQuiet, traceparent }: { isQuiet: boolean; traceparent: string | null },
  answer: () => Promise<T>,
  describe: (answered: T) => Described,
): Promise<T> {
  const startedAtMs = performance.now();
  const { log, correlationId, operations, codes } = exchange;
  const recorded = async () => {
    let answered: T;
    try {
      answered = await answer();
    } finally {
      endExchange(exchange);
    }
    const request = describe(answered);
    const ms = performance.now() - startedAtMs;
    countRequest(request, ms / 1000);
    log[isQuiet ? 'debug' : 'info']('Request', {
      method: request.method,
      route: request.route,
      status: request.status,
      ms: Math.round(ms),
      operations: operations.size > 0 ? [...operations.values()] : undefined,
      codes: codes.length > 0 ? [...new Set(codes)] : undefined,
      refusals: exchange.refusals === undefined ? undefined : [...new Set(exchange.refusals)],
    });
    return answered;
  };
  if (isQuiet) return recorded();
  const options = { kind: SpanKind.SERVER, correlationId, callersTraceparent: traceparent ?? undefined };
  return runInNewTrace('request', options, async (span) => {
    const answered = await recorded();
    const { method, route, status } = describe(answered);
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    });
    if (status >= 500) markSpanFailed(span, String(status));
    return answered;
  });
}

/** The resources of a request are free once its work has ended. An early answer frees nothing: others would pile up behind it. */
function endExchange({ atEnd, unfinished }: Exchange): void {
  const end = () => {
    for (const one of atEnd) one();
  };
  if (unfinished === undefined) end();
  else void unfinished.then(end, end);
}

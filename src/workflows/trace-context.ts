import type { Headers } from '@temporalio/common';
import * as wf from '@temporalio/workflow';
import { readTrace, spanIdOf, type TraceCarrier, type TraceSinks, withTrace } from './trace-header.ts';

/** `version-traceid-spanid-flags`, W3C Trace Context level 1. */
const traceIdOf = ({ traceparent = '' }: TraceCarrier): string | undefined => traceparent.split('-')[1];

function below(parent: TraceCarrier, runId: string): TraceCarrier {
  const [version, traceId, , flags] = (parent.traceparent ?? '').split('-');
  return { ...parent, traceparent: [version, traceId, spanIdOf(runId), flags].join('-') };
}

/**
 * Passes the trace context of a run's start, or of its last signal from another trace, to the run's activities. Changes
 * headers only, which replay does not compare. Loads no tracing library into the sandbox: that would cost every run,
 * traced or not.
 */
export function interceptors(): wf.WorkflowInterceptors {
  let current: TraceCarrier | undefined;
  const forActivities = (headers: Headers) => (current === undefined ? headers : withTrace(headers, current));
  return {
    inbound: [
      {
        async execute(input, next) {
          const parent = readTrace(input.headers);
          if (parent === undefined) return await next(input);
          const own = below(parent, wf.workflowInfo().runId);
          if (current === undefined || traceIdOf(current) === traceIdOf(own)) current = own;
          try {
            return await next(input);
          } finally {
            wf.proxySinks<TraceSinks>().traces.ended(parent);
          }
        },
        async handleSignal(input, next) {
          const signaled = readTrace(input.headers);
          if (signaled !== undefined && (current === undefined || traceIdOf(signaled) !== traceIdOf(current)))
            current = signaled;
          await next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => await next({ ...input, headers: forActivities(input.headers) }),
        scheduleLocalActivity: async (input, next) => await next({ ...input, headers: forActivities(input.headers) }),
        continueAsNew: async (input, next) => await next({ ...input, headers: forActivities(input.headers) }),
      },
    ],
  };
}

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
 * Hands the trace context of whoever started a run, or last signaled it out of another trace, on to its activities. Only
 * headers are touched, which replay does not compare. No tracing library is loaded into the sandbox: it would cost every
 * run, traced or not.
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
          const told = readTrace(input.headers);
          if (told !== undefined && (current === undefined || traceIdOf(told) !== traceIdOf(current))) current = told;
          await next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => await next({ ...input, headers: forActivities(input.headers) }),
        continueAsNew: async (input, next) => await next({ ...input, headers: forActivities(input.headers) }),
      },
    ],
  };
}

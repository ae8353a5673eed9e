import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { withTrace } from '../workflows/trace-header.ts';
import { findCarrier } from './tracing.ts';

function traced<Input extends { readonly headers: Headers }>(input: Input): Input {
  const active = findCarrier();
  return active === undefined ? input : { ...input, headers: withTrace(input.headers, active) };
}

/** Sends the active trace context along with what is started or signaled. */
export const tracePropagation: WorkflowClientInterceptor = {
  startWithDetails: async (input, next) => await next(traced(input)),
  signal: async (input, next) => await next(traced(input)),
  signalWithStart: async (input, next) => await next(traced(input)),
};

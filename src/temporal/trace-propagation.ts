import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { findCarrier } from '../telemetry/tracing.ts';
import { withTrace } from '../workflows/trace-header.ts';

function addTrace<Input extends { readonly headers: Headers }>(input: Input): Input {
  const active = findCarrier();
  return active === undefined ? input : { ...input, headers: withTrace(input.headers, active) };
}

/** Adds the active trace context to each workflow start and signal. */
export const tracePropagation: WorkflowClientInterceptor = {
  startWithDetails: async (input, next) => await next(addTrace(input)),
  signal: async (input, next) => await next(addTrace(input)),
  signalWithStart: async (input, next) => await next(addTrace(input)),
};

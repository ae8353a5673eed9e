import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, type WorkflowClientInterceptor, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { type InjectedSinks, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, vi } from 'vitest';
import {
  readTrace,
  spanIdOf,
  type TraceCarrier,
  type TraceSinks,
  withTrace,
} from '../../src/workflows/trace-header.ts';
import { bundleWorkflows, type TestTemporal, test } from '../kit/temporal.ts';

const FIRST = '0af7651916cd43dd8448eb211c80319c';
const SECOND = '1bf7651916cd43dd8448eb211c80319c';
const carrierOf = (traceId: string, spanId = 'b7ad6b7169203331'): TraceCarrier => ({
  traceparent: `00-${traceId}-${spanId}-01`,
  baggage: `correlation.id=${traceId}`,
});

let bundle: { code: string };
beforeAll(async () => {
  bundle = await bundleWorkflows(path.join(import.meta.dirname, 'traced-workflows.ts'));
});

interface Told {
  /** The carrier that each activity received, in order. */
  readonly activities: (TraceCarrier | undefined)[];
  /** Each ended run with its parent span. */
  readonly ended: { runId: string; parent: TraceCarrier }[];
  /** The carrier of the client's next request. */
  carrier: TraceCarrier | undefined;
}

type Handle = WorkflowHandleWithFirstExecutionRunId;

/** Runs a traced workflow to its end. */
async function run(
  { env }: TestTemporal,
  input: { signals: number; anew: boolean },
  work: (told: Told, start: () => Promise<Handle>) => Promise<Handle>,
): Promise<Told & { runId: string }> {
  const told: Told = { activities: [], ended: [], carrier: undefined };
  const sinks: InjectedSinks<TraceSinks> = {
    traces: { ended: { fn: ({ runId }, parent) => void told.ended.push({ runId, parent }) } },
  };
  const taskQueue = randomUUID();
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle: bundle,
    sinks: { ...sinks },
    activities: { note: async () => undefined },
    interceptors: {
      activity: [
        () => ({
          inbound: {
            execute: async (call, next) => {
              told.activities.push(readTrace(call.headers));
              return await next(call);
            },
          },
        }),
      ],
    },
  });
  const sent = <Input extends { readonly headers: Headers }>(input: Input): Input =>
    told.carrier === undefined ? input : { ...input, headers: withTrace(input.headers, told.carrier) };
  const interceptor: WorkflowClientInterceptor = {
    startWithDetails: (input, next) => next(sent(input)),
    signal: (input, next) => next(sent(input)),
  };
  const client = new Client({ connection: env.connection, interceptors: { workflow: [interceptor] } });
  const workflowId = randomUUID();
  return await worker.runUntil(async () => {
    const handle = await work(told, () => client.workflow.start('traced', { taskQueue, workflowId, args: [input] }));
    await handle.result();
    return { ...told, runId: handle.firstExecutionRunId };
  });
}

const below = (carrier: TraceCarrier, runId: string): TraceCarrier => ({
  ...carrier,
  traceparent: (carrier.traceparent ?? '').replace(/-[0-9a-f]{16}-/, `-${spanIdOf(runId)}-`),
});

describe('the trace of a run', () => {
  test('is passed to its activities, as child spans', async ({ temporal }) => {
    const { activities, ended, runId } = await run(temporal, { signals: 0, anew: false }, async (told, start) => {
      told.carrier = carrierOf(FIRST);
      return await start();
    });
    expect(activities).toEqual([below(carrierOf(FIRST), runId)]);
    expect(ended).toEqual([{ runId, parent: carrierOf(FIRST) }]);
  });

  test('becomes that of an external signal, and does not change with an internal one', async ({ temporal }) => {
    const { activities, ended, runId } = await run(temporal, { signals: 3, anew: false }, async (told, start) => {
      told.carrier = carrierOf(FIRST);
      const handle = await start();
      const carriers = [carrierOf(FIRST, 'c7ad6b7169203331'), carrierOf(SECOND), undefined];
      for (const [index, carrier] of carriers.entries()) {
        await vi.waitUntil(() => told.activities.length === index + 1);
        told.carrier = carrier;
        await handle.signal('go');
      }
      return handle;
    });
    const own = below(carrierOf(FIRST), runId);
    expect(activities).toEqual([own, own, carrierOf(SECOND), carrierOf(SECOND)]);
    expect(ended).toEqual([{ runId, parent: carrierOf(FIRST) }]);
  });

  test('continues across continue-as-new', async ({ temporal }) => {
    const { activities, ended } = await run(temporal, { signals: 0, anew: true }, async (told, start) => {
      told.carrier = carrierOf(FIRST);
      return await start();
    });
    const [first, second] = ended;
    const own = below(carrierOf(FIRST), first?.runId ?? '');
    expect(activities).toEqual([own, below(own, second?.runId ?? '')]);
    expect(second).toEqual({ runId: expect.not.stringMatching(first?.runId ?? ''), parent: own });
  });

  test('is empty without tracing', async ({ temporal }) => {
    const { activities, ended } = await run(temporal, { signals: 0, anew: true }, async (_, start) => await start());
    expect(activities).toEqual([undefined, undefined]);
    expect(ended).toEqual([]);
  });
});

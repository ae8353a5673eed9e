import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { activityInfo } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { test as plainTest } from 'vitest';
import { quiet } from '../kit/fake-activities.ts';
import { perFile } from '../kit/per-file.ts';
import { type Activities, openTemporal, type TestTemporal } from '../kit/temporal.ts';
import { type Line, TRANSCRIPT } from './transcript-interceptor.ts';

const APP_ID = defineSearchAttributeKey('AppId', SearchAttributeType.KEYWORD);

/** One course of a workflow. */
export interface Course {
  readonly type: string;
  /** Made by the server's clock. */
  readonly input: object | ((nowMs: number) => object);
  readonly activities?: Partial<Activities>;
  /** The length of a history that is long. */
  readonly longAt?: number;
  /** Comes with the start. */
  readonly signal?: string;
  readonly appId?: string;
  readonly priorityKey?: number;
  /** The events of the run until it ends. */
  readonly meanwhile?: (run: WorkflowHandle) => Promise<unknown>;
}

/** All that a run asked for, in its order. Of a workflow that continued as new: its first run, then its last. */
export async function readLines(temporal: TestTemporal, courses: readonly Course[]): Promise<Line[][]> {
  const byWorkflow = new Map<string, Partial<Activities>>();
  const route = (name: keyof Activities) => async (input: never) => {
    const own = byWorkflow.get(activityInfo().workflowExecution?.workflowId ?? '') ?? quiet;
    return await (own[name] as (input: never) => Promise<unknown>)(input);
  };
  const routed = Object.fromEntries(Object.keys(quiet).map((name) => [name, route(name as keyof Activities)]));
  return await temporal.run(routed as Partial<Activities>, async (_, taskQueue) => {
    const found: Line[][] = [];
    // One after another: they share the clock, and a wait of one would be a leap for the others.
    for (const course of courses) {
      const { workflow } = temporal.env.client;
      const { type, input, activities, longAt, signal, appId, priorityKey, meanwhile } = course;
      const workflowId = `${longAt === undefined ? '' : `long/${longAt}/`}${randomUUID()}`;
      byWorkflow.set(workflowId, { ...quiet, ...activities });
      const args = [typeof input === 'function' ? input(await temporal.now()) : input];
      const typedSearchAttributes = new TypedSearchAttributes(
        appId === undefined ? [] : [{ key: APP_ID, value: appId }],
      );
      const priority = priorityKey === undefined ? {} : { priority: { priorityKey } };
      const options = { taskQueue, workflowId, args, typedSearchAttributes, ...priority };
      await (signal === undefined
        ? workflow.start(type, options)
        : workflow.signalWithStart(type, { ...options, signal, signalArgs: [] }));
      const run = workflow.getHandle(workflowId);
      const { runId } = await run.describe();
      await meanwhile?.(run);
      await run.result().catch((error: Error) => {
        if (error.name !== 'WorkflowFailedError') throw error;
      });
      const isOne = (await run.describe()).runId === runId;
      const runs = isOne ? [run] : [workflow.getHandle(workflowId, runId), run];
      const lines = await Promise.all(runs.map((one) => one.query<Line[]>(TRANSCRIPT)));
      found.push(lines.flat());
    }
    return found;
  });
}

export const readTranscripts = async (temporal: TestTemporal, courses: readonly Course[]): Promise<string[][]> =>
  (await readLines(temporal, courses)).map((lines) => lines.map(({ text }) => text));

/** The same, with the names alone of the calls. */
export const readOutlines = async (temporal: TestTemporal, courses: readonly Course[]): Promise<string[][]> =>
  (await readTranscripts(temporal, courses)).map((lines) =>
    lines.map((line) => /^\w+(?= (on|queued|local) )/.exec(line)?.[0] ?? line),
  );

/** Answers in turn, and from then on with the last one. An error is thrown. */
export function inTurn(...answers: readonly unknown[]): () => Promise<never> {
  let calls = 0;
  return async () => {
    calls += 1;
    const answer = answers[Math.min(calls, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
}

/** `test` with a server whose clock skips waits, and workflows that write down their steps. */
export const test = plainTest.extend<{ $file: { temporal: TestTemporal } }>({
  temporal: perFile(() => openTemporal([path.join(import.meta.dirname, 'transcript-interceptor.ts')])),
});

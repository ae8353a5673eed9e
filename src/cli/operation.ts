import type { z } from 'zod';
import type { AskWorkflow } from '../temporal/ask-workflow.ts';
import type { WorkerVersions } from '../temporal/worker-versions.ts';
import { type CliCommand, type CliDeps, command, type Row } from './command.ts';

export interface OperationDeps extends CliDeps {
  /** Delivers the outbox entries that were just committed. @returns false if Temporal is unreachable. */
  deliver(): Promise<boolean>;
  /** Asks Temporal for the state of a workflow. */
  askWorkflow: AskWorkflow;
  /** The versions of the workers, in Temporal. */
  workerVersions(): Promise<WorkerVersions>;
  /** Adds ids to the audit log's entry, besides the given and created ones. */
  touched(ids: readonly string[]): void;
}

/** A command with which an operator runs the service. It prints one row, or a list. */
export type Operation = CliCommand<Row | readonly Row[], OperationDeps>;

export const operation = <Shape extends z.ZodRawShape>(
  usage: string,
  summary: string,
  shape: Shape,
  run: (options: z.output<z.ZodObject<Shape>>, deps: OperationDeps) => Promise<Row | readonly Row[]>,
): Operation => command(usage, summary, shape, run);

/** The most rows that a command prints. */
export const MAX_ROWS = 1_000;

export const NOT_YET = 'Temporal cannot be reached. The worker retries until it can.';

export const at = (instant: Date | null): string | null => instant?.toISOString() ?? null;

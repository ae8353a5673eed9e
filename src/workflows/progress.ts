import * as wf from '@temporalio/workflow';
import type { JobErrorCode } from '../basics/failure-codes.ts';
import { ruleOf } from '../basics/failures.ts';
import { PROGRESS, type Progress, type ProgressStep, type ProgressWait } from './contract.ts';

const progressQuery = wf.defineQuery<Progress>(PROGRESS);

/** The Temporal UI shows this beside the query's name. */
const DESCRIPTION = { description: 'The step, its tries and its wait: ids and closed codes only. Takes no input.' };

/** The state of this run: the sandbox gives each run a module of its own. */
let shown: Progress | undefined;

/** The parts of a step. */
interface Parts {
  readonly done: number;
  readonly total: number;
}

/** A failed try before a wait. */
interface FailedTry {
  readonly tries: number;
  /** As `Progress.lastCode`. Null if only an earlier run knows it. */
  readonly code: string | null;
}

/** The search attribute by which the Temporal UI finds failing work. */
const LAST_FAILURE = { name: 'LastFailure', type: 'KEYWORD' } as const;

/**
 * Makes failing work searchable: set with the first failed try, removed by a success. Each change costs an event in the history.
 * @param code a closed code; null after a success
 */
export function markFailure(code: string | null): void {
  const known = wf.workflowInfo().typedSearchAttributes.get(LAST_FAILURE) ?? null;
  if (code !== known) wf.upsertSearchAttributes([{ key: LAST_FAILURE, value: code }]);
}

/**
 * Shows that the workflow works on a step, to the query `progress` and in the Temporal UI. A query handler and details are
 * no commands: a recorded history still replays.
 * @param details for the Temporal UI; without them the former details stay.
 */
export function showStep(step: ProgressStep, details?: string, parts?: Parts): void {
  const { since, tries, lastCode } =
    shown?.step === step ? shown : { since: new Date().toISOString(), tries: 0, lastCode: null };
  show({ step, since, tries, lastCode, waitingFor: null, waitingUntil: null, ...readParts(parts) }, details);
}

/**
 * Shows that the workflow has ended.
 * @param code of the failure that ended it; null if it succeeded, or a person ended it.
 */
export function showEnd(details: string, code: string | null = null): void {
  showStep('ENDED', details);
  markFailure(code);
}

/**
 * Shows that the workflow waits within its step. A wait after a failure marks the workflow as failing, unless our own rate limit
 * asked for it.
 * @param until ISO 8601, or ms since the epoch by workflow time.
 * @param failed the failure that the wait follows, if one does.
 */
export function showWait(
  waitingFor: ProgressWait,
  until: string | number,
  { failed, details, parts }: { failed?: FailedTry; details?: string; parts?: Parts } = {},
): void {
  if (shown === undefined) throw new Error('showWait needs a step: call showStep first.');
  const { tries, code: lastCode } = failed ?? { tries: shown.tries, code: shown.lastCode };
  const waitingUntil = new Date(until).toISOString();
  show({ ...shown, tries, lastCode, waitingFor, waitingUntil, ...readParts(parts) }, details);
  if (waitingFor === 'NEXT_TRY' && failed?.code) markFailure(failed.code);
}

/** Shows that a wait has ended, and the step is tried again. */
export function showTry(): void {
  if (shown !== undefined) showStep(shown.step);
}

/** The code of a failure's type, for `Progress.lastCode`. */
export const toProgressCode = (type: string): JobErrorCode => ruleOf(type).job.code;

const readParts = (parts: Parts | undefined) => parts ?? { done: null, total: null };

function show(progress: Progress, details: string | undefined): void {
  if (shown === undefined) wf.setHandler(progressQuery, () => shown ?? progress, DESCRIPTION);
  shown = progress;
  if (details !== undefined) wf.setCurrentDetails(details);
}

import { ApplicationFailure } from '@temporalio/common';
import type { ProviderName } from '../../basics/codes.ts';
import { ruleOf } from '../../basics/failures.ts';
import type { AttemptId, ConnectionId, JobId } from '../../basics/ids.ts';
import type { ProviderActivities } from '../index.ts';
import { runWithin, type StepLimits } from '../provider-activity.ts';

/*
 * A provider's activity within the workflow task: without the two round trips through Temporal, which cost more than the call itself
 * (D-490). It holds one of the worker's workflow tasks, so a platform that answers slowly is called through its queue only.
 */

/** The steps that may run inline: each is safe to repeat, and short if the platform answers soon. */
const STEPS = [
  'obtainGrant',
  'runScanStep',
  'runMetricsStep',
  'runLookupStep',
  'tryRevoke',
] as const satisfies (keyof ProviderActivities)[];
export type InlineStep = (typeof STEPS)[number];

export interface InlineCall {
  readonly provider: ProviderName;
  readonly input:
    | { readonly jobId: JobId; readonly connectionId?: ConnectionId | undefined }
    | { readonly attemptId: AttemptId };
}

/** The result. `tried` is false if the step could not run here: then the queue has to run it. */
export type InlineOutcome =
  | { readonly tried: true; readonly result: Awaited<ReturnType<ProviderActivities[InlineStep]>> | null }
  | { readonly tried: false };

/** An inline step holds a workflow task, so it gives up soon, and its queue runs it. */
const LIMITS: StepLimits = {
  stepMs: 40_000, // Longer than the two requests of an exchange.
  timeSliceMs: 500,
  patienceSeconds: 0.1, // The queue decides who is next.
  hasTimeForRefresh: false,
};

/** Of each provider. All together take fewer than the workflow tasks of a worker (40), so that no platform stops the others. */
const AT_ONCE = 8;
/** A step that takes longer shows that its platform is slow. */
const SLOW_MS = 1_000;
/** How long a slow platform is called through its queue only. */
const PAUSE_MS = 10_000;

/** How busy and how fast a provider is, as far as this worker's inline steps know. */
class ProviderLoad {
  #running = 0;
  #slowUntilMs = 0;

  async run<T>(step: () => Promise<T>): Promise<T | undefined> {
    if (this.#running >= AT_ONCE || performance.now() < this.#slowUntilMs) return undefined;
    this.#running += 1;
    const startedAtMs = performance.now();
    try {
      return await step();
    } finally {
      this.#running -= 1;
      if (performance.now() - startedAtMs > SLOW_MS) this.#slowUntilMs = performance.now() + PAUSE_MS;
    }
  }
}

/** Each throws the errors of its step, except failures after which the queue runs the step. */
export type InlineSteps = {
  readonly [Step in InlineStep as `${Step}Inline`]: (call: InlineCall) => Promise<InlineOutcome>;
};

/** Runs no step: each goes through its queue. */
export const NO_INLINE_STEPS = nameInline(async () => ({ tried: false }));

/**
 * @param activities the activities of the providers' queues
 * @param stop when the worker begins to stop, and how many ms later its calls must have ended
 */
export function createInlineSteps(
  activities: Pick<ProviderActivities, InlineStep>,
  { stopping, graceMs }: { stopping: AbortSignal; graceMs: number },
): InlineSteps {
  const leaving = new AbortController();
  stopping.addEventListener('abort', () => void setTimeout(() => leaving.abort(), graceMs).unref(), { once: true });
  const limits: StepLimits = { ...LIMITS, leaving: leaving.signal };
  const loads = new Map<ProviderName, ProviderLoad>();
  const loadOf = (provider: ProviderName): ProviderLoad => {
    const load = loads.get(provider) ?? new ProviderLoad();
    loads.set(provider, load);
    return load;
  };
  async function callInline(step: InlineStep, { provider, input }: InlineCall): Promise<InlineOutcome> {
    if (stopping.aborted) return { tried: false };
    const run = async (): Promise<InlineOutcome> => {
      const call = activities[step] as (of: typeof input) => Promise<never>;
      return { tried: true, result: (await runWithin(limits, () => call(input))) ?? null };
    };
    try {
      return (await loadOf(provider).run(run)) ?? { tried: false };
    } catch (error) {
      if (error instanceof ApplicationFailure && ruleOf(error.type).worker.requeues) return { tried: false };
      throw error;
    }
  }
  return nameInline(callInline);
}

function nameInline(run: (step: InlineStep, call: InlineCall) => Promise<InlineOutcome>): InlineSteps {
  const named = STEPS.map((step) => [`${step}Inline`, (call: InlineCall) => run(step, call)] as const);
  return Object.fromEntries(named) as unknown as InlineSteps;
}

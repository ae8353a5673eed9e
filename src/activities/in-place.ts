import { ApplicationFailure } from '@temporalio/common';
import type { ProviderName } from '../basics/codes.ts';
import type { ConnectionId, JobId } from '../basics/ids.ts';
import type { ProviderActivities } from './index.ts';
import { runStepInPlace } from './provider-activity.ts';

/*
 * A provider's activity within the workflow task: without the two round trips through Temporal, which cost more than the call itself
 * (D-490). It holds one of the worker's workflow tasks, so a platform that answers slowly is called through its queue only.
 */

/** The steps that may run in place: each is safe to repeat, and short if the platform answers soon. */
const STEPS = [
  'runScanStep',
  'runMetricsStep',
  'runLookupStep',
  'tryRevoke',
] as const satisfies (keyof ProviderActivities)[];
export type InPlaceStep = (typeof STEPS)[number];

export interface InPlaceCall {
  readonly provider: ProviderName;
  readonly input: { readonly jobId: JobId; readonly connectionId?: ConnectionId | undefined };
}

/** What came of it. `tried` is false if the step could not run here: then the queue has to run it. */
export type InPlaceOutcome =
  | { readonly tried: true; readonly result: Awaited<ReturnType<ProviderActivities[InPlaceStep]>> | null }
  | { readonly tried: false };

/** Of each provider. All together take fewer than the workflow tasks of a worker (40), so that no platform stops the others. */
const AT_ONCE = 8;
/** A step that takes longer shows that its platform is slow. */
const SLOW_MS = 1_000;
/** How long a slow platform is called through its queue only. */
const PAUSE_MS = 10_000;

/** Failures after which the queue runs the step: it did not get a turn, or not all that it needs is allowed here. */
const FOR_THE_QUEUE: readonly string[] = ['OwnRateLimit', 'NotInPlace', 'Unexpected'];

/** How busy and how fast a provider is, as far as this worker's steps in place know. */
class Side {
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

/** Each throws what its step throws, but for failures after which the queue runs the step. */
export type InPlaceActivities = {
  readonly [Step in InPlaceStep as `${Step}InPlace`]: (call: InPlaceCall) => Promise<InPlaceOutcome>;
};

/**
 * @param activities the activities of the providers' queues
 * @param stop when the worker begins to stop, and how many ms later its calls must have ended
 */
export function createInPlaceActivities(
  activities: Pick<ProviderActivities, InPlaceStep>,
  { stopping, graceMs }: { stopping: AbortSignal; graceMs: number },
): InPlaceActivities {
  const leaving = new AbortController();
  stopping.addEventListener('abort', () => void setTimeout(() => leaving.abort(), graceMs).unref(), { once: true });
  const sides = new Map<ProviderName, Side>();
  const sideOf = (provider: ProviderName): Side => {
    const side = sides.get(provider) ?? new Side();
    sides.set(provider, side);
    return side;
  };
  async function callInPlace(step: InPlaceStep, { provider, input }: InPlaceCall): Promise<InPlaceOutcome> {
    if (stopping.aborted) return { tried: false };
    const run = async (): Promise<InPlaceOutcome> => {
      const call = activities[step] as (of: typeof input) => Promise<never>;
      return { tried: true, result: (await runStepInPlace(leaving.signal, () => call(input))) ?? null };
    };
    try {
      return (await sideOf(provider).run(run)) ?? { tried: false };
    } catch (error) {
      if (error instanceof ApplicationFailure && FOR_THE_QUEUE.includes(error.type ?? '')) return { tried: false };
      throw error;
    }
  }

  const named = STEPS.map((step) => [`${step}InPlace`, (call: InPlaceCall) => callInPlace(step, call)] as const);
  return Object.fromEntries(named) as unknown as InPlaceActivities;
}

import { setMaxListeners } from 'node:events';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createInlineSteps, NO_INLINE_STEPS } from '../../src/activities/fast/inline-steps.ts';
import {
  createStepSignal,
  getStepLimits,
  handOverOnShutdown,
  keepInHeartbeats,
  requireTimeForRefresh,
  runWithin,
  type StepLimits,
  sendHeartbeats,
} from '../../src/activities/provider-activity.ts';
import { type JobId, newId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { gate } from '../kit/fake-activities.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const environment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
const failure = (type: string) => ApplicationFailure.create({ type, message: 'No.' });
/** The limits of an inline step. */
const within = (leaving: AbortSignal): StepLimits => ({
  stepMs: 40_000,
  timeSliceMs: 500,
  patienceSeconds: 0.1,
  hasTimeForRefresh: false,
  leaving,
});
const input = { jobId: newId<JobId>() };
const call = { provider: 'PROVIDER_A', input } as const;

function open(step: (of: unknown) => Promise<unknown>, stopping = NEVER) {
  const steps = {
    obtainGrant: vi.fn(),
    runScanStep: vi.fn(),
    runMetricsStep: vi.fn(),
    runLookupStep: vi.fn(),
    tryRevoke: vi.fn(),
  };
  for (const one of Object.values(steps)) one.mockImplementation(step);
  return { steps, inlineSteps: createInlineSteps(steps as never, { stopping, graceMs: 30_000 }) };
}

describe('steps in place', () => {
  test.each(['obtainGrant', 'runScanStep', 'runMetricsStep', 'runLookupStep', 'tryRevoke'] as const)(
    '%s is one',
    async (name) => {
      const { steps, inlineSteps } = open(async () => getStepLimits());
      const { leaving: _, ...limits } = within(NEVER);
      expect(await inlineSteps[`${name}Inline`](call)).toMatchObject({ tried: true, result: limits });
      for (const [other, step] of Object.entries(steps))
        expect(step.mock.calls).toEqual(other === name ? [[input]] : []);
      expect(getStepLimits().hasTimeForRefresh).toBe(true);
    },
  );

  test('return null for nothing', async () => {
    expect(await open(async () => undefined).inlineSteps.tryRevokeInline(call)).toEqual({ tried: true, result: null });
  });

  test('are eight at a time: each that ends makes room for one', async () => {
    const gates = Array.from({ length: 10 }, () => gate());
    let begun = 0;
    const { inlineSteps } = open(() => gates[begun++]?.opened ?? expect.fail('Too many.'));
    const ask = () => inlineSteps.tryRevokeInline(call);
    const running = Array.from({ length: 8 }, ask);
    expect(await ask()).toEqual({ tried: false });
    gates[0]?.open();
    await running[0];
    running.push(ask());
    expect(await ask()).toEqual({ tried: false });
    for (const { open } of gates) open();
    for (const outcome of await Promise.all(running)) expect(outcome).toEqual({ tried: true, result: null });
    expect(begun).toBe(9);
  });

  test.each(['OwnRateLimit', 'NotInline', 'Unexpected'])('leave %s to the queue', async (type) => {
    const { inlineSteps } = open(() => Promise.reject(failure(type)));
    expect(await inlineSteps.tryRevokeInline(call)).toEqual({ tried: false });
  });

  test.each([failure('RetryLater'), failure('GrantDead'), new Error('Unexpected')])(
    'fail with any other failure: %s',
    async (error) => {
      const { inlineSteps } = open(() => Promise.reject(error));
      for (let tries = 0; tries < 9; tries += 1) await expect(inlineSteps.tryRevokeInline(call)).rejects.toBe(error);
    },
  );

  test.each([
    [1_000, 0, true],
    [1_001, 9_999, false],
    [1_001, 10_000, true],
  ])('after a step of %d ms, and %d ms later, run: %j', async (stepMs, laterMs, tried) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { inlineSteps } = open(async () => vi.advanceTimersByTime(stepMs));
    await inlineSteps.tryRevokeInline(call);
    vi.advanceTimersByTime(laterMs);
    expect((await inlineSteps.tryRevokeInline(call)).tried).toBe(tried);
    expect((await inlineSteps.tryRevokeInline({ ...call, provider: 'PROVIDER_B' })).tried).toBe(true);
  });

  test('end when their worker has to have stopped, and no new one begins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const stopping = new AbortController();
    const signals: AbortSignal[] = [];
    const step = () =>
      new Promise<void>((resolve) => {
        const signal = createStepSignal();
        signals.push(signal);
        signal.addEventListener('abort', () => resolve());
      });
    const { inlineSteps } = open(step, stopping.signal);
    const running = environment().run(inlineSteps.tryRevokeInline, call);
    await vi.waitUntil(() => signals.length === 1, { interval: 1 });
    stopping.abort();
    expect(await inlineSteps.runScanStepInline(call)).toEqual({ tried: false });
    vi.advanceTimersByTime(29_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    vi.advanceTimersByTime(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await running).toEqual({ tried: true, result: null });
  });
});

test('steps go through their queue if the fast paths are off', async () => {
  expect(await NO_INLINE_STEPS.tryRevokeInline(call)).toEqual({ tried: false });
});

describe('a step', () => {
  test('has to leave its place for what only its queue may do', async () => {
    requireTimeForRefresh();
    const expected = expect.objectContaining({ type: 'NotInline', nonRetryable: true });
    await expect(runWithin(within(NEVER), async () => requireTimeForRefresh())).rejects.toEqual(expected);
  });

  test.each([
    ['through its queue', 90_000, (work: () => Promise<void>) => work()],
    ['in place', 40_000, (work: () => Promise<void>) => runWithin(within(NEVER), work)],
  ])('%s has %d ms', async (_, ms, run) => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await environment().run(() => run(async () => void createStepSignal()), undefined);
    expect(timeout.mock.calls).toEqual([[ms]]);
  });

  test.each(['its queue', 'its place'])('aborts when Temporal cancels it, through %s', async (where) => {
    const running = environment();
    const aborted = async () => {
      const signal = createStepSignal();
      running.cancel();
      return signal.aborted;
    };
    const step = () => (where === 'its place' ? runWithin(within(NEVER), aborted) : aborted());
    expect(await running.run(step, undefined)).toBe(true);
  });

  test('beats every four seconds until it ends, with what it keeps', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const running = environment();
    const beats: unknown[] = [];
    running.on('heartbeat', (details: unknown) => void beats.push(details));
    const step = sendHeartbeats(async () => {
      vi.advanceTimersByTime(3_999);
      expect(beats).toEqual([]);
      vi.advanceTimersByTime(1);
      keepInHeartbeats('half');
      vi.advanceTimersByTime(8_000);
      return 'done';
    });
    expect(await running.run(step, undefined)).toBe('done');
    expect(beats).toEqual([undefined, 'half', 'half', 'half']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not beat in place', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const step = sendHeartbeats(async () => vi.getTimerCount());
    const local = new MockActivityEnvironment({ isLocal: true }, { logger: new DefaultLogger('ERROR') });
    expect(await local.run(step, undefined)).toBe(0);
  });
});

describe('a step that fails while its worker stops', () => {
  const ABORTED = Object.assign(new Error(), { name: 'AbortError' });
  const LATER = new ProviderError('RetryLater', 'No answer.');
  const WAITS = new ProviderError('RetryLater', 'Later.', { retryAfterSeconds: 5 });
  const LEFT = AbortSignal.abort();

  test.each<[string, Error, string | undefined, AbortSignal | undefined, string]>([
    ['an aborted call', ABORTED, 'WORKER_SHUTDOWN', undefined, 'HANDED_OVER'],
    ['a call without an answer', LATER, 'WORKER_SHUTDOWN', undefined, 'HANDED_OVER'],
    ['a call that asks for a wait', WAITS, 'WORKER_SHUTDOWN', undefined, 'SAME'],
    ['another failure', new ProviderError('GrantDead', 'Dead.'), 'WORKER_SHUTDOWN', undefined, 'SAME'],
    ['a mistake', new TypeError('Ours.'), 'WORKER_SHUTDOWN', undefined, 'SAME'],
    ['an aborted call after a time-out', ABORTED, 'TIMED_OUT', undefined, 'SAME'],
    ['an aborted call that nobody canceled', ABORTED, undefined, undefined, 'SAME'],
    ['an aborted call in place', ABORTED, undefined, LEFT, 'NotInline'],
    ['an aborted call in place that stays', ABORTED, undefined, NEVER, 'SAME'],
    ['a call in place that asks for a wait', WAITS, undefined, LEFT, 'SAME'],
  ])('%s', async (_, error, reason, leaving, expected) => {
    const running = environment();
    const step = handOverOnShutdown(async () => {
      if (reason !== undefined) running.cancel(reason as never);
      throw error;
    });
    const run = () => (leaving === undefined ? step(undefined) : runWithin(within(leaving), () => step(undefined)));
    const thrown: unknown = await running.run(run, undefined).catch((cause: unknown) => cause);
    if (expected === 'SAME') expect(thrown).toBe(error);
    else if (expected === 'HANDED_OVER') expect(thrown).toBeInstanceOf(CancelledFailure);
    else expect(thrown).toMatchObject({ type: expected });
  });

  test('returns what it has if it does not fail', async () => {
    expect(
      await environment().run(
        handOverOnShutdown(async (of: number) => 2 * of),
        4,
      ),
    ).toBe(8);
  });
});

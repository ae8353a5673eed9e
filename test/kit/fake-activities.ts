import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { createInlineSteps, type InlineSteps, NO_INLINE_STEPS } from '../../src/activities/fast/inline-steps.ts';
import type { FailureType } from '../../src/basics/failures.ts';
import { type AttemptId, type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import type { SweepRound } from '../../src/workflows/contract.ts';
import type { Verdict } from '../../src/workflows/results.ts';
import { isFast } from './fast-paths.ts';
import type { Activities } from './temporal.ts';

/** A round of a sweep. */
export const NOTHING_DUE: SweepRound = { rows: {}, failed: [], positions: {}, unfinished: [] };

/** As if nothing could run inline: each step runs on its queue. */
const notInline = async () => ({ tried: false }) as const;

/** Activities that succeed at the first try and do nothing. */
export const quiet: Activities = {
  obtainGrantInline: notInline,
  runScanStepInline: notInline,
  runMetricsStepInline: notInline,
  runLookupStepInline: notInline,
  tryRevokeInline: notInline,
  obtainGrant: async () => undefined,
  completeAttempt: async () => ({ status: 'COMPLETED', resultCode: null }),
  endAttempt: async ({ end }) => ({ status: end.status, resultCode: end.resultCode }),
  runScanStep: async () => ({ done: true }),
  runMetricsStep: async () => ({ done: true }),
  runLookupStep: async () => ({ done: true }),
  recordReadFailure: async () => ({ ended: true, code: 'INTERNAL' }),
  tryRevoke: async () => ({ status: 'SUCCEEDED', creatorAction: null }),
  recordDisconnectFailure: async () => ({ ended: true, code: 'INTERNAL' }),
  purgeContent: async () => undefined,
  eraseConnection: async () => undefined,
  reconcileRows: async () => NOTHING_DUE,
  applyRetention: async () => NOTHING_DUE,
  exchangeIdentityCode: async () => undefined,
  endIdentityAttempt: async () => 'COMPLETED',
  checkGrant: async () => undefined,
  listSiblings: async () => [],
  resumeSibling: async () => true,
  probeRegistration: async () => undefined,
  startUpkeep: async () => NOTHING_DUE,
  postponeUpkeep: async () => undefined,
  sendDueWebhooks: async () => ({ waitSeconds: null, paused: false }),
  disconnectBatch: async () => ({ disconnected: 0, total: 0, done: true }),
};

/** A failure as `toFailure` writes it into history. */
export const failure = (
  type: FailureType,
  known: { status?: number; call?: string; retryAfterSeconds?: number; outcomeUnknown?: boolean } = {},
) =>
  ApplicationFailure.create({
    type,
    message: 'A test wants it so.',
    nonRetryable: true,
    details: [{ status: null, retryAfterSeconds: null, outcomeUnknown: false, ...known }],
  });

/** The inline steps of a worker that does not stop. */
export const inlineStepsOf = (activities: Parameters<typeof createInlineSteps>[0]) =>
  createInlineSteps(activities, { stopping: new AbortController().signal, graceMs: 0 });

/** The same, or none if the run tests the plain paths. */
export const usualInlineSteps = (activities: Parameters<typeof createInlineSteps>[0]): InlineSteps =>
  isFast ? inlineStepsOf(activities) : NO_INLINE_STEPS;

export const wait = (waitSeconds: number, tries = 1): Verdict => ({
  ended: false,
  code: 'PROVIDER_UNAVAILABLE',
  tries,
  waitSeconds,
  nextRetryAt: '2026-01-01T00:00:00.000Z',
  failingSince: '2025-12-31T00:00:00.000Z',
});

export const MINUTE_MS = 60_000;

/** An attempt with the contract's deadline of ten minutes. */
export const newAttempt = (nowMs: number) => ({
  attemptId: newId<AttemptId>(),
  provider: 'PROVIDER_B' as const,
  expiresAt: new Date(nowMs + 10 * MINUTE_MS).toISOString(),
});

/** A sign-in with the contract's deadline of ten minutes. */
export const newSignIn = (nowMs: number) => ({
  attemptId: newId<AttemptId>(),
  expiresAt: new Date(nowMs + 10 * MINUTE_MS).toISOString(),
});

export const newUpkeep = () => ({ connectionId: newId<ConnectionId>(), provider: 'PROVIDER_B' as const });
export const newReadJob = () => ({
  jobId: newId<JobId>(),
  connectionId: newId<ConnectionId>(),
  provider: 'PROVIDER_B' as const,
});
export const newDisconnect = () => ({
  connectionId: newId<ConnectionId>(),
  provider: 'PROVIDER_B' as const,
  revokeJobId: newId<JobId>(),
  eraseJobId: newId<JobId>(),
});

/** Waits for a condition, limited only by the test's own time-out. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

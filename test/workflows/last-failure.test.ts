import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { describe, expect, vi } from 'vitest';
import { type JobId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { revokeGrant } from '../../src/workflows/revoke-grant.ts';
import { sendWebhooks, webhooksDue } from '../../src/workflows/send-webhooks.ts';
import { failure, quiet, until, wait } from '../kit/fake-activities.ts';
import { currentDetails, test } from '../kit/temporal.ts';

const lastFailureOf = async (run: WorkflowHandle) =>
  (await run.describe()).typedSearchAttributes.get(defineSearchAttributeKey('LastFailure', 'KEYWORD'));

const kindOf = async (run: WorkflowHandle) =>
  (await run.describe()).typedSearchAttributes.get(defineSearchAttributeKey('JobKind', 'KEYWORD'));

const newRevoke = () => ({ jobId: newId<JobId>(), provider: 'PROVIDER_B' as const });

describe('a workflow is found by LastFailure', () => {
  test('from its first failed try until it succeeds', async ({ temporal }) => {
    const tryRevoke = vi
      .fn(quiet.tryRevoke)
      .mockRejectedValueOnce(failure('RetryLater', { status: 503, call: 'revoke' }));
    const recordDisconnectFailure = vi.fn(async () => wait(86_400));
    const activities = { ...quiet, tryRevoke, recordDisconnectFailure };
    await temporal.run(activities, async (start) => {
      const run = await start(revokeGrant, newRevoke());
      await until(async () => (await lastFailureOf(run)) === 'PROVIDER_UNAVAILABLE');
      expect(await currentDetails(run)).toBe(
        'revoke: failing since 2025-12-31T00:00:00.000Z, 1 try. Last PROVIDER_UNAVAILABLE (RetryLater, revoke, HTTP_503). ' +
          'Next try 2026-01-01T00:00:00.000Z; the signal retryNow, which takes no input, retries at once.',
      );
      await run.signal(retryNow);
      await run.result();
      expect(await lastFailureOf(run)).toBeUndefined();
      expect(await kindOf(run)).toBeUndefined();
    });
    const failedTry = { type: 'RetryLater', answer: 'HTTP_503', call: 'revoke' };
    expect(recordDisconnectFailure).toHaveBeenCalledWith(
      expect.objectContaining({ failedTry: expect.objectContaining(failedTry) }),
    );
  });

  test('by the code that has ended it, and among the failed revokes', async ({ temporal }) => {
    const code = 'PROVIDER_UNAVAILABLE';
    const activities = {
      ...quiet,
      tryRevoke: async () => Promise.reject(failure('RetryLater')),
      recordDisconnectFailure: async () =>
        ({ ended: true, code, revoke: { status: 'FAILED', code, tokensKept: true } }) as const,
    };
    await temporal.run(activities, async (start) => {
      const run = await start(revokeGrant, newRevoke());
      await run.result();
      expect(await lastFailureOf(run)).toBe(code);
      expect(await kindOf(run)).toBe('REVOKE_FAILED');
    });
  });

  test('by the last answer of its endpoint, until nothing waits there', async ({ temporal }) => {
    const waiting = { count: 2, since: '2026-11-28T19:00:00.000Z', tries: 3, lastAnswer: 'HTTP_503' };
    const sendDueWebhooks = vi.fn(quiet.sendDueWebhooks);
    sendDueWebhooks.mockResolvedValueOnce({ waitSeconds: 86_400, paused: false, waiting });
    await temporal.run({ ...quiet, sendDueWebhooks }, async (start) => {
      const run = await start(sendWebhooks, { endpointId: newId<WebhookEndpointId>() });
      await until(async () => (await lastFailureOf(run)) === 'HTTP_503');
      await run.signal(webhooksDue);
      await run.result();
      expect(await lastFailureOf(run)).toBeUndefined();
    });
  });
});

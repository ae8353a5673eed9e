import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, vi } from 'vitest';
import { type Call, ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

type Reason = 'WORKER_SHUTDOWN' | 'TIMED_OUT';

/** A platform that does not answer before the call is aborted. */
const untilAborted = ({ signal }: Call) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new ProviderError('RetryLater', 'No complete answer (ABORTED).', { outcomeUnknown: true })),
    );
  });

/** Runs an activity, and cancels it for this reason after `far` was called. */
async function runAborted<Input>(
  activity: (input: Input) => Promise<unknown>,
  input: Input,
  far: ReturnType<typeof vi.fn>,
  reason: Reason = 'WORKER_SHUTDOWN',
): Promise<unknown> {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const before = far.mock.calls.length;
  const running = environment.run(activity, input);
  running.catch(() => undefined); // The caller handles it.
  await vi.waitUntil(() => far.mock.calls.length > before);
  environment.cancel(reason);
  return await running;
}

async function newScan(stage: Stage, changes: Parameters<Stage['newConnection']>[0] = {}) {
  const { connectionId, grantId } = await stage.newConnection(changes);
  return { ...(await stage.newScan(connectionId)), grantId };
}

describe('an aborted call', () => {
  test('fails for any other reason', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await newScan(stage);
    const { listContent } = stage.provider;
    listContent.mockImplementationOnce((_access, _input, call) => untilAborted(call));
    const failed = runAborted(stage.activities.runScanStep, { jobId }, listContent, 'TIMED_OUT');
    expect(await failureOf(failed)).toMatchObject({ type: 'RetryLater' });
  });

  test('reports the wait that an earlier answer asked for', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await newScan(stage);
    const { listContent } = stage.provider;
    listContent.mockImplementationOnce(async (_access, _input, call) => {
      await untilAborted(call).catch(() => undefined);
      throw new ProviderError('RetryLater', 'Too many calls.', { retryAfterSeconds: 30 });
    });
    const failed = runAborted(stage.activities.runScanStep, { jobId }, listContent);
    expect(await failureOf(failed)).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 30 });
  });

  test('reports a possibly spent token during a refresh, and keeps its claim', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId, grantId } = await newScan(stage);
    await sql`update account_grant set access_expires_at = business_now() where grant_id = ${grantId}`;
    const { refresh } = stage.provider;
    refresh.mockImplementationOnce((_client, _tokens, call) => untilAborted(call));
    const failed = runAborted(stage.activities.runScanStep, { jobId }, refresh);
    expect(await failureOf(failed)).toMatchObject({ type: 'RetryLater', outcomeUnknown: true, retryAfterSeconds: 95 });
    expect((await stage.grant(grantId)).refreshClaim).not.toBeNull();
  });

  test('is repeated at once during a revoke, past its own claim', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const { revoke } = stage.provider;
    revoke.mockImplementationOnce((_client, _tokens, call) => untilAborted(call));
    await expect(runAborted(stage.activities.tryRevoke, { jobId }, revoke)).rejects.toBeInstanceOf(CancelledFailure);
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({
      status: 'SUCCEEDED',
      tries: 0,
      lastFailure: null,
    });
  });
});

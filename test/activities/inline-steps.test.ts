import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, vi } from 'vitest';
import { createInlineSteps, type InlineCall, type InlineStep } from '../../src/activities/fast/inline-steps.ts';
import { type JobId, newId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import type { Step } from '../../src/workflows/results.ts';
import { openStage, stageTest as test } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { inlineStepsOf } from '../kit/fake-activities.ts';
import { gate } from '../kit/gate.ts';

const newEnvironment = () => new MockActivityEnvironment({ isLocal: true }, { logger: new DefaultLogger('ERROR') });
const run = (activities: Parameters<typeof inlineStepsOf>[0], { step, ...call }: InlineCall & { step: InlineStep }) =>
  newEnvironment().run(inlineStepsOf(activities)[`${step}Inline`], call);

const DONE: Step = { done: true };

describe('an inline step', () => {
  test('leaves a read to the queue, without any call, if its token has to be refreshed first', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, grantId } = await stage.newConnection();
    const { jobId } = await stage.newScan(connectionId);
    await sql`update account_grant set access_expires_at = business_now() where grant_id = ${grantId}`;
    const outcome = await run(stage.activities, { provider: 'PROVIDER_B', step: 'runScanStep', input: { jobId } });
    expect(outcome).toEqual({ tried: false });
    expect(stage.provider.refresh).not.toHaveBeenCalled();
    expect(stage.provider.listContent).not.toHaveBeenCalled();
    expect((await stage.grant(grantId)).refreshClaim).toBeNull();
    await runActivity(stage.activities.runScanStep, { jobId });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
  });

  test('that its worker aborts when it stops is left to the queue, where another one repeats it', async ({ stage }) => {
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const { revoke } = stage.provider;
    revoke.mockImplementationOnce(
      (_client, _tokens, { signal }) =>
        new Promise<never>((_, reject) => {
          const aborted = new ProviderError('RetryLater', 'No answer (ABORTED).', { outcomeUnknown: true });
          signal.addEventListener('abort', () => reject(aborted));
        }),
    );
    const stopping = new AbortController();
    const steps = createInlineSteps(stage.activities, { stopping: stopping.signal, graceMs: 20 });
    const call: InlineCall = { provider: 'PROVIDER_B', input: { jobId } };
    const running = newEnvironment().run(steps.tryRevokeInline, call);
    await vi.waitUntil(() => revoke.mock.calls.length > 0);
    stopping.abort();
    expect(await running).toEqual({ tried: false });
    expect(await newEnvironment().run(steps.tryRevokeInline, call)).toEqual({ tried: false });
    expect(revoke).toHaveBeenCalledOnce();
    await runActivity(stage.activities.tryRevoke, { jobId });
    const settled = { status: 'SUCCEEDED', tries: 0, lastFailure: null };
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(settled);
  });
});

/** Steps that end when the test ends them. */
function held() {
  const { opened, open } = gate();
  let begun = 0;
  const runMetricsStep = async () => {
    begun += 1;
    await opened;
    return DONE;
  };
  const unused = { obtainGrant: vi.fn(), runScanStep: vi.fn(), runLookupStep: vi.fn(), tryRevoke: vi.fn() };
  const { runMetricsStepInline } = inlineStepsOf({ ...unused, runMetricsStep });
  const ask = (provider: InlineCall['provider']) =>
    runMetricsStepInline({ provider, input: { jobId: newId<JobId>() } });
  return { ask, open, begun: () => begun };
}

test('the places of a worker are eight for each provider: a slow one takes none of the others', async () => {
  const { ask, open, begun } = held();
  const eight = Array.from({ length: 8 }, () => ask('PROVIDER_A'));
  expect(await ask('PROVIDER_A')).toEqual({ tried: false });
  const other = ask('PROVIDER_C');
  expect(begun()).toBe(9);
  open();
  for (const outcome of await Promise.all([...eight, other])) expect(outcome).toEqual({ tried: true, result: DONE });
  expect(await ask('PROVIDER_A')).toEqual({ tried: true, result: DONE });
});

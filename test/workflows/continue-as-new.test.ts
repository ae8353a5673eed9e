import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { startWorkflow } from '../../src/temporal/start-workflow.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { failure, newDisconnect, newReadJob, newUpkeep, quiet, until, wait } from '../kit/fake-activities.ts';
import { type Activities, bundleWorkflows, createWorkers, currentDetails, runUntil } from '../kit/temporal.ts';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  const attributes = ['AppId', 'Provider', 'ConnectionId', 'JobKind', 'LastFailure'];
  env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: inject('temporalCommand') },
      extraArgs: [
        ...['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=30'],
        ...attributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      ],
    },
  });
});
afterAll(async () => await env.teardown());

/** Runs a workflow as the outbox starts it, until `work` is done. @returns its handle, for any run. */
async function run(
  type: string,
  input: object,
  activities: Partial<Activities>,
  work: (handle: WorkflowHandle) => Promise<unknown> = (handle) => handle.result(),
) {
  const taskQueue = `test-${randomUUID()}`;
  const workflowId = `${type}/${randomUUID()}`;
  const workers = await createWorkers(env, taskQueue, {
    activities: { ...quiet, ...activities },
    workflowBundle: await bundleWorkflows(),
  });
  await runUntil(workers, async () => {
    await startWorkflow(env.client, taskQueue, {
      workflowId,
      workflowType: type,
      input: input as Record<string, string>,
      signalName: null,
      searchAttributes: { Provider: 'PROVIDER_B', JobKind: 'REVOKE' },
      correlationId: '11111111-2222-4333-8444-555555555555',
    });
    await work(env.client.workflow.getHandle(workflowId));
  });
  const runs = [];
  for await (const one of env.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) runs.push(one);
  return runs;
}

const failing = (tries: number) => {
  const call = vi.fn(async (_input: unknown) => {
    if (call.mock.calls.length <= tries) throw failure('RetryLater');
  });
  return call;
};

describe('a long-waiting loop', () => {
  const loops = {
    revokeGrant: { input: newReadJob(), name: 'tryRevoke' },
    disconnect: { input: newDisconnect(), name: 'tryRevoke' },
    scan: { input: newReadJob(), name: 'runScanStep' },
    verifyGrant: { input: newUpkeep(), name: 'checkGrant' },
  } as const;
  for (const [type, { input, name }] of Object.entries(loops)) {
    test(`${type} continues as new, as the same workflow, before its history grows long`, async () => {
      const call = failing(6);
      const done = name === 'runScanStep' ? async (step: unknown) => call(step).then(() => ({ done: true })) : call;
      const again = { recordDisconnectFailure: async () => wait(0), recordReadFailure: async () => wait(0) };
      const sendRetries = async (handle: WorkflowHandle) => {
        const over = handle.result();
        if (type === 'verifyGrant') {
          for (let tries = 1; tries <= 6; tries += 1) {
            await until(() => call.mock.calls.length === tries);
            await handle.signal(retryNow);
          }
        }
        await over;
      };
      const runs = await run(type, input, { ...again, [name]: done }, sendRetries);
      expect(call).toHaveBeenCalledTimes(7);
      expect(runs.length).toBeGreaterThan(1);
      for (const { historyLength, type: ran, searchAttributes, memo } of runs) {
        expect(ran).toBe(type);
        expect(historyLength).toBeLessThan(80);
        expect(searchAttributes).toMatchObject({ Provider: ['PROVIDER_B'] });
        expect(memo).toEqual({ correlationId: '11111111-2222-4333-8444-555555555555' });
      }
    });
  }

  test('retries at once when the signal arrives before the first task of its new run', async () => {
    const taskQueue = `test-${randomUUID()}`;
    const pending = { tries: 1, notBeforeMs: Date.now() + 3_600_000 };
    const handle = await env.client.workflow.signalWithStart('verifyGrant', {
      taskQueue,
      workflowId: `verify/${randomUUID()}`,
      args: [{ ...newUpkeep(), pending }],
      signal: retryNow,
    });
    const checkGrant = vi.fn(async () => wait(0));
    const workers = await createWorkers(env, taskQueue, {
      activities: { ...quiet, checkGrant: checkGrant as never },
      workflowBundle: await bundleWorkflows(),
    });
    await runUntil(workers, () => handle.result());
    expect(checkGrant).toHaveBeenCalledOnce();
  });

  test('loses no signal across runs, and keeps its remaining wait', async () => {
    const call = failing(10);
    await run(
      'revokeGrant',
      newReadJob(),
      { tryRevoke: call as never, recordDisconnectFailure: async () => wait(86_400) },
      async (handle) => {
        for (let tries = 1; tries <= 10; tries += 1) {
          await until(() => call.mock.calls.length === tries);
          await handle.signal(retryNow);
        }
        await until(() => call.mock.calls.length === 11);
        await handle.result();
      },
    );
    expect(call).toHaveBeenCalledTimes(11);
  });

  test('verifySiblings carries over the unverified siblings and their times', async () => {
    const [near, far, away] = [newId<ConnectionId>(), newId<ConnectionId>(), newId<ConnectionId>()];
    const providerCalls = failing(8);
    let awayCalls = 0;
    const checkGrant = async ({ connectionId }: { connectionId: ConnectionId }) => {
      if (connectionId === far) await providerCalls({});
      if (connectionId !== away) return;
      awayCalls += 1;
      if (awayCalls <= 8) throw failure('QuotaSpent', { retryAfterSeconds: 86_400 });
    };
    const resumed: ConnectionId[] = [];
    const listSiblings = vi.fn(async () => [near, far, away]);
    const runs = await run(
      'verifySiblings',
      newReadJob(),
      {
        checkGrant,
        listSiblings,
        resumeSibling: async ({ connectionId }) => {
          resumed.push(connectionId);
          return true;
        },
      },
      async (handle) => {
        for (let tries = 1; tries <= 8; tries += 1) {
          await until(() => providerCalls.mock.calls.length === tries && awayCalls === tries);
          await handle.signal(retryNow);
        }
        await handle.result();
        expect(await currentDetails(handle)).toBe('0 of 3 connection(s) not verified yet.');
      },
    );
    expect(runs.length).toBeGreaterThan(1);
    expect(listSiblings).toHaveBeenCalledOnce();
    expect(resumed.toSorted()).toEqual([near, far, away].toSorted());
    expect(awayCalls).toBe(9);
  });
});

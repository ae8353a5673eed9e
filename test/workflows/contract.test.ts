import { describe, expect, test } from 'vitest';
import { type AppId, type ConnectionId, type CorrelationId, type GrantId, type JobId, newId } from '../../src/ids.ts';
import { addRetrySignal, buildDisconnectJobDispatch, getDisconnectJobWorkflowId } from '../../src/outbox/dispatches.ts';

const connectionId = newId<ConnectionId>();
const grantId = newId<GrantId>();
const revoke = {
  jobId: newId<JobId>(),
  kind: 'REVOKE' as const,
  connectionId,
  grantId,
  run: 0,
  provider: 'PROVIDER_B' as const,
  appId: newId<AppId>(),
  correlationId: newId<CorrelationId>(),
};
const erase = { ...revoke, jobId: newId<JobId>(), kind: 'ERASE' as const, grantId: null };
const receipts = [revoke, erase];

describe('the workflow of a disconnect job', () => {
  test.for([
    ['a revoke', revoke, `disconnect/${connectionId}`],
    ['the erase beside it', erase, `disconnect/${connectionId}`],
    ['a revoke tried again after it had failed', { ...revoke, run: 2 }, `revoke/${grantId}/2`],
    ['a compensation', { ...revoke, kind: 'COMPENSATION' as const, connectionId: null, run: 1 }, `revoke/${grantId}/1`],
    [
      'a compensation tried again',
      { ...revoke, kind: 'COMPENSATION' as const, connectionId: null, run: 2 },
      `revoke/${grantId}/2`,
    ],
  ] as const)('of %s', ([, job, workflowId]) => {
    expect(getDisconnectJobWorkflowId(job)).toBe(workflowId);
    expect(buildDisconnectJobDispatch(job, receipts)?.workflowId).toBe(workflowId);
  });

  test('settles both receipts of a disconnect', () => {
    expect(buildDisconnectJobDispatch(erase, receipts)?.input).toEqual({
      connectionId,
      provider: 'PROVIDER_B',
      revokeJobId: revoke.jobId,
      eraseJobId: erase.jobId,
    });
  });

  test('is undefined if a receipt is missing', () => {
    expect(buildDisconnectJobDispatch(revoke, [revoke])).toBeUndefined();
    expect(
      buildDisconnectJobDispatch(revoke, [revoke, { ...erase, connectionId: newId<ConnectionId>() }]),
    ).toBeUndefined();
  });

  test('is signaled or restarted when an operator retries it', () => {
    const dispatch = buildDisconnectJobDispatch(revoke, receipts);
    expect(dispatch && addRetrySignal(dispatch)).toEqual({ ...dispatch, signal: { name: 'retryNow' }, restart: true });
  });
});

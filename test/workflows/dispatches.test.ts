import { describe, expect, test } from 'vitest';
import {
  type AppId,
  type AttemptId,
  type BulkDisconnectId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
  type RegistrationId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { type InputOf, WORKFLOWS, type WorkflowName } from '../../src/workflows/contract.ts';
import {
  addRetrySignal,
  buildDisconnectJobDispatch,
  buildDispatch,
  buildReadJobDispatch,
  buildUpkeepDispatch,
  getJobWorkflowId,
} from '../../src/workflows/dispatches.ts';
import * as workflows from '../../src/workflows/index.ts';

/** A row with every field that a workflow may need, and some that none may pass on. */
const row = {
  appId: newId<AppId>(),
  attemptId: newId<AttemptId>(),
  bulkDisconnectId: newId<BulkDisconnectId>(),
  connectionId: newId<ConnectionId>(),
  correlationId: newId<CorrelationId>(),
  endpointId: newId<WebhookEndpointId>(),
  eraseJobId: newId<JobId>(),
  expiresAt: new Date('2026-03-01T10:10:00Z'),
  grantId: newId<GrantId>(),
  jobId: newId<JobId>(),
  provider: 'PROVIDER_B' as const,
  registrationId: newId<RegistrationId>(),
  reportedAt: new Date('2026-03-01T09:00:00Z'),
  revokeJobId: newId<JobId>(),
  run: 0,
  returnUrl: 'https://app.example/return',
  tenantKey: 'tenant',
};
const { appId, provider, connectionId, attemptId, jobId, grantId, endpointId } = row;

/** The id of each workflow: two starts of one id are one start. */
const IDS: Readonly<Record<WorkflowName, string>> = {
  connectAttempt: `connect/${attemptId}`,
  identityAttempt: `identity/${attemptId}`,
  scan: `scan/${jobId}`,
  metricsRefresh: `metrics/${jobId}`,
  contentLookup: `lookup/${jobId}`,
  disconnect: `disconnect/${connectionId}`,
  revokeGrant: `revoke/${grantId}/0`,
  disconnectAll: `disconnect-all/${row.bulkDisconnectId}`,
  verifySiblings: `verify/${jobId}`,
  verifyGrant: `verify/${connectionId}/2026-03-01T09:00:00.000Z`,
  connectionUpkeep: `upkeep/${connectionId}`,
  clientProbe: `probe/${row.registrationId}`,
  sendWebhooks: `webhooks/${endpointId}`,
};

describe('the start of a workflow', () => {
  const all = Object.keys(IDS).map((name) => buildDispatch(name as WorkflowName, row));

  test('has one id for its row', () => {
    expect(Object.fromEntries(all.map(({ workflowType, workflowId }) => [workflowType, workflowId]))).toEqual(IDS);
  });

  test('holds ids, codes and instants alone, and operators find it by its app, platform and connection', () => {
    const isOurs = (value: unknown) => /^[0-9a-f-]{36}$|^[A-Z_]+$|^2026-03-01T/.test(String(value));
    for (const { input, searchAttributes, workflowType } of all)
      expect(
        Object.values({ ...input, ...searchAttributes }).filter((value) => !isOurs(value)),
        workflowType,
      ).toEqual([]);
    const scan = buildReadJobDispatch({ ...row, kind: 'SCAN' });
    const found = { AppId: appId, Provider: provider, ConnectionId: connectionId, JobKind: 'SCAN' };
    expect(scan).toMatchObject({
      workflowType: 'scan',
      input: { jobId, connectionId, provider },
      searchAttributes: found,
    });
  });

  test('puts a waiting person first, and work that no one waits for last', () => {
    const first = all.filter(({ lane }) => lane === 'PERSON').map(({ workflowType }) => workflowType);
    expect(first).toEqual(['connectAttempt', 'identityAttempt']);
    const background = buildReadJobDispatch({ ...row, kind: 'SCAN', isRefresh: true });
    expect(background).toMatchObject({ input: { urgency: 'BACKGROUND' }, lane: 'BULK' });
    const upkeep = { input: { connectionId, provider }, lane: 'BULK', restart: true };
    expect(buildUpkeepDispatch({ ...row, isUrgent: false })).toMatchObject(upkeep);
    const urgent = { input: { connectionId, provider, urgency: 'SOON' }, lane: 'REQUEST' };
    expect(buildUpkeepDispatch({ ...row, isUrgent: true })).toMatchObject(urgent);
  });
});

describe('the workflow of a disconnect job', () => {
  const revoke = { ...row, jobId: row.revokeJobId, kind: 'REVOKE' as const };
  const erase = { ...row, jobId: row.eraseJobId, kind: 'ERASE' as const, grantId: null };
  const other = { connectionId: newId<ConnectionId>(), jobId: newId<JobId>() };
  const receipts = [{ ...revoke, ...other }, { ...erase, ...other }, revoke, erase];

  test('settles both receipts; a revoke tried again and a compensation have their own', () => {
    const input = { connectionId, provider, revokeJobId: revoke.jobId, eraseJobId: erase.jobId };
    for (const job of [revoke, erase]) expect(buildDisconnectJobDispatch(job, receipts)?.input).toEqual(input);
    for (const job of [
      { ...revoke, run: 1 },
      { ...revoke, connectionId: null },
    ])
      expect(buildDisconnectJobDispatch(job, receipts)?.workflowId).toBe(`revoke/${grantId}/${job.run}`);
    for (const job of [...receipts, { ...revoke, run: 1 }])
      expect(getJobWorkflowId(job)).toBe(buildDisconnectJobDispatch(job, receipts)?.workflowId);
    expect(buildDisconnectJobDispatch(revoke, [revoke])).toBeUndefined();
  });

  test('is signaled or restarted when an operator retries it', () => {
    const dispatch = buildDisconnectJobDispatch(revoke, receipts);
    expect(dispatch && addRetrySignal(dispatch)).toEqual({ ...dispatch, signal: { name: 'retryNow' }, restart: true });
  });
});

/** Compiles only if each function takes the input that its entry describes. */
const FUNCTIONS: { readonly [Name in WorkflowName]: (input: InputOf<Name>) => Promise<unknown> } = workflows;

test('every workflow has an entry, except the sweep, which a Schedule starts', () => {
  const names = Object.keys(FUNCTIONS).filter((name) => name !== 'sweep');
  expect(Object.keys(WORKFLOWS).sort()).toEqual(names.sort());
});

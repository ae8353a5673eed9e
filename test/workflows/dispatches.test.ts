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
import { buildDispatch, buildReadJobDispatch, buildUpkeepDispatch } from '../../src/workflows/dispatches.ts';
import * as workflows from '../../src/workflows/index.ts';

type Dispatch = ReturnType<typeof buildDispatch>;

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
  resultExpiresAt: new Date('2026-03-01T10:20:00Z'),
  revokeJobId: newId<JobId>(),
  run: 0,
  returnUrl: 'https://app.example/return',
  tenantKey: 'tenant',
};
const { appId, provider, connectionId, correlationId, attemptId, jobId, grantId, endpointId, registrationId } = row;
const ofRead = { jobId, connectionId, provider };
const ofAccount = { AppId: appId, Provider: provider, ConnectionId: connectionId };

/** The arguments of each workflow, where it waits for its start, and the fields by which operators find it. */
const STARTS: Readonly<Record<WorkflowName, readonly [Dispatch, Partial<Dispatch>]>> = {
  connectAttempt: [
    buildDispatch('connectAttempt', row),
    {
      workflowId: `connect/${attemptId}`,
      input: { attemptId, provider, expiresAt: '2026-03-01T10:10:00.000Z' },
      searchAttributes: { AppId: appId, Provider: provider, JobKind: 'CONNECT' },
      lane: 'PERSON',
    },
  ],
  identityAttempt: [
    buildDispatch('identityAttempt', row),
    {
      workflowId: `identity/${attemptId}`,
      input: { attemptId, expiresAt: '2026-03-01T10:10:00.000Z' },
      searchAttributes: { AppId: appId, JobKind: 'IDENTITY' },
      lane: 'PERSON',
    },
  ],
  scan: [
    buildReadJobDispatch({ ...row, kind: 'SCAN' }),
    { workflowId: `scan/${jobId}`, input: ofRead, searchAttributes: { ...ofAccount, JobKind: 'SCAN' } },
  ],
  metricsRefresh: [
    buildReadJobDispatch({ ...row, kind: 'METRICS', isRefresh: false }),
    { workflowId: `metrics/${jobId}`, input: ofRead, searchAttributes: { ...ofAccount, JobKind: 'METRICS' } },
  ],
  contentLookup: [
    buildReadJobDispatch({ ...row, kind: 'LOOKUP' }),
    { workflowId: `lookup/${jobId}`, input: ofRead, searchAttributes: { ...ofAccount, JobKind: 'LOOKUP' } },
  ],
  disconnect: [
    buildDispatch('disconnect', row),
    {
      workflowId: `disconnect/${connectionId}`,
      input: { connectionId, provider, revokeJobId: row.revokeJobId, eraseJobId: row.eraseJobId },
      searchAttributes: { ...ofAccount, JobKind: 'DISCONNECT' },
    },
  ],
  revokeGrant: [
    buildDispatch('revokeGrant', { ...row, run: 2 }),
    {
      workflowId: `revoke/${grantId}/2`,
      input: { jobId, provider },
      searchAttributes: { AppId: appId, Provider: provider, JobKind: 'REVOKE' },
    },
  ],
  disconnectAll: [
    buildDispatch('disconnectAll', row),
    {
      workflowId: `disconnect-all/${row.bulkDisconnectId}`,
      input: { bulkDisconnectId: row.bulkDisconnectId },
      searchAttributes: { JobKind: 'DISCONNECT_ALL' },
      lane: 'BULK',
    },
  ],
  verifySiblings: [
    buildDispatch('verifySiblings', row),
    {
      workflowId: `verify/${jobId}`,
      input: { jobId, provider },
      searchAttributes: { AppId: appId, Provider: provider, JobKind: 'VERIFY' },
    },
  ],
  verifyGrant: [
    buildDispatch('verifyGrant', row),
    {
      workflowId: `verify/${connectionId}/2026-03-01T09:00:00.000Z`,
      input: { connectionId, provider },
      searchAttributes: { ...ofAccount, JobKind: 'VERIFY' },
    },
  ],
  connectionUpkeep: [
    buildUpkeepDispatch({ ...row, isUrgent: false }),
    {
      workflowId: `upkeep/${connectionId}`,
      input: { connectionId, provider },
      searchAttributes: { ...ofAccount, JobKind: 'UPKEEP' },
      lane: 'BULK',
      restart: true,
      correlationId: null,
    },
  ],
  clientProbe: [
    buildDispatch('clientProbe', { ...row, correlationId: null }),
    {
      workflowId: `probe/${registrationId}`,
      input: { registrationId, provider },
      searchAttributes: { Provider: provider, JobKind: 'PROBE' },
      restart: true,
      correlationId: null,
    },
  ],
  sendWebhooks: [
    buildDispatch('sendWebhooks', row),
    {
      workflowId: `webhooks/${endpointId}`,
      input: { endpointId },
      signal: { name: 'webhooksDue' },
      searchAttributes: { AppId: appId, JobKind: 'WEBHOOKS' },
      restart: true,
    },
  ],
};

describe('the start of a workflow', () => {
  test.for(Object.entries(STARTS))(
    '%s: its id, input, search attributes and lane',
    ([workflowType, [dispatch, start]]) => {
      expect(dispatch).toEqual({ workflowType, correlationId, traceparent: null, ...start });
    },
  );

  test('gives an automatic refresh no waiting caller, and puts an urgent upkeep before reads', () => {
    expect(buildReadJobDispatch({ ...row, kind: 'SCAN', isRefresh: true })).toMatchObject({
      input: { ...ofRead, urgency: 'BACKGROUND' },
      lane: 'BULK',
    });
    expect(buildUpkeepDispatch({ ...row, isUrgent: true })).toMatchObject({
      input: { connectionId, provider, urgency: 'SOON' },
      lane: 'REQUEST',
    });
  });

  test('has the lane that its caller asks for, and no field that its input does not name', () => {
    const dispatch = buildDispatch('disconnect', { ...row, ...{ urgency: 'SOON' as const } }, { lane: 'BULK' });
    expect(dispatch).toEqual({ ...buildDispatch('disconnect', row), lane: 'BULK' });
  });
});

/** Compiles only if each function takes the input that its entry describes. */
const FUNCTIONS: { readonly [Name in WorkflowName]: (input: InputOf<Name>) => Promise<unknown> } = workflows;

test('every workflow has an entry, except the sweep, which a Schedule starts', () => {
  const names = Object.keys(FUNCTIONS).filter((name) => name !== 'sweep');
  expect(Object.keys(WORKFLOWS).sort()).toEqual(names.sort());
});

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
const ofAttempt = { attemptId, expiresAt: '2026-03-01T10:10:00.000Z' };

/** The fields by which operators find a workflow. */
const FIELDS = { app: { AppId: appId }, provider: { Provider: provider }, connection: { ConnectionId: connectionId } };
const found = (JobKind: string, ...by: readonly (keyof typeof FIELDS)[]) =>
  Object.assign({ JobKind }, ...by.map((one) => FIELDS[one]));
const OF_ACCOUNT = ['app', 'provider', 'connection'] as const;

/** Of each workflow: its dispatch, its id, its input, its fields, and what else is not as usual. */
type Start = readonly [Dispatch, id: string, input: object, fields: object, others?: Partial<Dispatch>];
const STARTS: Readonly<Record<WorkflowName, Start>> = {
  connectAttempt: [
    buildDispatch('connectAttempt', row),
    `connect/${attemptId}`,
    { ...ofAttempt, provider },
    found('CONNECT', 'app', 'provider'),
    { lane: 'PERSON' },
  ],
  identityAttempt: [
    buildDispatch('identityAttempt', row),
    `identity/${attemptId}`,
    ofAttempt,
    found('IDENTITY', 'app'),
    { lane: 'PERSON' },
  ],
  scan: [buildReadJobDispatch({ ...row, kind: 'SCAN' }), `scan/${jobId}`, ofRead, found('SCAN', ...OF_ACCOUNT)],
  metricsRefresh: [
    buildReadJobDispatch({ ...row, kind: 'METRICS', isRefresh: false }),
    `metrics/${jobId}`,
    ofRead,
    found('METRICS', ...OF_ACCOUNT),
  ],
  contentLookup: [
    buildReadJobDispatch({ ...row, kind: 'LOOKUP' }),
    `lookup/${jobId}`,
    ofRead,
    found('LOOKUP', ...OF_ACCOUNT),
  ],
  disconnect: [
    buildDispatch('disconnect', row),
    `disconnect/${connectionId}`,
    { connectionId, provider, revokeJobId: row.revokeJobId, eraseJobId: row.eraseJobId },
    found('DISCONNECT', ...OF_ACCOUNT),
  ],
  revokeGrant: [
    buildDispatch('revokeGrant', { ...row, run: 2 }),
    `revoke/${grantId}/2`,
    { jobId, provider },
    found('REVOKE', 'app', 'provider'),
  ],
  disconnectAll: [
    buildDispatch('disconnectAll', row),
    `disconnect-all/${row.bulkDisconnectId}`,
    { bulkDisconnectId: row.bulkDisconnectId },
    found('DISCONNECT_ALL'),
    { lane: 'BULK' },
  ],
  verifySiblings: [
    buildDispatch('verifySiblings', row),
    `verify/${jobId}`,
    { jobId, provider },
    found('VERIFY', 'app', 'provider'),
  ],
  verifyGrant: [
    buildDispatch('verifyGrant', row),
    `verify/${connectionId}/2026-03-01T09:00:00.000Z`,
    { connectionId, provider },
    found('VERIFY', ...OF_ACCOUNT),
  ],
  connectionUpkeep: [
    buildUpkeepDispatch({ ...row, isUrgent: false }),
    `upkeep/${connectionId}`,
    { connectionId, provider },
    found('UPKEEP', ...OF_ACCOUNT),
    { lane: 'BULK', restart: true, correlationId: null },
  ],
  clientProbe: [
    buildDispatch('clientProbe', { ...row, correlationId: null }),
    `probe/${registrationId}`,
    { registrationId, provider },
    found('PROBE', 'provider'),
    { restart: true, correlationId: null },
  ],
  sendWebhooks: [
    buildDispatch('sendWebhooks', row),
    `webhooks/${endpointId}`,
    { endpointId },
    found('WEBHOOKS', 'app'),
    { signal: { name: 'webhooksDue' }, restart: true },
  ],
};

describe('the start of a workflow', () => {
  test.for(Object.entries(STARTS))(
    '%s: its id, input, search attributes and lane',
    ([workflowType, [dispatch, workflowId, input, searchAttributes, others]]) => {
      const start = { workflowType, workflowId, input, searchAttributes, correlationId, traceparent: null };
      expect(dispatch).toEqual({ ...start, ...others });
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

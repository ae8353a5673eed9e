/** Describes the workflow to start or signal for a row. Contains ids and closed codes only. */

import type { ProviderName } from '../basics/codes.ts';
import type {
  AppId,
  AttemptId,
  BulkDisconnectId,
  CorrelationId,
  GrantId,
  JobId,
  WebhookEndpointId,
} from '../basics/ids.ts';
import type { Attempt } from '../store/attempts/attempts.ts';
import type { DueUpkeep } from '../store/connections/upkeep.ts';
import type { DisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import type { ReadJob } from '../store/jobs/read-jobs.ts';
import type { Dispatch, WorkLane } from '../store/outbox.ts';
import { findTraceparent } from '../telemetry/tracing.ts';
import {
  type ATTEMPT_ENDED,
  type CALLBACK_ARRIVED,
  type ClientProbeInput,
  type DisconnectInput,
  RETRY_NOW,
  type VerifyGrantInput,
  WEBHOOKS_DUE,
  workflowIds,
} from './contract.ts';

/** Adds the trace of the current request, which the workflow continues. */
const addTrace = (dispatch: Omit<Dispatch, 'traceparent'>): Dispatch => ({
  ...dispatch,
  traceparent: findTraceparent(),
});

type Signaled = { readonly signal?: typeof ATTEMPT_ENDED | typeof CALLBACK_ARRIVED };

export const buildConnectAttemptDispatch = (
  attempt: Pick<Attempt, 'attemptId' | 'appId' | 'provider' | 'expiresAt' | 'correlationId'>,
  { signal }: Signaled = {},
): Dispatch =>
  addTrace({
    workflowId: workflowIds.connectAttempt(attempt.attemptId),
    workflowType: 'connectAttempt',
    input: { attemptId: attempt.attemptId, provider: attempt.provider, expiresAt: attempt.expiresAt.toISOString() },
    ...(signal ? { signal: { name: signal } } : {}),
    lane: 'PERSON',
    searchAttributes: { AppId: attempt.appId, Provider: attempt.provider, JobKind: 'CONNECT' },
    correlationId: attempt.correlationId,
  });

export const buildIdentityAttemptDispatch = (
  attempt: {
    attemptId: AttemptId;
    appId: AppId;
    expiresAt: Date;
    resultExpiresAt: Date;
    correlationId: CorrelationId;
  },
  { signal }: Signaled = {},
): Dispatch =>
  addTrace({
    workflowId: workflowIds.identityAttempt(attempt.attemptId),
    workflowType: 'identityAttempt',
    input: {
      attemptId: attempt.attemptId,
      expiresAt: attempt.expiresAt.toISOString(),
      resultExpiresAt: attempt.resultExpiresAt.toISOString(),
    },
    ...(signal ? { signal: { name: signal } } : {}),
    lane: 'PERSON',
    searchAttributes: { AppId: attempt.appId, JobKind: 'IDENTITY' },
    correlationId: attempt.correlationId,
  });

const READ_WORKFLOWS = { SCAN: 'scan', METRICS: 'metricsRefresh', LOOKUP: 'contentLookup' } as const;

export function buildReadJobDispatch(
  job: Pick<ReadJob, 'jobId' | 'kind' | 'appId' | 'provider' | 'connectionId' | 'correlationId'> & {
    isRefresh?: boolean;
  },
): Dispatch {
  const workflowType = READ_WORKFLOWS[job.kind];
  return addTrace({
    workflowId: workflowIds[workflowType](job.jobId),
    workflowType,
    input: {
      jobId: job.jobId,
      connectionId: job.connectionId,
      provider: job.provider,
      ...(job.isRefresh && { urgency: 'BACKGROUND' }),
    },
    ...(job.isRefresh && { lane: 'BULK' }),
    searchAttributes: { AppId: job.appId, Provider: job.provider, ConnectionId: job.connectionId, JobKind: job.kind },
    correlationId: job.correlationId,
  });
}

export const buildDisconnectDispatch = (
  input: DisconnectInput & { appId: AppId; correlationId: CorrelationId; lane?: WorkLane },
): Dispatch =>
  addTrace({
    ...(input.lane && { lane: input.lane }),
    workflowId: workflowIds.disconnect(input.connectionId),
    workflowType: 'disconnect',
    input: {
      connectionId: input.connectionId,
      provider: input.provider,
      revokeJobId: input.revokeJobId,
      eraseJobId: input.eraseJobId,
    },
    searchAttributes: {
      AppId: input.appId,
      Provider: input.provider,
      ConnectionId: input.connectionId,
      JobKind: 'DISCONNECT',
    },
    correlationId: input.correlationId,
  });

export const buildRevokeGrantDispatch = (input: {
  jobId: JobId;
  grantId: GrantId;
  run: number;
  provider: ProviderName;
  appId: AppId;
  correlationId: CorrelationId;
}): Dispatch =>
  addTrace({
    workflowId: workflowIds.revokeGrant(input.grantId, input.run),
    workflowType: 'revokeGrant',
    input: { jobId: input.jobId, provider: input.provider },
    searchAttributes: { AppId: input.appId, Provider: input.provider, JobKind: 'REVOKE' },
    correlationId: input.correlationId,
  });

/**
 * The workflow of a revoke or erase job: its connection's disconnect. A compensating revoke, and a retried one, has a
 * workflow of its own.
 * @param receipts of the job's connection: one workflow handles both.
 * @returns undefined when a receipt is missing: then no workflow can run the job.
 */
export function buildDisconnectJobDispatch(
  job: Pick<
    DisconnectJob,
    'jobId' | 'kind' | 'connectionId' | 'grantId' | 'run' | 'provider' | 'appId' | 'correlationId'
  >,
  receipts: readonly Pick<DisconnectJob, 'jobId' | 'kind' | 'connectionId'>[],
): Dispatch | undefined {
  const { jobId, grantId, connectionId, provider, appId, correlationId } = job;
  if (hasOwnWorkflow(job) || connectionId === null) {
    return grantId === null
      ? undefined
      : buildRevokeGrantDispatch({ jobId, grantId, run: job.run, provider, appId, correlationId });
  }
  const own = receipts.filter((receipt) => receipt.connectionId === connectionId);
  const revokeJobId = own.find(({ kind }) => kind === 'REVOKE')?.jobId;
  const eraseJobId = own.find(({ kind }) => kind === 'ERASE')?.jobId;
  if (revokeJobId === undefined || eraseJobId === undefined) return undefined;
  return buildDisconnectDispatch({ connectionId, provider, revokeJobId, eraseJobId, appId, correlationId });
}

/** Whether a revoke or erase job has a workflow of its own, apart from its connection's disconnect. */
export const hasOwnWorkflow = ({ run }: Pick<DisconnectJob, 'run'>): boolean => run > 0;

/** The id of the workflow that runs, or ran, a revoke or erase job. */
export function getDisconnectJobWorkflowId(
  job: Pick<DisconnectJob, 'jobId' | 'kind' | 'connectionId' | 'grantId' | 'run'>,
): string {
  const { connectionId, grantId } = job;
  if (!hasOwnWorkflow(job) && connectionId !== null) return workflowIds.disconnect(connectionId);
  if (grantId === null) throw new Error(`Job ${job.jobId} names neither a connection nor a grant.`);
  return workflowIds.revokeGrant(grantId, job.run);
}

export const buildDisconnectAllDispatch = (input: {
  bulkDisconnectId: BulkDisconnectId;
  correlationId: CorrelationId;
}): Dispatch =>
  addTrace({
    workflowId: workflowIds.disconnectAll(input.bulkDisconnectId),
    workflowType: 'disconnectAll',
    lane: 'BULK',
    input: { bulkDisconnectId: input.bulkDisconnectId },
    searchAttributes: { JobKind: 'DISCONNECT_ALL' },
    correlationId: input.correlationId,
  });

/** Adds the retry signal: a waiting workflow retries at once, a closed one restarts, and a running try is followed by one more. */
export const addRetrySignal = (dispatch: Dispatch): Dispatch => ({
  ...dispatch,
  signal: { name: RETRY_NOW },
  restart: true,
});

export const buildVerifySiblingsDispatch = (
  revoke: Pick<DisconnectJob, 'jobId' | 'run' | 'appId' | 'provider' | 'correlationId'>,
): Dispatch =>
  addTrace({
    workflowId: workflowIds.verifySiblings(revoke.jobId, revoke.run),
    workflowType: 'verifySiblings',
    input: { jobId: revoke.jobId, provider: revoke.provider },
    searchAttributes: { AppId: revoke.appId, Provider: revoke.provider, JobKind: 'VERIFY' },
    correlationId: revoke.correlationId,
  });

/** `reportedAt` is the time in the platform's notification, or the start of a suspension: a repeated notification starts nothing new. */
export const buildVerifyGrantDispatch = (
  doubt: VerifyGrantInput & { reportedAt: Date; appId: AppId; correlationId: CorrelationId | null },
): Dispatch =>
  addTrace({
    workflowId: workflowIds.verifyGrant(doubt.connectionId, doubt.reportedAt),
    workflowType: 'verifyGrant',
    input: { connectionId: doubt.connectionId, provider: doubt.provider },
    searchAttributes: {
      AppId: doubt.appId,
      Provider: doubt.provider,
      ConnectionId: doubt.connectionId,
      JobKind: 'VERIFY',
    },
    correlationId: doubt.correlationId,
  });

export const buildUpkeepDispatch = (due: DueUpkeep): Dispatch =>
  addTrace({
    workflowId: workflowIds.connectionUpkeep(due.connectionId),
    workflowType: 'connectionUpkeep',
    restart: true,
    lane: due.isUrgent ? 'REQUEST' : 'BULK',
    input: {
      connectionId: due.connectionId,
      provider: due.provider,
      ...(due.isUrgent && { urgency: 'SOON' }),
    },
    searchAttributes: { AppId: due.appId, Provider: due.provider, ConnectionId: due.connectionId, JobKind: 'UPKEEP' },
    correlationId: null,
  });

export const buildClientProbeDispatch = ({ registrationId, provider }: ClientProbeInput): Dispatch =>
  addTrace({
    workflowId: workflowIds.clientProbe(registrationId),
    workflowType: 'clientProbe',
    restart: true,
    input: { registrationId, provider },
    searchAttributes: { Provider: provider, JobKind: 'PROBE' },
    correlationId: null,
  });

/** Wakes, or starts, the workflow that sends an endpoint's webhooks. The trigger of an event writes the same entry. */
export const buildSendWebhooksDispatch = (endpoint: {
  endpointId: WebhookEndpointId;
  appId: AppId;
  correlationId: CorrelationId | null;
}): Dispatch =>
  addTrace({
    workflowId: workflowIds.sendWebhooks(endpoint.endpointId),
    workflowType: 'sendWebhooks',
    input: { endpointId: endpoint.endpointId },
    signal: { name: WEBHOOKS_DUE },
    restart: true,
    searchAttributes: { AppId: endpoint.appId, JobKind: 'WEBHOOKS' },
    correlationId: endpoint.correlationId,
  });

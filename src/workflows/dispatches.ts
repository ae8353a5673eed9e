/** Describes the workflow to start or signal for a row. Contains ids and closed codes only. */

import type { JobKind, ReadJobKind } from '../basics/codes.ts';
import type { AppId, CorrelationId } from '../basics/ids.ts';
import type { DueUpkeep } from '../store/connections/upkeep.ts';
import type { DisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import type { ReadJob } from '../store/jobs/read-jobs.ts';
import type { Dispatch } from '../store/outbox.ts';
import { findTraceparent } from '../telemetry/tracing.ts';
import { RETRY_NOW, WORKFLOWS, type WorkflowDescription, type WorkflowFields, type WorkflowName } from './contract.ts';

type Described<Name extends WorkflowName> = (typeof WORKFLOWS)[Name];
type AppOf<Description> = Description extends { ofApp: false } ? unknown : { readonly appId: AppId };

/** The fields of a row that its workflow needs: for its id, its input and its search attributes. */
type RowOf<Name extends WorkflowName> = Parameters<Described<Name>['id']>[0] &
  Pick<WorkflowFields, Described<Name>['input'][number]> &
  AppOf<Described<Name>> & { readonly correlationId: CorrelationId | null; readonly lane?: never };

interface Options extends Pick<Dispatch, 'lane' | 'restart'> {
  readonly signal?: typeof RETRY_NOW;
}

/** Builds the start of a workflow for its row, in the trace of the current request. */
export function buildDispatch<Name extends WorkflowName>(
  workflowType: Name,
  row: RowOf<Name>,
  { signal, ...options }: Options = {},
): Dispatch {
  const described: WorkflowDescription = WORKFLOWS[workflowType];
  const given: Partial<WorkflowFields> & { readonly appId?: AppId } = row;
  const input: Record<string, string | number> = {};
  for (const field of described.input) {
    const value = given[field];
    if (value !== undefined && value !== null) input[field] = value instanceof Date ? value.toISOString() : value;
  }
  const sent = signal ?? described.signal;
  return {
    workflowId: described.id(row as never),
    workflowType,
    input,
    ...(sent && { signal: { name: sent } }),
    ...(described.restart && { restart: true }),
    ...(described.lane && { lane: described.lane }),
    ...options,
    searchAttributes: {
      ...(described.ofApp !== false && { AppId: String(given.appId) }),
      ...('provider' in input && { Provider: String(input.provider) }),
      ...('connectionId' in input && { ConnectionId: String(input.connectionId) }),
      JobKind: described.kind,
    },
    correlationId: row.correlationId,
    traceparent: findTraceparent(),
  };
}

const READ_WORKFLOWS = { SCAN: 'scan', METRICS: 'metricsRefresh', LOOKUP: 'contentLookup' } as const;

export const isReadKind = (kind: JobKind): kind is ReadJobKind => kind in READ_WORKFLOWS;

/** No caller waits for an automatic refresh. */
export const buildReadJobDispatch = (
  job: Pick<ReadJob, 'jobId' | 'kind' | 'appId' | 'provider' | 'connectionId' | 'correlationId'> & {
    isRefresh?: boolean;
  },
): Dispatch =>
  job.isRefresh
    ? buildDispatch(READ_WORKFLOWS[job.kind], { ...job, urgency: 'BACKGROUND' }, { lane: 'BULK' })
    : buildDispatch(READ_WORKFLOWS[job.kind], job);

export const buildUpkeepDispatch = ({ isUrgent, ...due }: DueUpkeep): Dispatch =>
  buildDispatch(
    'connectionUpkeep',
    { ...due, correlationId: null, ...(isUrgent && { urgency: 'SOON' }) },
    { lane: isUrgent ? 'REQUEST' : 'BULK' },
  );

/**
 * The workflow of a revoke or erase job: its connection's disconnect. A compensating revoke, and a retried one, has a
 * workflow of its own.
 * @param receipts of the job's connection: one workflow handles both.
 * @returns undefined when a receipt is missing: then no workflow can run the job.
 */
export function buildDisconnectJobDispatch(
  job: Pick<DisconnectJob, 'jobId' | 'connectionId' | 'grantId' | 'run' | 'provider' | 'appId' | 'correlationId'>,
  receipts: readonly Pick<DisconnectJob, 'jobId' | 'kind' | 'connectionId'>[],
): Dispatch | undefined {
  const { grantId, connectionId } = job;
  if (hasOwnWorkflow(job) || connectionId === null)
    return grantId === null ? undefined : buildDispatch('revokeGrant', { ...job, grantId });
  const own = receipts.filter((receipt) => receipt.connectionId === connectionId);
  const revokeJobId = own.find(({ kind }) => kind === 'REVOKE')?.jobId;
  const eraseJobId = own.find(({ kind }) => kind === 'ERASE')?.jobId;
  if (revokeJobId === undefined || eraseJobId === undefined) return undefined;
  return buildDispatch('disconnect', { ...job, connectionId, revokeJobId, eraseJobId });
}

/** Whether a revoke or erase job has a workflow of its own, apart from its connection's disconnect. */
export const hasOwnWorkflow = ({ run }: Pick<DisconnectJob, 'run'>): boolean => run > 0;

/** The id of the workflow that runs, or ran, a job. */
export function getJobWorkflowId({
  kind,
  ...job
}: { kind: JobKind } & Pick<DisconnectJob, 'jobId' | 'connectionId' | 'grantId' | 'run'>): string {
  if (isReadKind(kind)) return WORKFLOWS[READ_WORKFLOWS[kind]].id(job);
  const { connectionId, grantId } = job;
  if (!hasOwnWorkflow(job) && connectionId !== null) return WORKFLOWS.disconnect.id({ connectionId });
  if (grantId === null) throw new Error(`Job ${job.jobId} names neither a connection nor a grant.`);
  return WORKFLOWS.revokeGrant.id({ ...job, grantId });
}

/** Adds the retry signal: a waiting workflow retries at once, and a running try is followed by one more. */
export const addSignal = (dispatch: Dispatch): Dispatch => ({ ...dispatch, signal: { name: RETRY_NOW } });

/** The same, and a closed workflow restarts. */
export const addRetrySignal = (dispatch: Dispatch): Dispatch => ({ ...addSignal(dispatch), restart: true });

/** The workflows' contract for other code: names, ids, inputs, signals. Contains ids and closed codes only. */

import { type DisconnectReason, forEachProvider, type ProviderName } from '../basics/codes.ts';
import type {
  AttemptId,
  BulkDisconnectId,
  ConnectionId,
  GrantId,
  JobId,
  RegistrationId,
  WebhookEndpointId,
} from '../basics/ids.ts';
import type { SweepKind, SweepStep } from '../basics/sweeps.ts';
import type { WorkLane } from '../store/outbox.ts';

/** The fields of rows from which ids and inputs of workflows are made. */
export interface WorkflowFields {
  readonly attemptId: AttemptId;
  readonly bulkDisconnectId: BulkDisconnectId;
  readonly connectionId: ConnectionId;
  readonly endpointId: WebhookEndpointId;
  readonly eraseJobId: JobId;
  readonly expiresAt: Date;
  readonly grantId: GrantId;
  readonly jobId: JobId;
  readonly provider: ProviderName;
  readonly reason?: DisconnectReason;
  readonly registrationId: RegistrationId;
  /** The time of the platform's notification, or of the suspension: a repeated notification starts nothing new. */
  readonly reportedAt: Date;
  readonly revokeJobId: JobId;
  readonly run: number;
  /** BACKGROUND: no person or app waits; its calls come last. SOON: something expires within days, its calls go before reads. */
  readonly urgency?: 'BACKGROUND' | 'SOON';
}
type Row<Name extends keyof WorkflowFields> = Pick<WorkflowFields, Name>;

export interface WorkflowDescription {
  /** For the Temporal UI. */
  readonly summary: string;
  /** The search attribute `JobKind`. */
  readonly kind: string;
  readonly id: (row: never) => string;
  /** The search attributes `Provider` and `ConnectionId` follow from it. */
  readonly input: readonly (keyof WorkflowFields)[];
  /** False for work that belongs to no app: it has no search attribute `AppId`. */
  readonly ofApp?: false;
  /** REQUEST if omitted. */
  readonly lane?: WorkLane;
  /** The signal that comes with every start. */
  readonly signal?: string;
  /** Whether it starts again after it has closed. */
  readonly restart?: true;
}

/** Describes the workflow of a read job. */
const read = <Kind extends string>(kind: Kind, prefix: string, summary: string) =>
  ({
    summary,
    kind,
    id: ({ jobId }: Row<'jobId'>) => `${prefix}/${jobId}`,
    input: ['jobId', 'connectionId', 'provider', 'urgency'],
  }) as const;

/** Every workflow that starts for a row, by its type. `index.ts` exports its function. */
export const WORKFLOWS = {
  /** Starts when a person has come back with a code: an unanswered attempt costs no workflow. */
  connectAttempt: {
    summary: 'Connect an account',
    kind: 'CONNECT',
    id: ({ attemptId }: Row<'attemptId'>) => `connect/${attemptId}`,
    input: ['attemptId', 'provider', 'expiresAt'],
    lane: 'PERSON',
  },
  identityAttempt: {
    summary: 'Sign in a person',
    kind: 'IDENTITY',
    id: ({ attemptId }: Row<'attemptId'>) => `identity/${attemptId}`,
    input: ['attemptId', 'expiresAt'],
    lane: 'PERSON',
  },
  scan: read('SCAN', 'scan', 'Scan a window of posts'),
  metricsRefresh: read('METRICS', 'metrics', 'Refresh the metrics of one post'),
  contentLookup: read('LOOKUP', 'lookup', 'Look up a post by its URL'),
  disconnect: {
    summary: 'Disconnect: purge, revoke, erase',
    kind: 'DISCONNECT',
    id: ({ connectionId }: Row<'connectionId'>) => `disconnect/${connectionId}`,
    input: ['connectionId', 'provider', 'revokeJobId', 'eraseJobId', 'reason'],
  },
  revokeGrant: {
    summary: 'Revoke a grant at the provider',
    kind: 'REVOKE',
    id: ({ grantId, run }: Row<'grantId' | 'run'>) => `revoke/${grantId}/${run}`,
    input: ['jobId', 'provider'],
  },
  disconnectAll: {
    summary: 'Disconnect all connections of a tenant or registration',
    kind: 'DISCONNECT_ALL',
    id: ({ bulkDisconnectId }: Row<'bulkDisconnectId'>) => `disconnect-all/${bulkDisconnectId}`,
    input: ['bulkDisconnectId'],
    ofApp: false,
    lane: 'BULK',
  },
  /** For a revoke that has settled. */
  verifySiblings: {
    summary: 'Verify the connections that a revoke may have ended',
    kind: 'VERIFY',
    id: ({ jobId, run }: Row<'jobId' | 'run'>) => `verify/${jobId}${run > 0 ? `/${run}` : ''}`,
    input: ['jobId', 'provider'],
  },
  verifyGrant: {
    summary: 'Verify a grant that may have ended',
    kind: 'VERIFY',
    id: ({ connectionId, reportedAt }: Row<'connectionId' | 'reportedAt'>) =>
      `verify/${connectionId}/${reportedAt.toISOString()}`,
    input: ['connectionId', 'provider'],
  },
  connectionUpkeep: {
    summary: 'Refresh a grant and a profile before they expire',
    kind: 'UPKEEP',
    id: ({ connectionId }: Row<'connectionId'>) => `upkeep/${connectionId}`,
    input: ['connectionId', 'provider', 'urgency'],
    restart: true,
  },
  clientProbe: {
    summary: 'Check whether a provider still refuses our client',
    kind: 'PROBE',
    id: ({ registrationId }: Row<'registrationId'>) => `probe/${registrationId}`,
    input: ['registrationId', 'provider'],
    ofApp: false,
    restart: true,
  },
  sendWebhooks: {
    summary: "Send an app's webhooks to one endpoint",
    kind: 'WEBHOOKS',
    id: ({ endpointId }: Row<'endpointId'>) => `webhooks/${endpointId}`,
    input: ['endpointId'],
    signal: 'webhooksDue',
    restart: true,
  },
} as const satisfies Readonly<Record<string, WorkflowDescription>>;

export type WorkflowName = keyof typeof WORKFLOWS;
/** Instants are ISO 8601. */
type Stored<Input> = { readonly [Field in keyof Input]: Input[Field] extends Date ? string : Input[Field] };
export type InputOf<Name extends WorkflowName> = Stored<Row<(typeof WORKFLOWS)[Name]['input'][number]>>;

export interface DisconnectInput extends InputOf<'disconnect'> {
  /** Whether the platform had confirmed the revoke; only for a disconnect whose rows are lost. */
  readonly revoked?: boolean;
}

/** The suffix of the task queue for calls to OpenID issuers. A provider's queue ends in the provider's name. */
export const ISSUER_QUEUE = 'IDENTITY';
/**
 * The suffixes of a provider's further task queues: for Connect attempts, and for calls that refresh, check or revoke grants. The
 * first has the reads. In one queue, a steady flow of waiting people would block all other calls by its priority.
 */
export const CONNECT_QUEUES = forEachProvider((name) => `${name}-CONNECTS` as const);
export const GRANT_QUEUES = forEachProvider((name) => `${name}-GRANTS` as const);
/** The suffix of the task queue for webhooks to the apps' endpoints. */
export const WEBHOOK_QUEUE = 'WEBHOOKS';

/** Ends a workflow's wait for its next try. */
export const RETRY_NOW = 'retryNow';
/** An endpoint has new deliveries, or waits for none any longer. */
export const WEBHOOKS_DUE = WORKFLOWS.sendWebhooks.signal;

/**
 * Temporal's query for workflows whose own task fails, such as by a defect or a history that does not replay: they run, but cannot
 * continue. Temporal marks a workflow after some failures in a row, and takes the mark away after a success. It marks one whose worker
 * is frozen too, with another category.
 */
export const FAILING_WORKFLOWS =
  'TemporalReportedProblems IN ("category=WorkflowTaskFailed") AND ExecutionStatus = "Running"';

/** The query that every workflow answers with its `Progress`. */
export const PROGRESS = 'progress';

/** The current step of a workflow. */
export const PROGRESS_STEPS = [
  'EXCHANGE_CODE',
  'COMPLETE_ATTEMPT',
  'RECORD_END',
  'PURGE',
  'REVOKE',
  'ERASE',
  'SCAN',
  'METRICS_REFRESH',
  'LOOKUP',
  'VERIFY',
  'UPKEEP',
  'DISCONNECT_ALL',
  'SEND_WEBHOOKS',
  'PROBE',
  'SWEEP',
  'ENDED',
] as const;
export type ProgressStep = (typeof PROGRESS_STEPS)[number];

/** The event that ends a workflow's wait, besides a signal. */
export const PROGRESS_WAITS = ['NEXT_TRY', 'RATE_LIMIT', 'EVENTS'] as const;
export type ProgressWait = (typeof PROGRESS_WAITS)[number];

/** The state of one run. Instants are ISO 8601, by workflow time. */
export interface Progress {
  readonly step: ProgressStep;
  /** The instant at which this run began the step. */
  readonly since: string;
  /** Failed tries of the step, as the last failure counted them. 0 in a run that has seen none. */
  readonly tries: number;
  /** The code of the last failed try of the step in this run; of webhooks, the last answer: `HTTP_` and the status, or a code. */
  readonly lastCode: string | null;
  /** Null while the workflow works. */
  readonly waitingFor: ProgressWait | null;
  readonly waitingUntil: string | null;
  /** The parts of the step that are done, of `total`; null for a step without parts. */
  readonly done: number | null;
  readonly total: number | null;
}

/** Temporal's Schedules. A run of one runs its sweeps side by side: one workflow a minute costs less than one for each sweep (D-350). */
export const SCHEDULES = {
  minute: {
    everySeconds: 60,
    sweeps: ['reconcile', 'upkeep'],
    summary: 'Restart lost work; refresh grants, profiles and posts that are due',
  },
  retention: { everySeconds: 900, sweeps: ['retention'], summary: 'Delete data whose retention is over' },
} as const satisfies Record<string, { everySeconds: number; sweeps: readonly SweepKind[]; summary: string }>;

export type ScheduleKind = keyof typeof SCHEDULES;

/** Contains the task queue's name, so that each service in a shared namespace has its own sweeps. */
export const getSweepScheduleId = (taskQueue: string, kind: string) => `${taskQueue}-sweep-${kind}`;
/** A sweep that a Schedule runs. */
export type ScheduledSweep = (typeof SCHEDULES)[ScheduleKind]['sweeps'][number];

/** The last row that each step handled, with the instant (ISO 8601) at which it was due; null at the start. */
export type Positions = Readonly<Partial<Record<SweepStep, { readonly dueAt: string; readonly id: string } | null>>>;

/** The input of one activity of a round. */
export interface SweepTask {
  readonly positions: Positions;
  /** The steps to run; all of them if not set. */
  readonly only?: readonly SweepStep[];
}

/** The result of one activity of a round. */
export interface SweepRound {
  /** How many due rows each step handled. */
  readonly rows: Readonly<Partial<Record<SweepStep, number>>>;
  readonly failed: readonly SweepStep[];
  /** Positions of the failed and the unfinished steps. */
  readonly positions: Positions;
  /** Steps that ran out of time. */
  readonly unfinished: readonly SweepStep[];
}

export interface SweepInput extends Partial<SweepTask> {
  readonly kind: ScheduleKind;
}

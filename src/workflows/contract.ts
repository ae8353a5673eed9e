/** The workflows' contract for other code: names, inputs, signals. Contains ids and closed codes only. */
import type { AttemptId, BulkDisconnectId, ConnectionId, GrantId, JobId, WebhookEndpointId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import type { JobErrorCode } from '../store/read-jobs.ts';

export interface ConnectAttemptInput {
  readonly attemptId: AttemptId;
  readonly provider: ProviderName;
  /** ISO 8601. */
  readonly expiresAt: string;
}
export interface ReadJobInput {
  readonly jobId: JobId;
  readonly provider: ProviderName;
  /** Nobody waits for it: its calls come last. */
  readonly urgency?: 'BACKGROUND';
}
export interface DisconnectInput {
  readonly connectionId: ConnectionId;
  readonly provider: ProviderName;
  readonly revokeJobId: JobId;
  readonly eraseJobId: JobId;
}
export interface RevokeGrantInput {
  readonly jobId: JobId;
  readonly provider: ProviderName;
}
export interface IdentityAttemptInput {
  readonly attemptId: AttemptId;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly resultExpiresAt: string;
}

/** The suffix of the task queue for calls to OpenID issuers. A provider's queue ends in the provider's name. */
export const ISSUER_QUEUE = 'IDENTITY';
/**
 * The suffix of a provider's second task queue, for calls that refresh, check or revoke grants: however many Connect attempts and
 * reads wait in the first, these do not wait behind them.
 */
export const GRANT_QUEUES = {
  PROVIDER_A: 'PROVIDER_A-GRANTS',
  PROVIDER_B: 'PROVIDER_B-GRANTS',
  PROVIDER_C: 'PROVIDER_C-GRANTS',
} as const satisfies Record<ProviderName, string>;
/** The suffix of the task queue for webhooks to the apps' endpoints. */
export const WEBHOOK_QUEUE = 'WEBHOOKS';

/** The one callback of an attempt has been accepted: its code can be exchanged. */
export const CALLBACK_ARRIVED = 'callbackArrived';
/** The attempt has ended in its row, for example because the person refused consent or an operator canceled it. */
export const ATTEMPT_ENDED = 'attemptEnded';
/** Makes a workflow that waits for its next try retry at once. */
export const RETRY_NOW = 'retryNow';
/** An endpoint has new deliveries, or waits for none any longer. */
export const WEBHOOKS_DUE = 'webhooksDue';

/** The query that every workflow answers with its `Progress`. */
export const PROGRESS = 'progress';

/** What a workflow does now. */
export const PROGRESS_STEPS = [
  'WAIT_FOR_PERSON',
  'EXCHANGE_CODE',
  'COMPLETE_ATTEMPT',
  'RECORD_END',
  'KEEP_CLAIMS',
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
  'SWEEP',
  'ENDED',
] as const;
export type ProgressStep = (typeof PROGRESS_STEPS)[number];

/** What ends a workflow's wait, besides a signal. */
export const PROGRESS_WAITS = ['PERSON', 'NEXT_TRY', 'RATE_LIMIT', 'CLAIMS_EXPIRY', 'EVENTS'] as const;
export type ProgressWait = (typeof PROGRESS_WAITS)[number];

/** The state of one run. Instants are ISO 8601, by workflow time. */
export interface Progress {
  readonly step: ProgressStep;
  /** The instant at which this run began the step. */
  readonly since: string;
  /** Failed tries of the step, as the last failure counted them. 0 in a run that has seen none. */
  readonly tries: number;
  /** The code of the last failed try of the step in this run. */
  readonly lastCode: JobErrorCode | null;
  /** Null while the workflow works. */
  readonly waitingFor: ProgressWait | null;
  readonly waitingUntil: string | null;
  /** The parts of the step that are done, of `total`; null for a step without parts. */
  readonly done: number | null;
  readonly total: number | null;
}

/** The code that rows, the admin API and the Temporal UI show while work waits after a failure, by the failure's type; `INTERNAL` for any other. */
export const WAITING_CODES: Readonly<Record<string, JobErrorCode>> = {
  RetryLater: 'PROVIDER_UNAVAILABLE',
  OwnRateLimit: 'PROVIDER_RATE_LIMITED',
  QuotaSpent: 'PROVIDER_RATE_LIMITED',
  Paused: 'AUTHORIZATION_SUSPENDED',
  ContractBroken: 'PROVIDER_CONTRACT',
  ClientRejected: 'PROVIDER_UNAVAILABLE',
};

export const workflowIds = {
  connectAttempt: (attemptId: AttemptId) => `connect/${attemptId}`,
  identityAttempt: (attemptId: AttemptId) => `identity/${attemptId}`,
  disconnect: (connectionId: ConnectionId) => `disconnect/${connectionId}`,
  revokeGrant: (grantId: GrantId, run: number) => `revoke/${grantId}/${run}`,
  disconnectAll: (bulkDisconnectId: BulkDisconnectId) => `disconnect-all/${bulkDisconnectId}`,
  scan: (jobId: JobId) => `scan/${jobId}`,
  metricsRefresh: (jobId: JobId) => `metrics/${jobId}`,
  contentLookup: (jobId: JobId) => `lookup/${jobId}`,
  verifySiblings: (revokeJobId: JobId, run: number) => `verify/${revokeJobId}${run > 0 ? `/${run}` : ''}`,
  verifyGrant: (connectionId: ConnectionId, reportedAt: Date) => `verify/${connectionId}/${reportedAt.toISOString()}`,
  connectionUpkeep: (connectionId: ConnectionId) => `upkeep/${connectionId}`,
  sendWebhooks: (endpointId: WebhookEndpointId) => `webhooks/${endpointId}`,
} as const;

export interface SendWebhooksInput {
  readonly endpointId: WebhookEndpointId;
}

export interface DisconnectAllInput {
  readonly bulkDisconnectId: BulkDisconnectId;
}

export interface VerifySiblingsInput {
  /** The revoke that has settled. */
  readonly jobId: JobId;
  readonly provider: ProviderName;
}
export interface VerifyGrantInput {
  readonly connectionId: ConnectionId;
  readonly provider: ProviderName;
}

export interface UpkeepInput extends VerifyGrantInput {
  /** SOON: a grant expires, or a profile is blanked, within days. Its calls go before reads. */
  readonly urgency?: 'SOON';
}

/** How often each kind of sweep runs, and the steps of its round. A round costs as much as is due, not as much as exists. */
export const SWEEPS = {
  outbox: { everySeconds: 10, summary: 'Start the workflows that a crash or outage delayed', steps: ['outbox'] },
  reconcile: {
    everySeconds: 60,
    summary: 'Restart or end work that lost its workflow',
    steps: [
      'disconnectJobs',
      'attempts',
      'identityAttempts',
      'unclaimedGrants',
      'holds',
      'bulkDisconnects',
      'readJobs',
      'webhooks',
      'lateTokens',
      'erased',
      'connectionCounts',
      'endedWork',
    ],
  },
  deletions: {
    everySeconds: 10,
    summary: 'Disconnect the connections that platforms asked us to delete',
    steps: ['deletions'],
  },
  registrations: {
    everySeconds: 60,
    summary: 'Check whether providers still refuse our client',
    steps: [],
  },
  upkeep: {
    everySeconds: 60,
    summary: 'Refresh grants and profiles before they expire, and posts by policy',
    steps: [
      'expiredGrants',
      'upkeepA',
      'upkeepB',
      'upkeepC',
      'replanA',
      'replanB',
      'replanC',
      'refreshA',
      'refreshB',
      'refreshC',
    ],
  },
  retention: {
    everySeconds: 900,
    summary: 'Delete data whose retention is over',
    steps: [
      'oldReceipts',
      'oldKeptTokens',
      'oldPosts',
      'oldProfiles',
      'oldAttempts',
      'oldIdentityAttempts',
      'oldReadJobs',
      'oldGrants',
      'oldCoverage',
      'oldUsage',
      'oldEndedWork',
      'oldAdminSessions',
      'oldAdminIdempotencyKeys',
      'oldSessionTokens',
      'oldJournalEntries',
      'oldBulkDisconnects',
      'oldErasures',
      'oldDeletionRequests',
      'oldWebhookEvents',
      'oldWebhookSecrets',
      'oldImportedTokens',
    ],
  },
} as const satisfies Record<string, { everySeconds: number; summary: string; steps: readonly string[] }>;

export type SweepKind = keyof typeof SWEEPS;
export type SweepStep<Kind extends SweepKind = SweepKind> = (typeof SWEEPS)[Kind]['steps'][number];

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
  /** Steps that failed. */
  readonly failed: readonly SweepStep[];
  /** Positions of the failed and the unfinished steps. */
  readonly positions: Positions;
  /** Steps that ran out of time. */
  readonly unfinished: readonly SweepStep[];
}

export interface SweepInput extends Partial<SweepTask> {
  readonly kind: SweepKind;
}

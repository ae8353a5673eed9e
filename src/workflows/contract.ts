/** All that code outside the workflows may know of them: names, inputs, signals. Ids and closed codes only. */
import type { AttemptId, BulkDisconnectId, ConnectionId, GrantId, JobId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';

export interface ConnectAttemptInput {
  readonly attemptId: AttemptId;
  readonly provider: ProviderName;
  /** ISO 8601. */
  readonly expiresAt: string;
}
export interface ReadJobInput {
  readonly jobId: JobId;
  readonly provider: ProviderName;
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

/** What the task queue for calls to OpenID issuers ends in, where a provider's ends in its name. */
export const ISSUER_QUEUE = 'IDENTITY';

/** The one callback of an attempt has been accepted: its code can be exchanged. */
export const CALLBACK_ARRIVED = 'callbackArrived';
/** The attempt has ended in its row, for example because the person refused consent or an operator canceled it. */
export const ATTEMPT_ENDED = 'attemptEnded';
/** Whatever waits for its next try tries now. */
export const RETRY_NOW = 'retryNow';

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
  verifyGrant: (connectionId: ConnectionId, toldAt: Date) => `verify/${connectionId}/${toldAt.toISOString()}`,
  connectionUpkeep: (connectionId: ConnectionId, dueAt: Date) => `upkeep/${connectionId}/${dueAt.toISOString()}`,
} as const;

export interface DisconnectAllInput {
  readonly bulkDisconnectId: BulkDisconnectId;
}

export interface VerifySiblingsInput {
  /** The revoke that has settled. */
  readonly jobId: JobId;
  readonly provider: ProviderName;
}
export interface UpkeepInput {
  readonly connectionId: ConnectionId;
  readonly provider: ProviderName;
}
export type VerifyGrantInput = UpkeepInput;

/** How often each kind of housekeeping runs, and the steps of a round. A round costs what is due, not what exists. */
export const SWEEPS = {
  outbox: { everySeconds: 10, summary: 'Start workflows that a crash or outage left waiting', steps: ['outbox'] },
  reconcile: {
    everySeconds: 60,
    summary: 'Bring rows and workflows back into step',
    steps: [
      'disconnectJobs',
      'attempts',
      'unclaimedGrants',
      'holds',
      'bulkDisconnects',
      'readJobs',
      'lateTokens',
      'erased',
      'connectionCounts',
    ],
  },
  deletions: {
    everySeconds: 10,
    summary: 'Let go of what platforms have asked to be deleted',
    steps: ['deletions'],
  },
  registrations: {
    everySeconds: 60,
    summary: 'Ask providers that refuse our client whether they still do',
    steps: [],
  },
  upkeep: {
    everySeconds: 60,
    summary: 'Look after grants and profiles before they lapse',
    steps: ['expiredGrants', 'upkeepA', 'upkeepB', 'upkeepC'],
  },
  retention: {
    everySeconds: 900,
    summary: 'Delete what may no longer be kept',
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
      'oldAdminSessions',
      'oldAdminIdempotencyKeys',
      'oldSessionTokens',
      'oldJournalEntries',
      'oldBulkDisconnects',
      'oldErasures',
      'oldDeletionRequests',
    ],
  },
} as const satisfies Record<string, { everySeconds: number; summary: string; steps: readonly string[] }>;

export type SweepKind = keyof typeof SWEEPS;
export type SweepStep<Kind extends SweepKind = SweepKind> = (typeof SWEEPS)[Kind]['steps'][number];

/** Where steps left off: the last row they dealt with, by the instant (ISO 8601) at which it was due; null at the start. */
export type Positions = Readonly<Partial<Record<SweepStep, { readonly dueAt: string; readonly id: string } | null>>>;

/** What one activity of a round has to do. */
export interface SweepTask {
  readonly positions: Positions;
  /** Without them, all. */
  readonly only?: readonly SweepStep[];
}

/** What came of it. */
export interface SweepRound {
  /** Rows that were due and dealt with. */
  readonly rows: Readonly<Partial<Record<SweepStep, number>>>;
  /** Steps that could not go on. */
  readonly failed: readonly SweepStep[];
  /** Of steps that failed or that time ran out for. */
  readonly positions: Positions;
  /** Steps that time ran out for. */
  readonly unfinished: readonly SweepStep[];
}

export interface SweepInput extends Partial<SweepTask> {
  readonly kind: SweepKind;
}

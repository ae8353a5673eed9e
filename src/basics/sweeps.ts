import { PROVIDER_NAMES, type ProviderName } from './codes.ts';

/** A step for each provider: `upkeep/PROVIDER_A` and so on. */
const eachProvider = <Work extends string>(work: Work) =>
  PROVIDER_NAMES.map((name): `${Work}/${ProviderName}` => `${work}/${name}`);

/**
 * How often each kind of sweep runs, and the steps of its round. A round costs as much as is due, not as much as exists. The workers
 * run `outbox`, `deletions` and `attempts` on their own (`worker/own-sweeps.ts`), and Temporal's Schedules the others.
 * @later act on each row when it is due: an indexed column with the due date, and a step of a sweep, a regular search for due rows
 */
export const SWEEPS = {
  outbox: { everySeconds: 10, steps: ['outbox'] },
  deletions: { everySeconds: 10, steps: ['deletions'] },
  attempts: { everySeconds: 10, steps: ['unansweredAttempts', 'unansweredSignIns', 'oldIdentityAttempts'] },
  reconcile: {
    everySeconds: 60,
    steps: [
      'disconnectJobs',
      'attempts',
      'identityAttempts',
      'unclaimedGrants',
      'holds',
      'bulkDisconnects',
      'readJobs',
      'webhooks',
      'rejectedClients',
      'lateTokens',
      'erased',
      'connectionCounts',
      'endedWork',
    ],
  },
  upkeep: {
    everySeconds: 60,
    steps: [
      'expiredGrants',
      ...eachProvider('upkeep'),
      'unusedConnections',
      ...eachProvider('replan'),
      ...eachProvider('refresh'),
    ],
  },
  retention: {
    everySeconds: 900,
    steps: [
      'oldReceipts',
      'oldKeptTokens',
      'oldPosts',
      'oldProfiles',
      'oldAttempts',
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
      'oldUnknownAnswers',
      'oldPersonReads',
    ],
  },
} as const satisfies Record<string, { everySeconds: number; steps: readonly string[] }>;

export type SweepKind = keyof typeof SWEEPS;
export type SweepStep<Kind extends SweepKind = SweepKind> = (typeof SWEEPS)[Kind]['steps'][number];

import type { ProviderName } from '../basics/codes.ts';
import type { Log } from '../basics/log.ts';
import type { JournalKeeper } from '../journal/keep.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { Provider } from '../providers/provider.ts';
import type { BusinessClock } from '../store/business-clock.ts';
import type { Database } from '../store/driver/sql.ts';
import type { Mac } from '../vault/mac.ts';
import type { Open } from '../vault/open.ts';
import type { Seal } from '../vault/seal.ts';
import type { ProviderQueues } from './provider-queue.ts';

/** Everything that activities use to reach the outside. */
export interface Deps {
  readonly sql: Database;
  /** Each activity reads it before its work. The adapters compute expiries from it. */
  readonly clock: BusinessClock;
  readonly providers: Readonly<Record<ProviderName, Provider>>;
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** The most HTTP calls a second to each provider, over all workers. */
  readonly callsPerSecond: Readonly<Record<ProviderName, number>>;
  readonly providerQueues: Readonly<Record<ProviderName, ProviderQueues>>;
  readonly vault: {
    /** For tokens; only the worker has this key. */
    readonly sealGrant: Seal;
    readonly openGrant: Open;
    /** For values that the API seals: codes, verifiers, client secrets. */
    readonly openInbox: Open;
    /** For values that the API opens: claims to redeem. */
    readonly sealEdge: Seal;
    /** For the secrets that sign webhooks. */
    readonly openEdge: Open;
  };
  readonly mac: Mac;
  readonly connectUrl: string;
  /** Whether a disconnect suspends the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
  /** Delivers outbox entries that were just committed. */
  readonly outbox: { deliverSoon(): void };
  /** Writes erasures to the journal outside the database, so that a restored backup cannot undo them. */
  readonly journal: Pick<JournalKeeper, 'isKept' | 'ship'>;
  readonly log: Log;
  /** How long one activity runs further steps of its read job, in ms; see `read.ts`. */
  readonly timeSliceMs: number;
}

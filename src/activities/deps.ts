import type { JournalKeeper } from '../journal/keep.ts';
import type { Log } from '../log.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { Provider, ProviderName } from '../providers/provider.ts';
import type { Database } from '../store/sql.ts';
import type { Mac } from '../vault/mac.ts';
import type { Open } from '../vault/open.ts';
import type { Seal } from '../vault/seal.ts';

/** All that activities reach the outside through. */
export interface Deps {
  readonly sql: Database;
  readonly providers: Readonly<Record<ProviderName, Provider>>;
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** The most HTTP calls a second to each provider, over all workers. */
  readonly callsPerSecond: Readonly<Record<ProviderName, number>>;
  readonly vault: {
    /** Tokens; the worker's alone. */
    readonly sealGrant: Seal;
    readonly openGrant: Open;
    /** What the API has sealed for us: codes, verifiers, client secrets. */
    readonly openInbox: Open;
    /** What the API opens for callers: claims to redeem. */
    readonly sealEdge: Seal;
  };
  readonly mac: Mac;
  readonly connectUrl: string;
  /** Whether a disconnect holds the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
  /** Tells the outbox that something was committed to it. */
  readonly outbox: { deliverSoon(): void };
  /** Brings out of the database what must not come back with a backup of it, before it is destroyed here. */
  readonly journal: Pick<JournalKeeper, 'isKept' | 'ship' | 'tidy'>;
  readonly log: Log;
}

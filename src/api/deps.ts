import type { ApiConfig } from '../config.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { ProviderName } from '../providers/provider.ts';
import type { Database } from '../store/sql.ts';
import type { Mac } from '../vault/mac.ts';
import type { Open } from '../vault/open.ts';
import type { Seal } from '../vault/seal.ts';

/** Everything the api's resolvers and pages work with; built once, in the process's entry. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly sql: Database;
  readonly outbox: {
    /** Has what was just committed delivered soon. Never waits and never throws. */
    deliverSoon(): void;
  };
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** Keyed hashes, for cursors and receipts. */
  readonly mac: Mac;
  /** Seals what only the worker opens: codes, verifiers, nonces. */
  readonly sealInbox: Seal;
  /** Seals what the api itself opens again. */
  readonly sealEdge: Seal;
  /** Opens a sign-in's claims for the one redeem. */
  readonly openEdge: Open;
  /** Whether a disconnect holds the accounts it may have touched until its revoke has settled. */
  readonly suspendSiblings: boolean;
}

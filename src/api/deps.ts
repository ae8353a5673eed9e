import type { ProviderName } from '../basics/codes.ts';
import type { ApiConfig } from '../config/config.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { Database } from '../store/driver/sql.ts';
import type { Mac } from '../vault/mac.ts';
import type { Open } from '../vault/open.ts';
import type { Seal } from '../vault/seal.ts';
import type { RecentRefusals } from './recent-refusals.ts';

/** The dependencies of the api's resolvers and pages. The process creates them once. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly sql: Database;
  readonly outbox: {
    /** Delivers recently committed entries soon. Never waits and never throws. */
    deliverSoon(): void;
  };
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** Keyed hashes, for cursors and receipts. */
  readonly mac: Mac;
  /** Seals codes, verifiers and nonces, which only the worker opens. */
  readonly sealInbox: Seal;
  /** Seals data that the api itself opens again. */
  readonly sealEdge: Seal;
  /** Opens a sign-in's claims when they are redeemed. */
  readonly openEdge: Open;
  /** Those of apps at their limit of Connect attempts. */
  readonly attemptRefusals: RecentRefusals;
  /** True if a disconnect suspends the accounts that it may affect until its revoke has settled. */
  readonly suspendSiblings: boolean;
}

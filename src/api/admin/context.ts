import type { Sql, Transaction } from '../../store/sql.ts';
import type { PublicContext } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { Actor } from './actor.ts';

/** Everything the admin API works with besides what the callers' does. */
export interface AdminDeps
  extends Pick<ApiDeps, 'config' | 'sql' | 'outbox' | 'facts' | 'mac' | 'sealInbox' | 'sealEdge' | 'suspendSiblings'> {
  readonly temporalUi: TemporalUi;
}

/** Where the Temporal UI shows something; null where no UI is configured. */
export interface TemporalUi {
  workflow(workflowId: string): string | null;
  /** All workflows of one connection. */
  connection(connectionId: string): string | null;
}

/** What a query is given. */
export interface AdminContext extends PublicContext, AdminDeps {
  readonly actor: Actor;
}

/** What a mutation is given: one transaction, committed with the mutation's entry in the audit log. */
export interface MutationContext extends Omit<AdminContext, 'sql'> {
  readonly sql: Transaction;
  /** Says which id the audit log shall name; the argument `id` by default. */
  about(target: string): void;
  /** Says which other ids it shall name: what has come of the mutation, or was done to it. */
  touched(ids: readonly string[]): void;
}

/** What both are given. */
export type AnyContext = Omit<AdminContext, 'sql'> & { readonly sql: Sql };

import type { ApiConfig } from '../../config/config.ts';
import type { TestIssuer } from '../../identity/test-issuer.ts';
import type { Sql, Transaction } from '../../store/driver/sql.ts';
import type { Settings } from '../../store/operators/audit-log.ts';
import type { AskWorkflow, CountFailing } from '../../temporal/ask-workflow.ts';
import type { WorkersAnswer } from '../../temporal/workers-state.ts';
import type { PublicContext } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import type { Actor } from './actor.ts';

/** The dependencies of the admin API. */
export interface AdminDeps
  extends Pick<ApiDeps, 'sql' | 'outbox' | 'facts' | 'mac' | 'sealInbox' | 'sealEdge' | 'suspendSiblings'> {
  readonly config: Pick<ApiConfig, 'CONNECT_URL' | 'DEPLOYMENT' | 'WEBHOOK_PRIVATE_NETWORKS'>;
  readonly temporalUi: TemporalUi;
  readonly askWorkflow: AskWorkflow;
  readonly countFailing: CountFailing;
  readonly askWorkers: () => Promise<WorkersAnswer>;
  readonly testIssuer: TestIssuer;
  /** Whether names of accounts are hidden from roles that do not need them until they ask to see them. */
  readonly maskNames: boolean;
}

/** Builds links into the Temporal UI; null if no UI is configured. */
export interface TemporalUi {
  workflow(workflowId: string): string | null;
  /** Links to all workflows of one connection. */
  connection(connectionId: string): string | null;
  /** Links to all workflows that fail their own tasks. */
  failing(): string | null;
}

/** The context of a request. */
export interface AdminContext extends PublicContext, AdminDeps {
  readonly actor: Actor;
}

/** The context of a query. */
export interface QueryContext extends AdminContext {
  /** Names the persons, or the rows that belong to them, whose data the answer shows: the audit log records that. */
  showed(ids: readonly string[]): void;
}

/** The context of a mutation: one transaction, committed together with the entry in the audit log. */
export interface MutationContext extends Omit<AdminContext, 'sql'> {
  readonly sql: Transaction;
  /** Sets the id that the audit log names; the argument `id` by default. */
  about(target: string): void;
  /** Adds further ids to the entry: those that the mutation created or affected. */
  touched(ids: readonly string[]): void;
  /** Adds the settings that the mutation changed to the entry. */
  changed(before: Settings, after: Settings): void;
}

/** The context of a query or a mutation. */
export type AnyContext = Omit<AdminContext, 'sql'> & { readonly sql: Sql };

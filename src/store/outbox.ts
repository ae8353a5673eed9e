import { z } from 'zod';
import type { CorrelationId } from '../ids.ts';
import type { Sql, Transaction } from './sql.ts';

/** A workflow to start, or to start and signal, after the transaction commits. */
export interface Dispatch {
  readonly workflowId: string;
  readonly workflowType: string;
  /** Only ids and closed codes, because it enters workflow history. */
  readonly input: Readonly<Record<string, string | number | null>>;
  readonly signal?: { readonly name: string };
  /** Whether to start a closed workflow again, for work that must complete. */
  readonly restart?: boolean;
  readonly searchAttributes: Readonly<Partial<Record<'AppId' | 'Provider' | 'ConnectionId' | 'JobKind', string>>>;
  /** The request that caused it; null if none did. */
  readonly correlationId: CorrelationId | null;
  /** The trace that it belongs to (W3C Trace Context); null outside a trace. */
  readonly traceparent: string | null;
}

const Entry = z.object({
  outboxId: z.string(),
  workflowId: z.string(),
  workflowType: z.string(),
  input: z.record(z.string(), z.unknown()),
  signalName: z.string().nullable(),
  restart: z.boolean(),
  searchAttributes: z.record(z.string(), z.string()),
  correlationId: z.string().nullable(),
  /** The trace in which the entry was written, if any. */
  traceparent: z.string().nullable(),
  tries: z.number(),
  /** How often Temporal has refused the entry. */
  refusals: z.number(),
});
export type OutboxEntry = z.infer<typeof Entry>;

export const insertDispatch = (tx: Transaction, dispatch: Dispatch): Promise<void> => insertDispatches(tx, [dispatch]);

/** In one statement. */
export async function insertDispatches(tx: Transaction, dispatches: readonly Dispatch[]): Promise<void> {
  const rows = dispatches.map(({ signal, restart = false, ...dispatch }) => ({
    ...dispatch,
    signalName: signal?.name ?? null,
    restart,
  }));
  await tx`
    insert into outbox (workflow_id, workflow_type, input, signal_name, restart, search_attributes, correlation_id,
      traceparent)
    select "workflowId", "workflowType", input, "signalName", restart, "searchAttributes", "correlationId", traceparent
    from jsonb_to_recordset(${tx.json(rows)}) as dispatch ("workflowId" text, "workflowType" text, input jsonb,
      "signalName" text, restart boolean, "searchAttributes" jsonb, "correlationId" uuid, traceparent text)
  `;
}

/**
 * Leases due entries for `leaseSeconds`, longest due first. The lease of a crashed process expires. Entries of one
 * workflow are taken in order, one at a time. Entries that Temporal refused are taken separately, so that they do not
 * delay the others.
 */
export async function takeDispatches(
  sql: Sql,
  options: { limit: number; leaseSeconds: number; refused?: boolean },
): Promise<OutboxEntry[]> {
  const rows = await sql`
    with due as materialized ( -- As a subquery, a plan may run it again for each row, and exceed the limit.
      select o.outbox_id from outbox o
      where o.next_try_at <= business_now() and ${options.refused ? sql`o.refusals > 0` : sql`o.refusals = 0`}
        and not exists (select from outbox e where e.workflow_id = o.workflow_id and e.outbox_id < o.outbox_id)
      order by o.next_try_at, o.outbox_id limit ${options.limit}
      for update skip locked
    )
    update outbox o set tries = tries + 1, next_try_at = business_now() + make_interval(secs => ${options.leaseSeconds})
    from due where o.outbox_id = due.outbox_id
    returning o.outbox_id, workflow_id, workflow_type, input, signal_name, restart, search_attributes, correlation_id,
      traceparent, tries, refusals
  `;
  return rows.map((row) => Entry.parse(row)).sort((a, b) => Number(a.outboxId) - Number(b.outboxId));
}

export async function deleteDispatches(sql: Sql, outboxIds: readonly string[]): Promise<void> {
  await sql`delete from outbox where outbox_id = any(${[...outboxIds]}::bigint[])`;
}

/** Postpones an entry after a failed delivery. @param failure the reason, as a closed code. */
export async function postponeDispatch(sql: Sql, outboxId: string, seconds: number, failure: string): Promise<void> {
  await sql`
    update outbox set next_try_at = business_now() + make_interval(secs => ${seconds}), last_failure = ${failure}
    where outbox_id = ${outboxId}
  `;
}

/** Postpones an entry that Temporal refused, and counts the refusal. */
export async function postponeRefusedDispatch(
  sql: Sql,
  outboxId: string,
  seconds: number,
  failure: string,
): Promise<void> {
  await sql`
    update outbox set next_try_at = business_now() + make_interval(secs => ${seconds}), last_failure = ${failure},
      refusals = refusals + 1
    where outbox_id = ${outboxId}
  `;
}

const Refused = z.object({
  outboxId: z.string(),
  workflowId: z.string(),
  workflowType: z.string(),
  lastFailure: z.string().nullable(),
  refusals: z.number(),
  createdAt: z.date(),
  nextTryAt: z.date(),
});
/** An entry that Temporal refuses, as an operator sees it. */
type RefusedDispatch = z.infer<typeof Refused>;

/** Oldest first. */
export async function listRefusedDispatches(sql: Sql, limit: number): Promise<RefusedDispatch[]> {
  const rows = await sql`
    select outbox_id, workflow_id, workflow_type, last_failure, refusals, created_at, next_try_at
    from outbox where refusals > 0 order by outbox_id limit ${limit}
  `;
  return rows.map((row) => Refused.parse(row));
}

/** Makes all refused entries due now. @returns the number of entries. */
export async function retryRefusedDispatches(sql: Sql): Promise<number> {
  const { count } = await sql`update outbox set next_try_at = business_now() where refusals > 0`;
  return count;
}

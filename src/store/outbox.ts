import { z } from 'zod';
import type { CorrelationId } from '../ids.ts';
import type { Sql, Transaction } from './sql.ts';

/** A workflow to start, or to start and signal, once the transaction that asks for it has committed. */
export interface Dispatch {
  readonly workflowId: string;
  readonly workflowType: string;
  /** Ids and closed codes only: it enters workflow history. */
  readonly input: Readonly<Record<string, string | number | null>>;
  readonly signal?: { readonly name: string };
  /** Start it again where it has run before and closed: for what must come to its end whatever happened to it. */
  readonly restart?: boolean;
  readonly searchAttributes: Readonly<Partial<Record<'AppId' | 'Provider' | 'ConnectionId' | 'JobKind', string>>>;
  /** Of the request that asked for it; null where nobody did. */
  readonly correlationId: CorrelationId | null;
  /** Of the trace it is asked for in (W3C Trace Context); null outside one. */
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
  /** Of the trace it was written in, while there was one. */
  traceparent: z.string().nullable(),
  tries: z.number(),
  /** How often Temporal has refused it as it is. */
  refusals: z.number(),
});
export type OutboxEntry = z.infer<typeof Entry>;

export const insertDispatch = (tx: Transaction, dispatch: Dispatch): Promise<void> => insertDispatches(tx, [dispatch]);

/** In one statement, however many. */
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
 * Takes what is due, the longest due first, and keeps others from it for `leaseSeconds`: whoever crashes holding an entry
 * gives it back by time. Entries of one workflow are taken in order, one at a time. Entries that Temporal has refused before
 * are taken apart from the others, whom they must not hold up.
 */
export async function takeDispatches(
  sql: Sql,
  options: { limit: number; leaseSeconds: number; refused?: boolean },
): Promise<OutboxEntry[]> {
  const rows = await sql`
    update outbox set tries = tries + 1, next_try_at = business_now() + make_interval(secs => ${options.leaseSeconds})
    where outbox_id in (
      select o.outbox_id from outbox o
      where o.next_try_at <= business_now() and ${options.refused ? sql`o.refusals > 0` : sql`o.refusals = 0`}
        and not exists (select from outbox e where e.workflow_id = o.workflow_id and e.outbox_id < o.outbox_id)
      order by o.next_try_at, o.outbox_id limit ${options.limit}
      for update skip locked
    )
    returning outbox_id, workflow_id, workflow_type, input, signal_name, restart, search_attributes, correlation_id,
      traceparent, tries, refusals
  `;
  return rows.map((row) => Entry.parse(row)).sort((a, b) => Number(a.outboxId) - Number(b.outboxId));
}

export async function deleteDispatches(sql: Sql, outboxIds: readonly string[]): Promise<void> {
  await sql`delete from outbox where outbox_id = any(${[...outboxIds]}::bigint[])`;
}

/** Puts an entry that could not be delivered back for later. @param failure a closed code: why. */
export async function postponeDispatch(sql: Sql, outboxId: string, seconds: number, failure: string): Promise<void> {
  await sql`
    update outbox set next_try_at = business_now() + make_interval(secs => ${seconds}), last_failure = ${failure}
    where outbox_id = ${outboxId}
  `;
}

/** The same for one that was refused, and would be as it is. */
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
export type RefusedDispatch = z.infer<typeof Refused>;

/** Oldest first. */
export async function listRefusedDispatches(sql: Sql, limit: number): Promise<RefusedDispatch[]> {
  const rows = await sql`
    select outbox_id, workflow_id, workflow_type, last_failure, refusals, created_at, next_try_at
    from outbox where refusals > 0 order by outbox_id limit ${limit}
  `;
  return rows.map((row) => Refused.parse(row));
}

/** Makes now the next try of all that were refused. @returns how many. */
export async function retryRefusedDispatches(sql: Sql): Promise<number> {
  const { count } = await sql`update outbox set next_try_at = business_now() where refusals > 0`;
  return count;
}

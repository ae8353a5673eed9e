import { z } from 'zod';
import type { CorrelationId } from '../basics/ids.ts';
import type { Sql, Transaction } from './driver/sql.ts';
import { columnsOf, getValue, hasRows, listRows } from './rows.ts';

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
  /** REQUEST if omitted. */
  readonly lane?: WorkLane;
}

/** PERSON: a person waits for it. REQUEST: an app asked for it. BULK: much of it comes at once, and no one waits. */
export type WorkLane = 'PERSON' | 'REQUEST' | 'BULK';
/** Where an entry waits. Work in one lane does not delay work in another. REFUSED: Temporal has refused it before. */
export type Lane = WorkLane | 'REFUSED';
const LANE_NUMBERS = { PERSON: 1, REQUEST: 2, BULK: 3, REFUSED: 4 } as const;
const LANES = ['PERSON', 'REQUEST', 'BULK', 'REFUSED'] as const;

const Entry = z.object({
  outboxId: z.string(),
  lane: z.number().transform((number) => LANES[number - 1] ?? 'BULK'),
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

/**
 * @later start work once a transaction commits: an entry of the outbox, inserted in the same transaction, which starts or signals a
 * workflow
 */
export const insertDispatch = (tx: Transaction, dispatch: Dispatch): Promise<void> => insertDispatches(tx, [dispatch]);

/**
 * In one statement. A dispatch that equals a waiting entry adds none: the entry is locked until this transaction ends, so
 * that it is delivered after the commit, for both. An entry that is being delivered at the moment is followed by another.
 */
export async function insertDispatches(tx: Transaction, dispatches: readonly Dispatch[]): Promise<void> {
  const rows = new Map(dispatches.map((dispatch) => [getOnceKey(dispatch), toRow(dispatch)]));
  // In one order, so that two transactions never wait for each other.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx`
    insert into outbox (workflow_id, workflow_type, input, signal_name, restart, search_attributes, correlation_id,
      traceparent, lane, once_key)
    select "workflowId", "workflowType", input, "signalName", restart, "searchAttributes", "correlationId", traceparent,
      lane, "onceKey"
    from jsonb_to_recordset(${tx.json(sorted)}) as dispatch ("workflowId" text, "workflowType" text, input jsonb,
      "signalName" text, restart boolean, "searchAttributes" jsonb, "correlationId" uuid, traceparent text, lane smallint,
      "onceKey" text)
    on conflict (once_key) where tries = 0 and once_key is not null do update set
      lane = least(outbox.lane, excluded.lane), restart = outbox.restart or excluded.restart
  `;
}

/** The start of a workflow sorts before its signals. */
const getOnceKey = ({ workflowId, signal }: Dispatch): string => `${workflowId} ${signal?.name ?? ''}`;

const toRow = ({ signal, restart = false, lane = 'REQUEST', ...dispatch }: Dispatch) => ({
  ...dispatch,
  signalName: signal?.name ?? null,
  restart,
  lane: LANE_NUMBERS[lane],
  onceKey: getOnceKey({ ...dispatch, ...(signal && { signal }) }),
});

/** How many entries to take of a lane. */
interface Place {
  readonly lane: Lane;
  readonly limit: number;
}

/**
 * Leases due entries for `leaseSeconds`, in each lane the longest due ones. The lease of a crashed process expires. Entries of one
 * workflow are taken in order, one at a time. Temporal gives the apps their turns.
 * @param options.limit of all lanes together; the first lanes come first.
 */
export async function takeDispatches(
  sql: Sql,
  { places, leaseSeconds, limit = null }: { places: readonly Place[]; leaseSeconds: number; limit?: number | null },
): Promise<readonly OutboxEntry[]> {
  const entries = await listRows(sql, Entry)`
    with due as materialized (
      select each.outbox_id from unnest(${places.map(({ lane }) => LANE_NUMBERS[lane])}::smallint[],
        ${places.map((place) => place.limit)}::int[]) as place (lane, places), lateral (
        select outbox_id from outbox o
        where o.lane = place.lane and o.next_retry_at <= business_now() and o.outbox_id = (select e.outbox_id from outbox e
          where e.workflow_id = o.workflow_id order by e.workflow_id, e.outbox_id limit 1)
        order by o.next_retry_at, o.outbox_id limit place.places for no key update skip locked) each
      order by place.lane limit ${limit}
    )
    update outbox o set tries = tries + 1, next_retry_at = business_now() + make_interval(secs => ${leaseSeconds})
    where outbox_id = any(array(select outbox_id from due)) returning ${columnsOf('o', Entry)(sql)}
  `;
  return entries.toSorted((a, b) => Number(a.outboxId) - Number(b.outboxId));
}

/** Deletes delivered entries. @returns whether another entry of one of their workflows waits. */
export async function deleteDispatches(sql: Sql, outboxIds: readonly string[]): Promise<boolean> {
  return await hasRows(sql)`
    with delivered as (delete from outbox where outbox_id = any(${[...outboxIds]}::bigint[]) returning outbox_id, workflow_id)
    select from delivered d where d.workflow_id = (select workflow_id from outbox e
      where (e.workflow_id, e.outbox_id) > (d.workflow_id, d.outbox_id) order by e.workflow_id, e.outbox_id limit 1)
  `;
}

/** Postpones an entry after a failed delivery. @param failure the reason, as a closed code. */
export async function postponeDispatch(sql: Sql, outboxId: string, seconds: number, failure: string): Promise<void> {
  await sql`
    update outbox set next_retry_at = business_now() + make_interval(secs => ${seconds}), last_failure = ${failure}
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
    update outbox set next_retry_at = business_now() + make_interval(secs => ${seconds}), last_failure = ${failure},
      refusals = refusals + 1, lane = ${LANE_NUMBERS.REFUSED}
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
  nextRetryAt: z.date(),
});
/** An entry that Temporal refuses, as an operator sees it. */
type RefusedDispatch = z.infer<typeof Refused>;

const refusedColumns = columnsOf('outbox', Refused);

/** @returns the id of the newest entry that waits; '0' if none does. */
export async function getNewestDispatchId(sql: Sql): Promise<string> {
  return await getValue(sql, z.string())`select coalesce(max(outbox_id), 0)::text from outbox`;
}

/** Whether an entry waits that is newer than this one. */
export async function hasDispatchAfter(sql: Sql, outboxId: string): Promise<boolean> {
  return await getValue(sql, z.boolean())`select exists (select from outbox where outbox_id > ${outboxId}::bigint)`;
}

/** Oldest first. */
export async function listRefusedDispatches(sql: Sql, limit: number): Promise<RefusedDispatch[]> {
  return await listRows(sql, Refused)`
    select ${refusedColumns(sql)} from outbox where refusals > 0 order by outbox_id limit ${limit}
  `;
}

/** Makes all refused entries due now. @returns the number of entries. */
export async function retryRefusedDispatches(sql: Sql): Promise<number> {
  const { count } = await sql`update outbox set next_retry_at = business_now() where refusals > 0`;
  return count;
}

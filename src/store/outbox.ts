import { z } from 'zod';
import type { CorrelationId } from '../basics/ids.ts';
import type { Sql, Transaction } from './driver/sql.ts';
import { columnsOf, getValue, listRows } from './rows.ts';

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

/** PERSON: a person waits for it. REQUEST: an app asked for it. BULK: much of it comes at once, and nobody waits. */
export type WorkLane = 'PERSON' | 'REQUEST' | 'BULK';
/** Where an entry waits. Work in one lane does not delay work in another. REFUSED: Temporal has refused it before. */
export type Lane = WorkLane | 'REFUSED';
const LANE_NUMBERS = { PERSON: 1, REQUEST: 2, BULK: 3, REFUSED: 4 } as const;
const LANES = ['PERSON', 'REQUEST', 'BULK', 'REFUSED'] as const;

const Entry = z.object({
  outboxId: z.string(),
  lane: z.number().transform((number) => LANES[number - 1] ?? 'BULK'),
  appId: z.string(),
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
      traceparent, lane, app_id, once_key)
    select "workflowId", "workflowType", input, "signalName", restart, "searchAttributes", "correlationId", traceparent,
      lane, coalesce("searchAttributes" ->> 'AppId', ${NO_APP})::uuid, "onceKey"
    from jsonb_to_recordset(${tx.json(sorted)}) as dispatch ("workflowId" text, "workflowType" text, input jsonb,
      "signalName" text, restart boolean, "searchAttributes" jsonb, "correlationId" uuid, traceparent text, lane smallint,
      "onceKey" text)
    on conflict (once_key) where tries = 0 and once_key is not null do update set
      lane = least(outbox.lane, excluded.lane), restart = outbox.restart or excluded.restart
  `;
}

const NO_APP = '00000000-0000-0000-0000-000000000000';

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

/** The app that got the last turn in each lane. */
export type LastTurns = Partial<Record<Lane, string>>;

interface TakenDispatches {
  readonly entries: readonly OutboxEntry[];
  /** Entries that moved back. More may be due behind them. */
  readonly passedOver: number;
  readonly turns: LastTurns;
}

/** Entries behind an earlier one of their workflow that a take may look at besides. */
const LOOKED_AT_BESIDES = 100;

/**
 * Leases due entries for `leaseSeconds`. In each lane the apps take turns, and an app's longest due entry comes first. The
 * lease of a crashed process expires. Entries of one workflow are taken in order, one at a time.
 *
 * The cost depends on the number of apps and of entries taken, never on the number that wait, whatever Postgres believes
 * about the table: it finds each app, and an app's first entries, by one probe of an index. No probe asks for equality
 * where a wrong estimate would make another index look better. An entry that has waited for another one of its workflow for
 * a second moves back, so that none of them is looked at again and again.
 * @param options.turns of the last take.
 * @param options.limit of all lanes together; the first lanes come first.
 */
export async function takeDispatches(
  sql: Sql,
  options: { places: readonly Place[]; leaseSeconds: number; turns?: LastTurns; limit?: number },
): Promise<TakenDispatches> {
  const { leaseSeconds, turns = {}, limit = null } = options;
  const places = options.places.filter((place) => place.limit > 0);
  if (places.length === 0) return { entries: [], passedOver: 0, turns };
  const rows = await sql`
    with recursive place as materialized (
      select lane, places, after from unnest(${places.map(({ lane }) => LANE_NUMBERS[lane])}::smallint[],
        ${places.map((place) => place.limit)}::int[], ${places.map(({ lane }) => turns[lane] ?? NO_APP)}::uuid[])
        as place (lane, places, after)
    ), app as (
      select place.*, first.app_id from place, lateral (
        select o.lane, o.app_id from outbox o where (o.lane, o.app_id) >= (place.lane, ${NO_APP}::uuid)
        order by o.lane, o.app_id limit 1) first
      where first.lane = place.lane
      union all
      select app.lane, app.places, app.after, next.app_id from app, lateral (
        select o.lane, o.app_id from outbox o where (o.lane, o.app_id) > (app.lane, app.app_id)
        order by o.lane, o.app_id limit 1) next
      where next.lane = app.lane
    ), turn as materialized (
      select app.lane, app.app_id, places, ceil(places::numeric / count(*) over (partition by app.lane))::int as share,
        row_number() over (partition by app.lane order by app.app_id <= after, app.app_id) as turn
      from app, lateral (
        select o.next_try_at from outbox o where (o.lane, o.app_id, o.next_try_at) >= (app.lane, app.app_id, '-infinity')
        order by o.lane, o.app_id, o.next_try_at limit 1) first
      where first.next_try_at <= business_now()
    ), seen as materialized (
      select turn.lane, turn.app_id, each.*
      from turn, lateral (
        select outbox_id, next_try_at, created_at,
          (select e.outbox_id from outbox e where e.workflow_id >= o.workflow_id
            order by e.workflow_id, e.outbox_id limit 1) = o.outbox_id as is_first
        from outbox o
        where o.lane = turn.lane and o.app_id = turn.app_id and o.next_try_at <= business_now()
        order by o.next_try_at, o.outbox_id limit turn.share + ${LOOKED_AT_BESIDES}
      ) each
    ), locked as materialized (
      select turn.lane, turn.places, turn.turn, each.outbox_id,
        row_number() over (partition by turn.lane, turn.app_id order by each.next_try_at, each.outbox_id) as rank
      from turn, lateral (
        select o.outbox_id, o.next_try_at
        from (select outbox_id from seen where lane = turn.lane and app_id = turn.app_id and is_first
            order by next_try_at, outbox_id offset 0) first,
          lateral (select outbox_id, next_try_at from outbox
            where outbox_id = first.outbox_id and next_try_at <= business_now() for update skip locked) o
        limit turn.share
      ) each
    ), due as (
      select outbox_id, true as is_first, position from (
        select *, row_number() over (partition by lane order by rank, turn) as position from locked
      ) numbered
      where position <= places order by lane, position limit ${limit}
    ), moved as materialized (
      select outbox_id, is_first, position from due
      union all
      select o.outbox_id, false, 0 from seen, lateral (
        select outbox_id from outbox where outbox_id = seen.outbox_id for update skip locked) o
      where not is_first and created_at < business_now() - interval '1 second'
    )
    update outbox o set
      tries = tries + case when moved.is_first then 1 else 0 end,
      next_try_at = business_now() + case when moved.is_first then make_interval(secs => ${leaseSeconds})
        else least(business_now() - created_at, interval '1 minute') end
    from moved where o.outbox_id = moved.outbox_id and o.outbox_id = any(array(select outbox_id from moved)::bigint[])
    returning moved.is_first, moved.position::int, o.outbox_id, lane, app_id, workflow_id, workflow_type, input, signal_name, restart,
      search_attributes, correlation_id, traceparent, tries, refusals
  `;
  const taken = rows.filter(({ isFirst }) => isFirst).sort((a, b) => a.position - b.position);
  const inTurn = taken.map((row) => Entry.parse(row));
  return {
    entries: inTurn.toSorted((a, b) => Number(a.outboxId) - Number(b.outboxId)),
    passedOver: rows.length - taken.length,
    turns: { ...turns, ...Object.fromEntries(inTurn.map(({ lane, appId }) => [lane, appId])) },
  };
}

/** Deletes delivered entries, and makes the next ones of their workflows due. */
export async function deleteDispatches(sql: Sql, outboxIds: readonly string[]): Promise<void> {
  await sql`
    with delivered as materialized (
      delete from outbox where outbox_id = any(${[...outboxIds]}::bigint[]) returning outbox_id, workflow_id
    ), next as materialized (
      select each.outbox_id from delivered, lateral (
        select workflow_id, outbox_id from outbox o
        where (o.workflow_id, o.outbox_id) > (delivered.workflow_id, delivered.outbox_id)
        order by o.workflow_id, o.outbox_id limit 1) each
      where each.workflow_id = delivered.workflow_id
    )
    update outbox o set next_try_at = least(next_try_at, business_now())
    where o.outbox_id = any(array(select outbox_id from next)::bigint[]) and o.tries = 0
  `;
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
  nextTryAt: z.date(),
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
  const { count } = await sql`update outbox set next_try_at = business_now() where refusals > 0`;
  return count;
}

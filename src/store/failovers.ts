import { z } from 'zod';
import { ConnectionId, type WebhookEndpointId } from '../basics/ids.ts';
import type { Sql } from './driver/sql.ts';
import { findValue, listValues } from './rows.ts';

/** One worker looks at a time. If it dies, another one follows. */
const LOOKS_FOR = '5 minutes';

/**
 * Claims the check for losses of the last fail-over.
 * @returns the timeline that began with it; undefined if there was none, another worker looks, or the server exposes no timeline.
 */
export async function takeFailover(sql: Sql): Promise<string | undefined> {
  return await findValue(sql, z.string())`
    update failover_state set taken_until = clock_timestamp() + ${LOOKS_FOR}::interval
    where handled_timeline is distinct from current_timeline() and current_timeline() is not null
      and taken_until < clock_timestamp()
    returning current_timeline() as timeline
  `;
}

/** Records that the check of a timeline has ended. */
export async function finishFailover(sql: Sql, timeline: string): Promise<void> {
  await sql`update failover_state set handled_timeline = ${timeline}, taken_until = '-infinity'`;
}

/** The last event of a connection that was sent to an app. */
export type ToldEvent = readonly [ConnectionId, number];

const columnsOf = (sql: Sql, told: readonly ToldEvent[]) => sql`
  ${told.map(([connectionId]) => connectionId)}::uuid[], ${told.map(([, sequence]) => String(sequence))}::bigint[]
`;

/** Selects the events that are lost. */
export async function listLostEvents(sql: Sql, told: readonly ToldEvent[]): Promise<ToldEvent[]> {
  const rows = await sql`
    select connection_id, sequence from unnest(${columnsOf(sql, told)}) as told (connection_id, sequence)
    where not exists (
      select from webhook_event e where e.connection_id = told.connection_id and e.sequence = told.sequence
    )
  `;
  return rows.map((row) => [ConnectionId.parse(row.connectionId), Number(row.sequence)]);
}

/** Sends an endpoint the current status of the connections of lost events, regardless of its event types. */
export async function writeCorrections(
  sql: Sql,
  endpointId: WebhookEndpointId,
  lost: readonly ToldEvent[],
): Promise<void> {
  await sql`select write_corrections(${endpointId}, ${columnsOf(sql, lost)})`;
}

/** Selects the connections of disconnects that have left no receipts: their rows are lost. The connections themselves are there. */
export async function listConnectionsWithoutReceipts(
  sql: Sql,
  connectionIds: readonly ConnectionId[],
): Promise<ConnectionId[]> {
  return await listValues(sql, ConnectionId)`
    select connection_id from connection c where connection_id = any(${[...connectionIds]}::uuid[])
      and not exists (select from disconnect_job j where j.connection_id = c.connection_id and j.kind = 'ERASE')
  `;
}

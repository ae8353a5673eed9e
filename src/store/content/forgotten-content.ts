import type { ConnectionId } from '../../basics/ids.ts';
import type { Mac } from '../../vault/mac.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import { type Database, inTransaction, type Sql, type Transaction } from '../driver/sql.ts';
import { type Due, idsOf } from '../due.ts';

/** Keyed hashes by which a post without its id is found, that of the current key first. */
export const listPostMacs = (mac: Mac, connectionId: ConnectionId, providerContentId: string): readonly Buffer[] =>
  mac.allOf('post', connectionId, providerContentId);

/** Posts of one transaction, which takes about 50 ms. */
const BATCH = 1_000;

/**
 * Blanks posts of these connections that were not read for 30 days. Only the time of the last read, and a keyed hash of the id, remain
 * until the erase: by the hash the service recognizes the post when a caller asks for it, or a read shows it again. Skips connections
 * that others have locked: the next round handles them. @returns how many posts it has blanked.
 */
export async function forgetContent(sql: Database, mac: Mac, due: readonly Due[]): Promise<number> {
  let count = 0;
  for (;;) {
    const blanked = await inTransaction(sql, (tx) => forgetBatch(tx, mac, idsOf(due)));
    count += blanked;
    if (blanked < BATCH) return count;
  }
}

async function forgetBatch(tx: Transaction, mac: Mac, connectionIds: readonly string[]): Promise<number> {
  // The lock under which posts are stored: none can appear between the statements below.
  const owners = await tx`
    select connection_id from connection
    where connection_id = any(${[...connectionIds]}::uuid[]) and posts_read_since <= business_now() - interval '30 days'
    order by connection_id for no key update skip locked
  `;
  const ids = owners.map((row) => String(row.connectionId));
  const rows = await tx`
    select content_item_id, connection_id, provider_content_id from content_item
    where connection_id = any(array(select unnest(${ids}::uuid[]))) and provider_content_id is not null
      and observed_at <= business_now() - interval '30 days'
    limit ${BATCH}
  `;
  const macs = rows.map((row) => mac.of('post', String(row.connectionId), String(row.providerContentId)));
  await tx`
    update content_item i set provider_content_id = null, content_mac = given.mac, kind = 'UNKNOWN', canonical_url = null,
      details = '{}', published_at = null, availability = 'UNAVAILABLE',
      reason = 'EXPIRED', metrics = '[]', metrics_observed_at = null, blanked_at = coalesce(blanked_at, business_now())
    from unnest(${rows.map((row) => String(row.contentItemId))}::uuid[], ${byteaArray(tx, macs)}) as given (id, mac)
    where i.content_item_id = given.id
  `;
  if (rows.length < BATCH)
    await tx`
      update connection c set posts_read_since = (
        select min(observed_at) from content_item i
        where i.connection_id = c.connection_id and provider_content_id is not null
      )
      where connection_id = any(${ids}::uuid[])
    `;
  return rows.length;
}

/**
 * Gives posts that a read shows again their ids back, so that the read finds their rows. Hold the connection's lock. Nothing
 * else of them is stored by it.
 */
export async function recallContent(
  tx: Sql,
  mac: Mac,
  connectionId: ConnectionId,
  providerContentIds: readonly string[],
): Promise<void> {
  if (providerContentIds.length === 0) return;
  const known = providerContentIds.flatMap((id) => listPostMacs(mac, connectionId, id).map((own) => ({ id, own })));
  await tx`
    update content_item i set provider_content_id = given.id, content_mac = null
    from unnest(${known.map(({ id }) => id)}::text[], ${byteaArray(
      tx,
      known.map(({ own }) => own),
    )}) as given (id, mac)
    where i.connection_id = ${connectionId} and i.content_mac = given.mac
      and not exists (
        select from content_item other where other.connection_id = i.connection_id and other.provider_content_id = given.id
      )
  `;
}

import { z } from 'zod';
import type { AdminTokenId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { findRow, hasRows } from '../rows.ts';

interface Operation {
  readonly tokenId: AdminTokenId;
  readonly key: string;
}

/** Reserves a key for 24 hours, and deletes expired keys. @returns false if the key is taken. */
export async function insertIdempotencyKey(
  tx: Transaction,
  { tokenId, key }: Operation,
  requestMac: Buffer,
): Promise<boolean> {
  await tx`delete from admin_idempotency where created_at <= business_now() - interval '24 hours'`;
  return await hasRows(tx)`
    insert into admin_idempotency (token_id, idempotency_key, request_mac) values (${tokenId}, ${key}, ${requestMac})
    on conflict do nothing
  `;
}

export async function updateIdempotentResult(
  tx: Transaction,
  { tokenId, key }: Operation,
  resultId: string,
): Promise<void> {
  await tx`update admin_idempotency set result_id = ${resultId} where token_id = ${tokenId} and idempotency_key = ${key}`;
}

const Made = z.object({ requestMac: z.instanceof(Buffer), resultId: z.string() });

export async function findIdempotentResult(
  sql: Sql,
  { tokenId, key }: Operation,
): Promise<z.infer<typeof Made> | undefined> {
  return await findRow(sql, Made)`
    select request_mac, result_id from admin_idempotency where token_id = ${tokenId} and idempotency_key = ${key}
  `;
}

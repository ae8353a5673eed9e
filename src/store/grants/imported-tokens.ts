import { byteaArray } from '../driver/bytea-array.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';

/** Whether an import has taken a token with one of these keyed hashes, also if the grant that it made is gone. */
export async function isImportedToken(sql: Sql, importMacs: readonly Buffer[]): Promise<boolean> {
  return await hasRows(sql)`select from imported_token where import_mac = any(${byteaArray(sql, importMacs)}) limit 1`;
}

/** @param lifeDays for how long the token can work at most, from now on. Null if it has no end. */
export async function insertImportedToken(tx: Transaction, importMac: Buffer, lifeDays: number | null): Promise<void> {
  await tx`
    insert into imported_token (import_mac, expires_at)
    values (${importMac}, business_now() + make_interval(days => ${lifeDays}))
  `;
}

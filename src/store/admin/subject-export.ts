import { byteaArray, type Fragment, type Sql } from '../sql.ts';
import type { Subject } from './erasures.ts';

/** A table with data of a person, and the part of it that an export contains. */
export interface ExportedTable {
  readonly table: string;
  /** Columns of an index that is unique. They order the pages, and each row contains them. */
  readonly key: readonly string[];
  /** The other columns that a row contains. */
  readonly columns: readonly string[];
  /** Columns whose value is sealed. The export names them, and opens none. */
  readonly sealed: readonly string[];
  /** Selects the subject's rows. */
  readonly isOfSubject: (sql: Sql, subject: Subject) => Fragment;
}

const ofScope = (sql: Sql, { scopeId }: Subject) => sql`scope_id = ${scopeId ?? null}`;
const ofConnection = (sql: Sql, { scopeId }: Subject) =>
  sql`connection_id = any(array(select connection_id from connection where scope_id = ${scopeId ?? null}))`;
const ofReceipt = (sql: Sql, { scopeId, scopeMacs }: Subject) =>
  sql`(scope_id = ${scopeId ?? null} or scope_mac = any(${byteaArray(sql, scopeMacs)}))`;

/**
 * Every table with data of a person, in the order of an export. Columns that are missing here are hashes, or claims and
 * cursors of our own work, which say nothing about the person. A test compares this list with the schema.
 * @internal
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    table: 'scope',
    key: ['scope_id'],
    columns: ['app_id', 'tenant_key', 'external_subject_id', 'erasure_id'],
    sealed: [],
    isOfSubject: ofScope,
  },
  {
    table: 'connection',
    key: ['connection_id'],
    columns: [
      ...['app_id', 'provider', 'registration_id', 'provider_account_id', 'status', 'sync_status', 'capabilities'],
      ...['profile', 'profile_observed_at', 'last_successful_sync_at', 'created_at', 'changed_at'],
    ],
    sealed: [],
    isOfSubject: ofScope,
  },
  {
    table: 'connect_attempt',
    key: ['attempt_id'],
    columns: [
      ...['app_id', 'provider', 'registration_id', 'capabilities', 'return_url', 'reconnect_connection_id', 'status'],
      ...['result_code', 'connection_id', 'creator_action', 'correlation_id', 'created_at', 'expires_at'],
      ...['result_expires_at', 'finished_at'],
    ],
    sealed: ['sealed_code_verifier', 'sealed_code'],
    isOfSubject: ofScope,
  },
  {
    table: 'account_grant',
    key: ['grant_id'],
    columns: [
      ...['attempt_id', 'provider', 'registration_id', 'connection_id', 'status', 'permissions', 'access_expires_at'],
      ...['refresh_expires_at', 'provider_account_id', 'profile', 'profile_observed_at', 'obtained_at'],
    ],
    sealed: ['sealed_tokens'],
    isOfSubject: ofScope,
  },
  {
    table: 'content_item',
    key: ['connection_id', 'provider_content_id'],
    columns: [
      ...['content_item_id', 'kind', 'canonical_url', 'thumbnail_url', 'title', 'description', 'published_at'],
      ...['availability', 'reason', 'metrics', 'metrics_observed_at', 'observed_at', 'blanked_at'],
    ],
    sealed: [],
    isOfSubject: ofConnection,
  },
  {
    table: 'coverage',
    key: ['coverage_id'],
    columns: ['connection_id', 'published', 'scanned_at'],
    sealed: [],
    isOfSubject: ofConnection,
  },
  {
    table: 'read_job',
    key: ['job_id'],
    columns: [
      ...['kind', 'connection_id', 'app_id', 'provider', 'requested_by', 'status', 'published_after'],
      ...['published_before', 'max_items', 'provider_content_id', 'url', 'item_count', 'error_code'],
      ...['incomplete_reason', 'result_provider_content_id', 'correlation_id', 'created_at', 'started_at'],
      'finished_at',
    ],
    sealed: [],
    isOfSubject: ofConnection,
  },
  {
    table: 'webhook_event',
    key: ['connection_id', 'sequence'],
    columns: ['event_id', 'app_id', 'type', 'data', 'occurred_at'],
    sealed: [],
    isOfSubject: ofConnection,
  },
  {
    table: 'webhook_delivery',
    key: ['connection_id', 'created_at', 'delivery_id'],
    columns: ['event_id', 'endpoint_id', 'app_id', 'event_type', 'status', 'last_status', 'finished_at'],
    sealed: [],
    isOfSubject: ofConnection,
  },
  {
    table: 'disconnect_job',
    key: ['job_id'],
    columns: [
      ...['kind', 'status', 'connection_id', 'grant_id', 'app_id', 'provider', 'registration_id', 'bulk_disconnect_id'],
      ...['erasure_id', 'creator_action', 'error_code', 'correlation_id', 'created_at', 'started_at', 'finished_at'],
    ],
    sealed: ['sealed_tokens'],
    isOfSubject: ofReceipt,
  },
  {
    table: 'erasure',
    key: ['erasure_id'],
    columns: ['app_id', 'connection_ids', 'requested_at', 'completed_at'],
    sealed: [],
    isOfSubject: (sql, { scopeMacs }) => sql`scope_mac = any(${byteaArray(sql, scopeMacs)})`,
  },
  {
    table: 'deletion_request_connection',
    key: ['connection_id', 'code'],
    columns: ['correlation_id'],
    sealed: [],
    isOfSubject: ofConnection,
  },
];

/** The last exported row: the place of its table in the list, and its key. */
export interface ExportPosition {
  readonly table: number;
  readonly after: readonly string[] | null;
}

/** A row of the export. Its values have the names of their columns; an instant is ISO 8601 in UTC. */
export interface ExportedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
  /** Columns with a sealed value, or none, that the export does not open. */
  readonly sealed: readonly string[];
}

/**
 * Reads the next page of a person's data: at most `limit` rows, whatever their number in a table.
 * @returns no next position after the last row.
 */
export async function listExportedRows(
  sql: Sql,
  subject: Subject,
  position: ExportPosition | null,
  limit: number,
): Promise<{ rows: ExportedRow[]; next: ExportPosition | null }> {
  const rows: ExportedRow[] = [];
  let { table, after } = position ?? { table: 0, after: null };
  for (const exported of EXPORTED_TABLES.slice(table)) {
    const wanted = limit - rows.length;
    const found = await readTable(sql, subject, exported, after, wanted + 1);
    const taken = found.slice(0, wanted);
    rows.push(...taken.map((row) => ({ table: exported.table, row, sealed: exported.sealed })));
    if (found.length > wanted) {
      const last = taken.at(-1);
      return {
        rows,
        next: { table, after: last === undefined ? after : exported.key.map((name) => String(last[name])) },
      };
    }
    table += 1;
    after = null;
  }
  return { rows, next: null };
}

/** Postgres makes JSON of each row, so that every type keeps its digits and the names stay those of the columns. */
async function readTable(
  sql: Sql,
  subject: Subject,
  { table, key, columns, isOfSubject }: ExportedTable,
  after: readonly string[] | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const order = sql([...key]);
  const rows = await sql`
    select to_jsonb(found) as row from (
      select ${sql([...key, ...columns])} from ${sql(table)}
      where ${isOfSubject(sql, subject)} ${after === null ? sql`` : sql`and (${order}) > (${listValues(sql, after)})`}
      order by ${order} limit ${limit}
    ) as found
  `;
  return rows.map(({ row }) => row as Record<string, unknown>);
}

/** The values, separated by commas. */
const listValues = (sql: Sql, values: readonly string[]): Fragment =>
  values.map((value): Fragment => sql`${value}`).reduce((before, value) => sql`${before}, ${value}`);

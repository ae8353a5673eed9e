import { byteaArray } from '../driver/bytea-array.ts';
import type { Fragment, Sql } from '../driver/sql.ts';
import type { Subject } from './erasures.ts';

/** A table with data of a person, and the part of it that an export contains. */
export interface ExportedTable {
  readonly table: string;
  /** Columns of an index that is unique, each with its lowest value. They order the pages, and each row contains them. */
  readonly key: Readonly<Record<string, string>>;
  /** The other columns that a row contains. */
  readonly columns: readonly string[];
  /** Columns whose value is sealed. The export names them, and opens none. */
  readonly sealed: readonly string[];
  /** Of these rows. Absent: all. */
  readonly where?: (sql: Sql) => Fragment;
  /** Selects the subject's rows. Absent: the rows of each of its connections. The key begins with `connection_id` then. */
  readonly isOfSubject?: (sql: Sql, subject: Subject) => Fragment;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const LOWEST_INSTANT = '0001-01-01T00:00:00Z';

const ofScope = (sql: Sql, { scopeId }: Subject) => sql`scope_id = ${scopeId ?? null}`;
const ofReceipt = (sql: Sql, { scopeId, scopeMacs }: Subject) =>
  sql`(scope_id = ${scopeId ?? null} or scope_mac = any(${byteaArray(sql, scopeMacs)}))`;

/**
 * Every table with data of a person, in the order of an export. Columns that are missing here are hashes, or claims and
 * cursors of our own work, which contain nothing about the person. A test compares this list with the schema.
 * @internal
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    table: 'scope',
    key: { scope_id: LOWEST_ID },
    columns: ['app_id', 'tenant_key', 'external_subject_id', 'erasure_id'],
    sealed: [],
    isOfSubject: ofScope,
  },
  {
    table: 'connection',
    key: { connection_id: LOWEST_ID },
    columns: [
      ...['app_id', 'provider', 'registration_id', 'provider_account_id', 'status', 'sync_status', 'capabilities'],
      ...['profile', 'profile_observed_at', 'last_successful_sync_at', 'created_at', 'changed_at', 'proven_at'],
      ...['proof_failed_at', 'unproven_since', 'removal_reported_at'],
    ],
    sealed: [],
    isOfSubject: ofScope,
  },
  {
    table: 'connect_attempt',
    key: { attempt_id: LOWEST_ID },
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
    key: { grant_id: LOWEST_ID },
    columns: [
      ...['attempt_id', 'provider', 'registration_id', 'connection_id', 'status', 'permissions', 'access_expires_at'],
      ...['refresh_expires_at', 'provider_account_id', 'profile', 'profile_observed_at', 'obtained_at'],
    ],
    sealed: ['sealed_tokens'],
    isOfSubject: ofScope,
  },
  {
    table: 'content_item',
    key: { connection_id: LOWEST_ID, provider_content_id: '' },
    columns: [
      ...['content_item_id', 'kind', 'canonical_url', 'details', 'published_at'],
      ...['availability', 'reason', 'metrics', 'metrics_observed_at', 'observed_at', 'blanked_at'],
    ],
    // Of the others there is only a hash.
    where: (sql) => sql`provider_content_id is not null`,
    sealed: [],
  },
  {
    table: 'coverage',
    key: { connection_id: LOWEST_ID, scanned_at: LOWEST_INSTANT, coverage_id: LOWEST_ID },
    columns: ['published'],
    sealed: [],
  },
  {
    table: 'read_job',
    key: { connection_id: LOWEST_ID, created_at: LOWEST_INSTANT, job_id: LOWEST_ID },
    columns: [
      ...['kind', 'app_id', 'provider', 'requested_by', 'status', 'published_after', 'published_before', 'max_items'],
      ...['provider_content_id', 'url', 'item_count', 'error_code', 'incomplete_reason', 'result_provider_content_id'],
      ...['correlation_id', 'started_at', 'finished_at'],
    ],
    sealed: [],
  },
  {
    table: 'webhook_event',
    key: { connection_id: LOWEST_ID, sequence: '0' },
    columns: ['event_id', 'app_id', 'type', 'data', 'occurred_at'],
    sealed: [],
  },
  {
    table: 'webhook_delivery',
    key: { connection_id: LOWEST_ID, occurred_at: LOWEST_INSTANT, delivery_id: LOWEST_ID },
    columns: ['event_id', 'endpoint_id', 'app_id', 'event_type', 'status', 'last_http_status', 'finished_at'],
    sealed: [],
  },
  {
    table: 'disconnect_job',
    key: { job_id: LOWEST_ID },
    columns: [
      ...['kind', 'status', 'connection_id', 'grant_id', 'app_id', 'provider', 'registration_id', 'bulk_disconnect_id'],
      ...[
        'erasure_id',
        'reason',
        'creator_action',
        'error_code',
        'correlation_id',
        'created_at',
        'started_at',
        'finished_at',
      ],
    ],
    sealed: ['sealed_tokens'],
    isOfSubject: ofReceipt,
  },
  {
    table: 'erasure',
    key: { erasure_id: LOWEST_ID },
    columns: ['app_id', 'connection_ids', 'requested_at', 'completed_at'],
    sealed: [],
    isOfSubject: (sql, { scopeMacs }) => sql`scope_mac = any(${byteaArray(sql, scopeMacs)})`,
  },
  {
    table: 'deletion_request_connection',
    key: { connection_id: LOWEST_ID, code: '' },
    columns: ['correlation_id'],
    sealed: [],
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
 * Reads the next page of a person's data: at most `limit` rows, of any number in a table.
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
        next: {
          table,
          after: last === undefined ? after : Object.keys(exported.key).map((name) => String(last[name])),
        },
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
  { table, key, columns, where, isOfSubject }: ExportedTable,
  after: readonly string[] | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const names = Object.keys(key);
  const from = after ?? Object.values(key);
  const order = sql(names);
  // Also on the first page: with this bound, Postgres reads the rows in the order of the index, and does not sort all of them.
  const isAfter = sql`(${order}) > (${listValues(sql, from)})`;
  const selectPage = (isWanted: Fragment) => sql`
    select ${sql([...names, ...columns])} from ${sql(table)} where ${isWanted} and ${isAfter}
      ${where ? sql`and ${where(sql)}` : sql``} order by ${order} limit ${limit}
  `;
  const page = isOfSubject
    ? selectPage(isOfSubject(sql, subject))
    : sql`
        select found.* from (
          select connection_id as id from connection
          where scope_id = ${subject.scopeId ?? null} and connection_id >= ${from[0] ?? null} order by connection_id
        ) owner cross join lateral (${selectPage(sql`connection_id = owner.id`)}) found
        order by owner.id, ${order} limit ${limit}
      `;
  const rows = await sql`select to_jsonb(page) as row from (${page}) page`;
  return rows.map(({ row }) => row as Record<string, unknown>);
}

/** The values, separated by commas. */
const listValues = (sql: Sql, values: readonly string[]): Fragment =>
  values.map((value): Fragment => sql`${value}`).reduce((before, value) => sql`${before}, ${value}`);

import type { Database } from '../kit/postgres.ts';

/** Accepted work that has to end: a row is open until it has ended, so each count must come to 0. */
const OPEN = {
  'read jobs': "read_job where status in ('QUEUED', 'RUNNING')",
  'read jobs of callers': "read_job where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER'",
  'receipts and compensations': "disconnect_job where status in ('QUEUED', 'RUNNING')",
  'outbox entries': 'outbox',
  'due outbox entries': 'outbox where next_retry_at <= business_now()',
  'webhook deliveries': "webhook_delivery where status = 'PENDING'",
  'suspended connections': "connection where status = 'SUSPENDED'",
  'connections on their way out': "connection where status in ('DISCONNECTED', 'DELETING')",
  'grants without a connection': "account_grant where status in ('PENDING', 'REVOKING')",
  'claimed refreshes of live grants': `account_grant where status = 'LIVE' and refresh_claimed_at is not null
    and refresh_claimed_at > business_now() - interval '90 seconds'`,
  'codes in exchange': "connect_attempt where status = 'EXCHANGING'",
  'unfinished attempts': "connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')",
  'expired attempts without an end': `connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
    and expires_at <= business_now()`,
  'sign-ins in exchange': "identity_attempt where status = 'PENDING' and stage = 'EXCHANGING'",
  'unfinished sign-ins': "identity_attempt where status = 'PENDING'",
  'expired sign-ins without an end': "identity_attempt where status = 'PENDING' and expires_at <= business_now()",
  'bulk disconnects': 'bulk_disconnect where finished_at is null',
  erasures: 'erasure where completed_at is null',
  'requested deletions': 'deletion_request_connection',
  'first scans without a job': `connection c where sync_status = 'RUNNING' and status = 'CONNECTED' and not exists (
    select from read_job j where j.connection_id = c.connection_id and j.kind = 'SCAN' and j.status in ('QUEUED', 'RUNNING'))`,
  // A lease of an hour, while the upkeep runs.
  'running upkeeps': `connection where status = 'CONNECTED' and upkeep_failing_since is not null
    and upkeep_due_at between business_now() + interval '50 minutes' and business_now() + interval '1 hour'`,
} as const;
export type OpenWork = keyof typeof OPEN;

/** @returns one line for each of these kinds of work that is open */
export async function listOpenWork(sql: Database, kinds: readonly OpenWork[]): Promise<string[]> {
  const counts = kinds.map((kind) => `select '${kind}' as kind, count(*)::int as count from ${OPEN[kind]}`);
  const rows = await sql.unsafe(counts.join(' union all '));
  return rows.flatMap(({ kind, count }) => (count > 0 ? [`${count} ${kind}`] : []));
}

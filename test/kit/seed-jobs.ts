import { createHash, randomUUID } from 'node:crypto';
import type { ProviderName } from '../../src/basics/codes.ts';
import {
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
  type ScopeId,
} from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertDisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { addTwins } from './bystanders.ts';
import { type SeededApp, seedScope } from './seed.ts';

// What tests of other folders need of the store.
export { type BulkTarget, findBulkDisconnect, insertBulkDisconnect } from '../../src/store/jobs/bulk-disconnects.ts';
export { findDisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
export { adoptScan, insertLookup, insertMetricsJob, insertScan } from '../../src/store/jobs/new-reads.ts';
export { findReadJob } from '../../src/store/jobs/read-jobs.ts';
export { requeueRevokes } from '../../src/store/jobs/retries.ts';
export { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';

export interface SeedDisconnectJob {
  readonly kind?: 'REVOKE' | 'COMPENSATION' | 'ERASE';
  readonly provider?: 'PROVIDER_A' | 'PROVIDER_B';
  /** A new one by default. */
  readonly scopeId?: ScopeId;
  readonly scopeMac?: Buffer | null;
  readonly connectionId?: ConnectionId | null;
  readonly grantId?: GrantId | null;
  readonly principalMac?: Buffer | null;
  /** 0 for one of the disconnect of its connection, which shares that workflow. */
  readonly run?: number;
}

/** A job as a disconnect, or the end of an attempt, inserts it: by default a revoke at PROVIDER_B. */
export async function seedDisconnectJob(sql: Database, seeded: SeededApp, job: SeedDisconnectJob = {}): Promise<JobId> {
  const { kind = 'REVOKE', provider = 'PROVIDER_B' } = job;
  const jobId = newId<JobId>();
  const scopeId = job.scopeId ?? (await seedScope(sql, seeded, seeded.newScope()));
  await inTransaction(sql, (tx) =>
    insertDisconnectJob(tx, {
      ...{ jobId, kind, provider, scopeId },
      connectionId: job.connectionId ?? null,
      grantId: job.grantId ?? null,
      scopeMac: job.scopeMac ?? null,
      principalMac: job.principalMac ?? null,
      accountMacs: [],
      spares: kind === 'COMPENSATION',
      run: job.run ?? 1,
      attemptId: null,
      appId: seeded.app.appId,
      registrationId: seeded.registrations[provider],
      correlationId: newId<CorrelationId>(),
    }),
  );
  await addTwins(sql, [['disconnect_job', 'job_id', jobId]]);
  return jobId;
}

/** What each read of a caller has. */
export const callerRead = ({ app: { appId } }: SeededApp, provider: ProviderName, connectionId: ConnectionId) => {
  const correlationId = newId<CorrelationId>();
  return { connectionId, appId, provider, requestedBy: 'CALLER', correlationId } as const;
};

/** Columns of a row of either table. A LOOKUP has a URL of its own. */
export interface JobRow {
  readonly jobId?: JobId;
  readonly kind?: 'LOOKUP' | 'SCAN' | 'METRICS' | 'REVOKE' | 'COMPENSATION' | 'ERASE';
  readonly provider?: ProviderName;
  readonly [column: string]: unknown;
}

/** A job in any state, without a twin: by default a queued revoke without a connection. */
export async function insertJob(sql: Database, seeded: SeededApp, row: JobRow): Promise<JobId> {
  const { jobId = newId<JobId>(), kind = 'REVOKE', provider = 'PROVIDER_B', ...others } = row;
  const all = { jobId, kind, provider, appId: seeded.app.appId, correlationId: randomUUID(), ...others };
  const url = `https://platform.example/${jobId}`;
  const urlSha256 = createHash('sha256').update(url).digest();
  if (kind === 'REVOKE' || kind === 'COMPENSATION' || kind === 'ERASE')
    await insertRow(sql, 'disconnect_job', { registrationId: seeded.registrations[provider], run: 1, ...all });
  else
    await insertRow(sql, 'read_job', { requestedBy: 'CALLER', ...(kind === 'LOOKUP' && { url, urlSha256 }), ...all });
  return jobId;
}

/** Inserts a row with these columns, named as in our code. */
export async function insertRow(sql: Database, table: string, row: object): Promise<void> {
  const columns = Object.entries(row).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  await sql`insert into ${sql(table)} ${sql(Object.fromEntries(columns))}`;
}

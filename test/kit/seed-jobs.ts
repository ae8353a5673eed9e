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

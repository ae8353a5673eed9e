import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionStatus } from '../../src/basics/codes.ts';
import { type AttemptId, type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { type AttemptEnd, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertDisconnectJob, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { insertScan } from '../../src/store/jobs/new-reads.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { TRANSITIONS } from '../../src/store/transitions.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';

/** Every pair of statuses of a machine, and whether the table allows the transition. */
function pairs<To extends string>(machine: Readonly<Record<To, readonly string[]>>, statuses: readonly string[]) {
  return (Object.keys(machine) as To[]).flatMap((to) =>
    statuses.map((from) => ({ from, to, allowed: machine[to].includes(from) })),
  );
}

const CONNECTION = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const;
const JOB = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
/** A job of this status has finished then. */
const endOf = (status: string): Date | null => (['QUEUED', 'RUNNING'].includes(status) ? null : new Date());
const ATTEMPT = [
  'CREATED',
  'AUTHORIZING',
  'EXCHANGING',
  'COMPLETED',
  'DENIED',
  'FAILED',
  'EXPIRED',
  'CANCELED',
] as const;

const whole = async (sql: Database, table: string, column: string, id: string) => {
  const [row] = await sql`select * from ${sql(table)} where ${sql(column)} = ${id}`;
  return row;
};

describe('the table of transitions', () => {
  test('names statuses that the database knows', () => {
    const named = (machine: Readonly<Record<string, readonly string[]>>) => [
      ...Object.keys(machine),
      ...Object.values(machine).flat(),
    ];
    expect(CONNECTION).toEqual(expect.arrayContaining(named(TRANSITIONS.connection)));
    expect(JOB).toEqual(expect.arrayContaining(named(TRANSITIONS.job)));
    expect(ATTEMPT).toEqual(expect.arrayContaining(named(TRANSITIONS.attempt)));
  });

  test('has no transition out of an ended attempt, sign-in or erase', () => {
    const ends = ['COMPLETED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED'];
    for (const sources of [...Object.values(TRANSITIONS.attempt), ...Object.values(TRANSITIONS.identity)]) {
      for (const end of ends) expect(sources).not.toContain(end);
    }
    for (const sources of Object.values(TRANSITIONS.connection)) expect(sources).not.toContain('DELETING');
    for (const [to, sources] of Object.entries(TRANSITIONS.job)) {
      if (to !== 'QUEUED') for (const end of ['SUCCEEDED', 'FAILED', 'CANCELED']) expect(sources).not.toContain(end);
    }
  });
});

describe('a connection', () => {
  for (const { from, to, allowed } of pairs(TRANSITIONS.connection, CONNECTION)) {
    test(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async ({ sql }) => {
      const seeded = await seedApp(sql);
      const connectionId = await seedConnection(sql, seeded, {
        scope: seeded.newScope(),
        status: from as ConnectionStatus,
      });
      const before = await whole(sql, 'connection', 'connection_id', connectionId);
      expect(await moveConnection(sql, connectionId, to)).toBe(allowed);
      const after = await whole(sql, 'connection', 'connection_id', connectionId);
      if (allowed) expect(after?.status).toBe(to);
      else expect(after).toEqual(before);
    });
  }
});

describe('a read job', () => {
  const moves = {
    RUNNING: (sql: Database, jobId: JobId) => moveReadJobToRunning(sql, jobId),
    SUCCEEDED: (sql: Database, jobId: JobId) => endReadJob(sql, jobId, { status: 'SUCCEEDED' }),
    FAILED: (sql: Database, jobId: JobId) => endReadJob(sql, jobId, { status: 'FAILED', errorCode: 'INTERNAL' }),
    CANCELED: (sql: Database, jobId: JobId) => endReadJob(sql, jobId, { status: 'CANCELED' }),
  };
  const { QUEUED: _byOperators, ...machine } = TRANSITIONS.job;
  for (const { from, to, allowed } of pairs(machine, JOB)) {
    test(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async ({ sql }) => {
      const seeded = await seedApp(sql);
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      const { jobId } = await insertScan(sql, {
        connectionId,
        appId: seeded.app.appId,
        provider: 'PROVIDER_B',
        requestedBy: 'CALLER',
        correlationId: newId<CorrelationId>(),
        window: null,
        maxItems: 10,
        continues: null,
      });
      await sql`update read_job set status = ${from}, finished_at = ${endOf(from)} where job_id = ${jobId}`;
      const before = await whole(sql, 'read_job', 'job_id', jobId);
      expect(Boolean(await moves[to](sql, jobId))).toBe(allowed);
      const after = await whole(sql, 'read_job', 'job_id', jobId);
      if (allowed) expect(after?.status).toBe(to);
      else expect(after).toEqual(before);
    });
  }
});

describe('a disconnect job', () => {
  const moves = {
    RUNNING: (sql: Database, jobId: JobId) => moveDisconnectJobToRunning(sql, jobId),
    SUCCEEDED: (sql: Database, jobId: JobId) =>
      endDisconnectJob(sql, jobId, { status: 'SUCCEEDED', creatorAction: null }),
    FAILED: (sql: Database, jobId: JobId) =>
      endDisconnectJob(sql, jobId, { status: 'FAILED', creatorAction: null, errorCode: 'INTERNAL' }),
  };
  const { QUEUED: _byOperators, CANCELED: _never, ...machine } = TRANSITIONS.job;
  for (const { from, to, allowed } of pairs(machine, JOB)) {
    test(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async ({ sql }) => {
      const seeded = await seedApp(sql);
      const jobId = newId<JobId>();
      const scopeId = await seedScope(sql, seeded, seeded.newScope());
      await inTransaction(sql, (tx) =>
        insertDisconnectJob(tx, {
          jobId,
          kind: 'REVOKE',
          connectionId: newId<ConnectionId>(),
          grantId: null,
          run: 0,
          attemptId: null,
          appId: seeded.app.appId,
          provider: 'PROVIDER_B',
          registrationId: seeded.registrations.PROVIDER_B,
          scopeId,
          principalMac: null,
          accountMacs: [],
          spares: false,
          scopeMac: null,
          correlationId: newId<CorrelationId>(),
        }),
      );
      await sql`update disconnect_job set status = ${from}, finished_at = ${endOf(from)} where job_id = ${jobId}`;
      const before = await whole(sql, 'disconnect_job', 'job_id', jobId);
      expect(Boolean(await moves[to](sql, jobId))).toBe(allowed);
      const after = await whole(sql, 'disconnect_job', 'job_id', jobId);
      if (allowed) expect(after?.status).toBe(to);
      else expect(after).toEqual(before);
    });
  }
});

describe('an attempt', () => {
  const end = (status: 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED'): AttemptEnd => ({
    status,
    resultCode: 'CANCELED',
  });
  const ending = (to: AttemptEnd) => (sql: Database, attemptId: AttemptId) => moveAttemptToEnd(sql, attemptId, to);
  const moves = {
    AUTHORIZING: (sql: Database, attemptId: AttemptId) =>
      inTransaction(sql, (tx) =>
        connectAttempts.moveToAuthorizing(tx, attemptId, {
          stateSha256: randomBytes(32),
          browserSha256: randomBytes(32),
          sealedCodeVerifier: null,
        }),
      ),
    EXCHANGING: (sql: Database, attemptId: AttemptId) =>
      inTransaction(sql, (tx) => connectAttempts.moveToExchanging(tx, attemptId, 'sealed')),
    COMPLETED: ending({ status: 'COMPLETED', resultCode: null, connectionId: newId<ConnectionId>() }),
    DENIED: ending(end('DENIED')),
    FAILED: ending(end('FAILED')),
    EXPIRED: ending(end('EXPIRED')),
    CANCELED: ending(end('CANCELED')),
  };
  for (const { from, to, allowed } of pairs(TRANSITIONS.attempt, ATTEMPT)) {
    test(`${allowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async ({ sql }) => {
      const seeded = await seedApp(sql);
      const { attemptId } = await seedAttempt(sql, seeded);
      await sql`
        update connect_attempt set status = ${from}, connection_id = ${from === 'COMPLETED' ? newId<ConnectionId>() : null}
        where attempt_id = ${attemptId}
      `;
      // Only the database's clock expires an attempt.
      if (to === 'EXPIRED')
        await sql`update connect_attempt set expires_at = business_now() where attempt_id = ${attemptId}`;
      const before = await whole(sql, 'connect_attempt', 'attempt_id', attemptId);
      expect(await moves[to](sql, attemptId)).toBe(allowed);
      const after = await whole(sql, 'connect_attempt', 'attempt_id', attemptId);
      if (allowed) expect(after?.status).toBe(to);
      else expect(after).toEqual(before);
    });
  }
});

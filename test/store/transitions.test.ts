import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AttemptId, type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { type AttemptEnd, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { TRANSITIONS } from '../../src/store/transitions.ts';
import { businessNow } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

const CONNECTION = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const;
const JOB = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
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

/** A table of statuses: how a test makes a row, and each of its moves; true if the row moved. */
interface Machine {
  readonly table: string;
  readonly idColumn: string;
  readonly statuses: readonly string[];
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  readonly seed: (sql: Database, seeded: SeededApp) => Promise<string>;
  readonly moves: Readonly<Record<string, (sql: Database, id: never) => Promise<unknown>>>;
}

const end = (status: 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED'): AttemptEnd => ({ status, resultCode: 'CANCELED' });
const endsAs = (how: AttemptEnd) => (sql: Database, id: AttemptId) => moveAttemptToEnd(sql, id, how);
const revokeEnd = { creatorAction: null } as const;

const MACHINES: Readonly<Record<string, Machine>> = {
  'a connection': {
    ...{ table: 'connection', idColumn: 'connection_id', statuses: CONNECTION, allowed: TRANSITIONS.connection },
    seed: (sql, seeded) => seedConnection(sql, seeded, { scope: seeded.newScope() }),
    moves: Object.fromEntries(
      CONNECTION.map((to) => [to, (sql: Database, id: ConnectionId) => moveConnection(sql, id, to)]),
    ),
  },
  'a read job': {
    ...{ table: 'read_job', idColumn: 'job_id', statuses: JOB, allowed: TRANSITIONS.job },
    seed: async (sql, seeded) => {
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      return await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId });
    },
    moves: {
      RUNNING: (sql, id: JobId) => moveReadJobToRunning(sql, id),
      SUCCEEDED: (sql, id: JobId) => endReadJob(sql, id, { status: 'SUCCEEDED' }),
      FAILED: (sql, id: JobId) => endReadJob(sql, id, { status: 'FAILED', errorCode: 'INTERNAL' }),
      CANCELED: (sql, id: JobId) => endReadJob(sql, id, { status: 'CANCELED' }),
    },
  },
  'a disconnect job': {
    ...{ table: 'disconnect_job', idColumn: 'job_id', statuses: JOB, allowed: TRANSITIONS.job },
    seed: (sql, seeded) => seedDisconnectJob(sql, seeded, { connectionId: newId<ConnectionId>(), run: 0 }),
    moves: {
      RUNNING: (sql, id: JobId) => moveDisconnectJobToRunning(sql, id),
      SUCCEEDED: (sql, id: JobId) => endDisconnectJob(sql, id, { status: 'SUCCEEDED', ...revokeEnd }),
      FAILED: (sql, id: JobId) => endDisconnectJob(sql, id, { status: 'FAILED', ...revokeEnd, errorCode: 'INTERNAL' }),
    },
  },
  'an attempt': {
    ...{ table: 'connect_attempt', idColumn: 'attempt_id', statuses: ATTEMPT, allowed: TRANSITIONS.attempt },
    seed: async (sql, seeded) => (await seedAttempt(sql, seeded)).attemptId,
    moves: {
      AUTHORIZING: (sql, id: AttemptId) =>
        inTransaction(sql, (tx) =>
          connectAttempts.moveToAuthorizing(tx, id, {
            ...{ stateSha256: randomBytes(32), browserSha256: randomBytes(32), sealedCodeVerifier: null },
          }),
        ),
      EXCHANGING: (sql, id: AttemptId) =>
        inTransaction(sql, (tx) => connectAttempts.moveToExchanging(tx, id, 'sealed')),
      COMPLETED: endsAs({ status: 'COMPLETED', resultCode: null, connectionId: newId<ConnectionId>() }),
      DENIED: endsAs(end('DENIED')),
      FAILED: endsAs(end('FAILED')),
      EXPIRED: endsAs(end('EXPIRED')),
      CANCELED: endsAs(end('CANCELED')),
    },
  },
};

for (const [name, { table, idColumn, statuses, allowed, seed, moves }] of Object.entries(MACHINES)) {
  describe(name, () => {
    for (const [to, move] of Object.entries(moves)) {
      for (const from of statuses) {
        const isAllowed = allowed[to]?.includes(from) ?? false;
        test(`${isAllowed ? 'goes' : 'does not go'} from ${from} to ${to}`, async ({ sql }) => {
          const id = await seed(sql, await seedApp(sql));
          const set: Record<string, unknown> = { status: from };
          if (table.endsWith('_job')) set.finished_at = ['QUEUED', 'RUNNING'].includes(from) ? null : new Date();
          if (table === 'connect_attempt') {
            set.connection_id = from === 'COMPLETED' ? newId<ConnectionId>() : null;
            if (to === 'EXPIRED') set.expires_at = await businessNow(sql); // Only the database's clock expires an attempt.
          }
          await sql`update ${sql(table)} set ${sql(set)} where ${sql(idColumn)} = ${id}`;
          const read = async () => (await sql`select * from ${sql(table)} where ${sql(idColumn)} = ${id}`)[0];
          const before = await read();
          expect(Boolean(await move(sql, id as never))).toBe(isAllowed);
          if (isAllowed) expect((await read())?.status).toBe(to);
          else expect(await read()).toEqual(before);
        });
      }
    }
  });
}

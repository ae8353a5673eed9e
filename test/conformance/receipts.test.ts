import { describe, expect } from 'vitest';
import { JOB_ERROR_CODES } from '../../src/store/read-jobs.ts';
import { conformanceTest, DAY, iso, NOW } from '../kit/conformance.ts';
import { freezeClock, seedConnection } from '../kit/seed.ts';
import { seedReadJob, seedReceipt } from './rows.ts';

const test = conformanceTest();

describe('syncJob', () => {
  test('4 query rule 6: it reads all five kinds, by connection and scope', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const reads = [];
    for (const kind of ['SCAN', 'METRICS', 'LOOKUP'] as const) {
      reads.push(await seedReadJob(sql, connectionId, { kind, status: 'RUNNING' }));
    }
    const elsewhere = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const id of reads) {
      expect(await client.ask('syncJob', { connectionId, id })).toMatchObject({ id, status: 'RUNNING' });
      expect(await client.outcome('syncJob', { connectionId: elsewhere, id })).toBe('NOT_FOUND');
      expect(await client.for().outcome('syncJob', { connectionId, id })).toBe('NOT_FOUND');
    }
    const { revokeJobId, eraseJobId } = await client.ask('disconnectConnection', { connectionId });
    await sql`delete from connection where connection_id = ${connectionId}`;
    for (const id of [revokeJobId, eraseJobId]) {
      expect(await client.ask('syncJob', { connectionId, id })).toMatchObject({ id });
      expect(await client.for().outcome('syncJob', { connectionId, id })).toBe('NOT_FOUND');
      expect(await client.outcome('syncJob', { connectionId: elsewhere, id })).toBe('NOT_FOUND');
    }
    for (const id of reads) expect(await client.outcome('syncJob', { connectionId, id })).toBe('NOT_FOUND');
  });

  test('8 finished jobs: an ended one is read for 7 days to the millisecond, an open one as long as it is open', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const ended = await seedReadJob(sql, connectionId, { kind: 'METRICS', status: 'SUCCEEDED' });
    const open = await seedReadJob(sql, connectionId, { kind: 'METRICS', status: 'RUNNING' });
    const outcomes = async () => [
      await client.outcome('syncJob', { connectionId, id: ended }),
      await client.outcome('syncJob', { connectionId, id: open }),
    ];
    await freezeClock(sql, new Date(NOW + 7 * DAY - 1));
    expect(await outcomes()).toEqual(['answered', 'answered']);
    await freezeClock(sql, new Date(NOW + 7 * DAY));
    expect(await outcomes()).toEqual(['NOT_FOUND', 'answered']);
  });

  test('8 receipts: both are read for 7 days from their creation to the millisecond, connection or not', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    for (const erased of [false, true]) {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
      const { revokeJobId, eraseJobId } = await client.ask('disconnectConnection', { connectionId });
      await seedReceipt(sql, revokeJobId, { status: 'SUCCEEDED' });
      if (erased) await sql`delete from connection where connection_id = ${connectionId}`;
      const outcomes = async () => [
        await client.outcome('syncJob', { connectionId, id: revokeJobId }),
        await client.outcome('syncJob', { connectionId, id: eraseJobId }),
      ];
      await freezeClock(sql, new Date(NOW + 7 * DAY - 1));
      expect(await outcomes()).toEqual(['answered', 'answered']);
      await freezeClock(sql, new Date(NOW + 7 * DAY));
      expect(await outcomes()).toEqual(['NOT_FOUND', 'NOT_FOUND']);
      await freezeClock(sql, new Date(NOW));
    }
  });

  test('D job errorCode: a job that failed, or waits for its next try, says why', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const errorCode of JOB_ERROR_CODES) {
      const id = await seedReadJob(sql, connectionId, { kind: 'METRICS', status: 'FAILED', errorCode });
      expect(await client.ask('syncJob', { connectionId, id })).toMatchObject({ status: 'FAILED', errorCode });
    }
    const id = await seedReadJob(sql, connectionId, { kind: 'METRICS', status: 'RUNNING' });
    await sql`
      update read_job set last_failure = 'PROVIDER_UNAVAILABLE', next_retry_at = ${new Date(NOW)} where job_id = ${id}
    `;
    const waiting = { status: 'RUNNING', errorCode: 'PROVIDER_UNAVAILABLE', nextRetryAt: iso(NOW) };
    expect(await client.ask('syncJob', { connectionId, id })).toMatchObject(waiting);
  });
});

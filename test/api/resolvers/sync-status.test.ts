import { afterEach, expect } from 'vitest';
import type { ConnectionId, JobId } from '../../../src/basics/ids.ts';
import { ProviderError } from '../../../src/providers/provider.ts';
import { DAY_MS, MINUTE_MS } from '../../kit/clock.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { iso, openReader, type Reader } from '../../kit/reader.ts';
import { releaseClock } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const shown = async ({ ask }: Reader, id: ConnectionId) => {
  const { syncStatus, nextRetryAt, lastSuccessfulSyncAt } = await ask('connection', { id });
  return { syncStatus, nextRetryAt, lastSuccessfulSyncAt };
};

/** A connection with a first scan that waits just over a quarter of an hour after a failed attempt. */
async function openWaiting(sql: Database) {
  const reader = await openReader(sql, NOW);
  const connectionId = await reader.connect(['PROFILE', 'CONTENT_LIST']);
  const jobId = (await reader.scanInFlight(connectionId)) as JobId;
  reader.provider.listContent.mockRejectedValueOnce(
    new ProviderError('RetryLater', 'Away.', { retryAfterSeconds: 600 }),
  );
  expect(await reader.step(jobId)).toBe('waits');
  const nextRetryAt = iso(NOW + 10 * MINUTE_MS);
  expect(await shown(reader, connectionId)).toMatchObject({ nextRetryAt });
  expect(await reader.ask('syncJob', { connectionId, id: jobId })).toMatchObject({
    status: 'RUNNING',
    nextRetryAt,
    errorCode: 'PROVIDER_UNAVAILABLE',
  });
  return { reader, connectionId, jobId };
}

test('a connection without CONTENT_LIST is READY after a reconnect without it, which cancels the scan in flight', async ({
  sql,
}) => {
  const { reader, connectionId, jobId } = await openWaiting(sql);
  await reader.connect(['PROFILE'], connectionId);
  expect(await shown(reader, connectionId)).toMatchObject({ syncStatus: 'READY', nextRetryAt: null });
  expect(await reader.ask('syncJob', { connectionId, id: jobId })).toMatchObject({
    status: 'CANCELED',
    errorCode: 'CAPABILITY_UNAVAILABLE',
    nextRetryAt: null,
  });
  expect(await reader.step(jobId)).toBe('has ended');
  await reader.move(2 * DAY_MS);
  expect(await shown(reader, connectionId)).toMatchObject({ syncStatus: 'READY' });
  await reader.connect(['CONTENT_LIST'], connectionId);
  const next = (await reader.scanInFlight(connectionId)) as JobId;
  expect(next).not.toBe(jobId);
  // The next one is about to start.
  expect(await shown(reader, connectionId)).toMatchObject({ syncStatus: 'PENDING' });
  await reader.finish(next);
  expect(await shown(reader, connectionId)).toMatchObject({ syncStatus: 'READY' });
});

test('a caller who takes over a waiting scan of ours has it tried now, once', async ({ sql }) => {
  const { reader, connectionId, jobId } = await openWaiting(sql);
  const signals = () =>
    sql`select signal_name from outbox where workflow_id = ${`scan/${jobId}`} and signal_name is not null`;
  for (let times = 0; times < 2; times += 1) {
    expect((await reader.ask('requestRefresh', { connectionId })).id).toBe(jobId);
    expect(await signals()).toEqual([{ signalName: 'retryNow' }]);
  }
});

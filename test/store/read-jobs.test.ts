import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { insertLookup, insertMetricsJob, insertScan } from '../../src/store/jobs/new-reads.ts';
import { findLookupInFlight, findMetricsJobInFlight, findScanInFlight } from '../../src/store/jobs/read-jobs.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

test('a job in flight is found by its kind and its connection', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const newJob = async () => ({
    connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    appId: seeded.app.appId,
    provider: 'PROVIDER_B' as const,
    requestedBy: 'CALLER' as const,
    correlationId: newId<CorrelationId>(),
  });
  const [scanned, looked, both, none] = [await newJob(), await newJob(), await newJob(), await newJob()];
  const [providerContentId, url] = [randomUUID(), 'https://platform.example/v'];
  const urlSha256 = createHash('sha256').update(url).digest();
  const scan = (job: typeof both) => insertScan(sql, { ...job, window: null, maxItems: 100, continues: null });
  const metrics = (job: typeof both) => insertMetricsJob(sql, { ...job, providerContentId });
  const lookup = (job: typeof both) => insertLookup(sql, { ...job, url, urlSha256 });
  const found = async ({ connectionId }: typeof both) =>
    (
      await Promise.all([
        findScanInFlight(sql, connectionId),
        findMetricsJobInFlight(sql, connectionId, providerContentId),
        findLookupInFlight(sql, connectionId, urlSha256),
      ])
    ).map((job) => job?.jobId);
  const first = await scan(scanned);
  const second = await lookup(looked);
  const third = await metrics(looked);
  const [fourth, fifth, sixth] = [await lookup(both), await metrics(both), await scan(both)];
  expect(await found(scanned)).toEqual([first.jobId, undefined, undefined]);
  expect(await found(looked)).toEqual([undefined, third.jobId, second.jobId]);
  expect(await found(both)).toEqual([sixth.jobId, fifth.jobId, fourth.jobId]);
  expect(await found(none)).toEqual([undefined, undefined, undefined]);
});

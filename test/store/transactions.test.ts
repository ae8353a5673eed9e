import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describe, expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { disconnect } from '../../src/domain/disconnecting/disconnect.ts';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { cancelUnservedJobs } from '../../src/domain/reading/end-read-job.ts';
import { afterCommit, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { openStage } from '../kit/activity-stage.ts';
import { test } from '../kit/postgres.ts';

/** Ends the transaction as Postgres ends one of two that wait for each other. */
const failAsDeadlock = (tx: Transaction) =>
  tx`do $$ begin raise exception 'A test wants it so.' using errcode = '40P01'; end $$`;

describe('inTransaction', () => {
  test('runs effects once, after the commit, although a deadlock made it run twice', async ({ sql }) => {
    const seen: string[] = [];
    let runs = 0;
    await inTransaction(sql, async (tx) => {
      runs += 1;
      afterCommit(tx, () => void seen.push(`effect of run ${runs}`));
      if (runs === 1) await failAsDeadlock(tx);
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['effect of run 2']);
  });

  test('runs no effect of a transaction that is rolled back', async ({ sql }) => {
    const seen: string[] = [];
    const failed = inTransaction(sql, async (tx) => {
      afterCommit(tx, () => void seen.push('effect'));
      throw new Error('A test wants it so.');
    });
    await expect(failed).rejects.toThrow('A test wants it so.');
    expect(seen).toEqual([]);
  });
});

/** Starts to count ended jobs. @returns reads and ends the count. */
function countEndedJobs() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  metrics.setGlobalMeterProvider(provider);
  return async () => {
    await provider.forceFlush();
    metrics.disable();
    await provider.shutdown();
    const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const ended = found.find(({ descriptor }) => descriptor.name === 'accounts_jobs_ended_total');
    return ended?.dataPoints.map(({ attributes, value }) => ({ ...attributes, value }));
  };
}

test('an ended job counts once, although the transaction that ends it runs twice', async ({ sql }) => {
  const readCount = countEndedJobs();
  const stage = await openStage(sql);
  const { eraseJobId } = await stage.disconnect(await stage.newConnection());
  await sql`update disconnect_job set status = 'RUNNING' where job_id = ${eraseJobId}`;
  let runs = 0;
  await inTransaction(stage.sql, async (tx) => {
    runs += 1;
    expect(await endDisconnectJob(tx, eraseJobId, { status: 'SUCCEEDED', creatorAction: null })).toBeDefined();
    if (runs === 1) await failAsDeadlock(tx);
  });
  expect(runs).toBe(2);
  expect(await readCount()).toEqual([{ kind: 'ERASE', status: 'SUCCEEDED', value: 1 }]);
});

test('a job that is canceled counts, by a disconnect and by a lost capability', async ({ sql }) => {
  const readCount = countEndedJobs();
  const stage = await openStage(sql);
  const scans = [];
  for (const end of ['disconnect', 'lost capability']) {
    const scope = stage.seeded.newScope();
    const { connectionId, scopeId } = await stage.newConnection({ scope });
    scans.push(await stage.newScan(connectionId));
    const connection = { connectionId, scopeId, appId: stage.seeded.app.appId, provider: 'PROVIDER_B' } as const;
    await inTransaction(sql, async (tx) => {
      if (end === 'disconnect') await disconnect(stage.deps, tx, connection, scope, newId<CorrelationId>());
      else await cancelUnservedJobs(tx, connectionId, ['PROFILE']);
    });
  }
  for (const { jobId } of scans) expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'CANCELED' });
  expect(await readCount()).toEqual([{ kind: 'SCAN', status: 'CANCELED', value: 2 }]);
});

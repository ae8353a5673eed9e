import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { describe, expect } from 'vitest';
import { endDisconnectJob } from '../../src/domain/disconnecting/end-disconnect-job.ts';
import { afterCommit, inTransaction, type Transaction } from '../../src/store/sql.ts';
import { openStage } from '../activities/stage.ts';
import { test } from '../kit/postgres.ts';

/** Ends the transaction as Postgres ends one of two that wait for each other. */
const failAsDeadlock = (tx: Transaction) =>
  tx`do $$ begin raise exception 'A test wants it so.' using errcode = '40P01'; end $$`;

describe('inTransaction', () => {
  test('runs effects once, after the commit, although a deadlock made it run twice', async ({ database: { sql } }) => {
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

  test('runs no effect of a transaction that is rolled back', async ({ database: { sql } }) => {
    const seen: string[] = [];
    const failed = inTransaction(sql, async (tx) => {
      afterCommit(tx, () => void seen.push('effect'));
      throw new Error('A test wants it so.');
    });
    await expect(failed).rejects.toThrow('A test wants it so.');
    expect(seen).toEqual([]);
  });
});

test('an ended job counts once, although the transaction that ends it runs twice', async ({ database: { sql } }) => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  metrics.setGlobalMeterProvider(provider);
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
  await provider.forceFlush();
  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const ended = found.find(({ descriptor }) => descriptor.name === 'accounts_jobs_ended_total');
  expect(ended?.dataPoints.map(({ attributes, value }) => ({ ...attributes, value }))).toEqual([
    { kind: 'ERASE', status: 'SUCCEEDED', value: 1 },
  ]);
  metrics.disable();
  await provider.shutdown();
});

import { expect } from 'vitest';
import { finishScan } from '../../src/domain/reading/end-read-job.ts';
import { lockConnectionById } from '../../src/store/connections/connections.ts';
import { openStage } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { test } from '../kit/postgres.ts';

test('the end of a scan waits for the connection before it holds the job, as a disconnect does', async ({ sql }) => {
  const stage = await openStage(sql);
  const { connectionId } = await stage.newConnection();
  const scan = await stage.newScan(connectionId);
  await sql`update read_job set status = 'RUNNING' where job_id = ${scan.jobId}`;
  await sql`update connection set sync_status = 'RUNNING' where connection_id = ${connectionId}`;
  let free: readonly unknown[] = [];
  await beside(
    sql,
    (tx) => lockConnectionById(tx, connectionId),
    () => finishScan(sql, scan, 'MAX_ITEMS'),
    async (tx) => {
      free = await tx`select from read_job where job_id = ${scan.jobId} for update skip locked`;
    },
  );
  expect(free).toHaveLength(1);
  expect(await stage.job('read_job', scan.jobId)).toMatchObject({ status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS' });
});

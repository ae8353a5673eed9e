import { expect } from 'vitest';
import { openStage } from '../kit/activity-stage.ts';
import { DAY_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

test('an erase is retried after every failure, without a deadline', async ({ sql }) => {
  const stage = await openStage(sql);
  const { revokeJobId, eraseJobId } = await stage.disconnect(await stage.newConnection());
  const fail = (type: string, jobId = eraseJobId) =>
    runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry: { type, retryAfterSeconds: null } });
  const types = ['Unexpected', 'RetryLater', 'SchemaMismatch', 'DataRefused'];
  for (const [index, type] of types.entries())
    expect(await fail(type), type).toMatchObject({ ended: false, tries: index + 1 });
  await moveClock(sql, 4 * DAY_MS);
  expect(await fail('Unexpected')).toMatchObject({ ended: false });
  expect(await stage.job('disconnect_job', eraseJobId)).toMatchObject({
    ...{ status: 'QUEUED', tries: 5, creatorAction: null, errorCode: null, giveUpAt: null },
  });
  expect(await fail('Unexpected', revokeJobId)).toMatchObject({ ended: true }); // A revoke has one, of 72 hours.
});

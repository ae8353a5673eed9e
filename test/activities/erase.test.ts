import { expect, vi } from 'vitest';
import { openStage, stageTest as test } from '../kit/activity-stage.ts';
import { DAY_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { seedContent } from '../kit/seed.ts';

test('a purge waits for the journal without delaying the revoke; the erase then deletes the rest', async ({ sql }) => {
  const stage = await openStage(sql);
  const connection = await stage.newConnection();
  const { connectionId } = connection;
  await seedContent(sql, connectionId, { publishedAt: new Date() });
  const { revokeJobId, eraseJobId } = await stage.disconnect(connection);
  const countRows = async () => {
    const [row] = await sql`
      select (select count(*)::int from content_item where connection_id = ${connectionId}) as posts,
        (select count(*)::int from connection where connection_id = ${connectionId}) as connections
    `;
    return row;
  };
  const purge = (attempt: number) =>
    runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId }, attempt);
  const erase = () => runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
  const ship = vi.spyOn(stage.deps.journal, 'ship').mockRejectedValue(new Error('no space'));
  await expect(purge(6)).rejects.toThrow();
  await purge(7);
  expect(await countRows()).toEqual({ posts: 1, connections: 1 });
  await expect(erase()).rejects.toThrow();
  // The revoke has settled: it holds no sibling now.
  expect(await stage.connectionStatus(connectionId)).toBe('DELETING');
  ship.mockRestore();
  await erase();
  expect(await countRows()).toEqual({ posts: 0, connections: 0 });
});

test('an erase is retried after every failure, without a deadline', async ({ sql, stage }) => {
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

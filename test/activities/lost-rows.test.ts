import { expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { failureOf, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';

type Activities = Stage['activities'];
/** The work of a row with a new id, beside a connection that exists. */
const WORK: Readonly<
  Record<string, (activities: Activities, id: never, connectionId: ConnectionId) => Promise<unknown>>
> = {
  'a scan': ({ runScanStep }, jobId, connectionId) => runActivity(runScanStep, { jobId, connectionId }),
  'a metrics refresh': ({ runMetricsStep }, jobId, connectionId) =>
    runActivity(runMetricsStep, { jobId, connectionId }),
  'a lookup': ({ runLookupStep }, jobId, connectionId) => runActivity(runLookupStep, { jobId, connectionId }),
  'a lookup of a lost connection': ({ runLookupStep }, jobId) =>
    runActivity(runLookupStep, { jobId, connectionId: newId<ConnectionId>() }),
  'a revoke': ({ tryRevoke }, jobId) => runActivity(tryRevoke, { jobId }),
  'the erase of a connection': ({ eraseConnection }, eraseJobId, connectionId) =>
    runActivity(eraseConnection, { connectionId, eraseJobId }),
  'the completion of an attempt': ({ completeAttempt }, attemptId) => runActivity(completeAttempt, { attemptId }),
  'the end of an attempt': ({ endAttempt }, attemptId) =>
    runActivity(endAttempt, { attemptId, end: { status: 'EXPIRED', resultCode: 'EXPIRED' } }),
  'the end of a sign-in': ({ endIdentityAttempt }, attemptId) =>
    runActivity(endIdentityAttempt, { attemptId, status: 'EXPIRED' }),
  'a bulk disconnect': ({ disconnectBatch }, bulkDisconnectId) => runActivity(disconnectBatch, { bulkDisconnectId }),
};

test.for(Object.keys(WORK))(
  '%s whose row a fail-over has lost fails, touches nothing, and is in the log',
  async (name, { stage }) => {
    const { connectionId } = await stage.newConnection();
    const id = newId();
    const work = WORK[name]?.(stage.activities, id as never, connectionId) ?? expect.fail('There is no such work.');
    expect(await failureOf(work)).toMatchObject({ type: 'RowLost' });
    const lines = stage.deps.lines.map((line) => JSON.parse(line));
    expect(lines.filter((line) => line.level === 'error' && JSON.stringify(line).includes(id))).toHaveLength(1);
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
  },
);

test('a read that a disconnect has erased is over, and not lost', async ({ sql, stage }) => {
  const connection = await stage.newConnection();
  const { connectionId } = connection;
  const { jobId } = await stage.newScan(connectionId);
  const { revokeJobId, eraseJobId } = await stage.disconnect(connection);
  expect(await runActivity(stage.activities.runScanStep, { jobId, connectionId })).toMatchObject({ done: true });
  await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
  await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
  expect(await sql`select from read_job where job_id = ${jobId}`).toHaveLength(0);
  expect(await runActivity(stage.activities.runScanStep, { jobId, connectionId })).toMatchObject({ done: true });
});

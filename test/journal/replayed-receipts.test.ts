import type { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { replay } from '../../src/cli/replay.ts';
import type { DisconnectInput } from '../../src/workflows/contract.ts';
import { openStage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { journalLine, journalTest as test } from '../kit/journal.ts';
import { asMaintenance } from '../kit/postgres.ts';

test('a replay repeats disconnects under the receipts that their callers have, with their results', async ({
  sql,
  journal,
}) => {
  const stage = await openStage(sql);
  const [settled, open, unknown] = [
    await stage.newConnection(),
    await stage.newConnection({ provider: 'PROVIDER_A' }),
    await stage.newConnection(),
  ];
  const known = new Map<ConnectionId, DisconnectInput>();
  for (const { connectionId, provider } of [settled, open]) {
    const ids = { revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() };
    known.set(connectionId, { connectionId, provider, ...ids, revoked: connectionId === settled.connectionId });
  }
  const lost = [settled, open, unknown];
  actsOnOthers(sql, 'account_grant'); // After it, all tokens are doubtful.
  await journal.append(
    lost.map(({ connectionId }, index) => ({ ...journalLine(index + 1), kind: 'CONNECTION', id: connectionId })),
  );
  const temporal = { workflow: { list: async function* () {} } } as unknown as Client;
  const recall = { findDisconnect: async (id: ConnectionId) => known.get(id) };
  const restored = { ...stage.deps, sql: asMaintenance(sql), journal, temporal, recall, taskQueue: 'accounts' };
  expect(await replay(restored, { dryRun: false })).toMatchObject({ lines: 3, repeated: 3 });

  const listReceipts = ({ connectionId }: { connectionId: ConnectionId }) => sql`
    select job_id, kind, status, creator_action from disconnect_job where connection_id = ${connectionId} order by kind desc
  `;
  for (const connection of [settled, open]) {
    const { revokeJobId, eraseJobId, revoked } = known.get(connection.connectionId) as DisconnectInput;
    expect(await listReceipts(connection)).toEqual([
      { jobId: revokeJobId, kind: 'REVOKE', status: revoked ? 'SUCCEEDED' : 'QUEUED', creatorAction: null },
      { jobId: eraseJobId, kind: 'ERASE', status: 'QUEUED', creatorAction: null },
    ]);
    const [started] = await sql`
      select input, restart from outbox where workflow_id = ${`disconnect/${connection.connectionId}`}
    `;
    expect(started).toMatchObject({ input: { revokeJobId, eraseJobId }, restart: true });
  }
  expect(await listReceipts(unknown)).toMatchObject([{ kind: 'REVOKE', status: 'QUEUED' }, { kind: 'ERASE' }]);
});

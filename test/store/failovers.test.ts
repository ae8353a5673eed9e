import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { startDisconnect } from '../../src/store/connections/disconnects.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { listConnectionsWithoutReceipts } from '../../src/store/failovers.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

test('a connection without the receipt of its erase has lost its disconnect, if it was asked about', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const connect = async () => {
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    return { connectionId, scopeId: await seedScope(sql, seeded, scope) };
  };
  const [disconnected, lost, revoked] = [await connect(), await connect(), await connect()];
  await connect(); // No one asks about this one.
  await inTransaction(sql, (tx) =>
    startDisconnect(
      tx,
      { scopeId: disconnected.scopeId, scopeMac: randomBytes(32) },
      disconnected.connectionId,
      { reason: 'APP', correlationId: newId<CorrelationId>() },
      { spares: false, listAccountMacs: () => [] },
    ),
  );
  await seedDisconnectJob(sql, seeded, { kind: 'REVOKE', ...revoked }); // Of an earlier grant.
  const asked = [disconnected, lost, revoked].map(({ connectionId }) => connectionId);
  const found = await listConnectionsWithoutReceipts(asWorker(sql), [...asked, newId<ConnectionId>()]);
  expect(found.sort()).toEqual([lost.connectionId, revoked.connectionId].sort());
});

import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { disconnectAsRequested } from '../../src/domain/disconnecting/handle-notification.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { ConnectionToDelete } from '../../src/store/erasures/platform-callbacks.ts';
import { openStage } from '../kit/activity-stage.ts';
import { overlap } from '../kit/overlap.ts';
import { test } from '../kit/postgres.ts';

/** A connection that a platform wants deleted. */
async function openRequested(sql: Database) {
  const stage = await openStage(sql);
  const scope = stage.seeded.newScope();
  const connection = await stage.newConnection({ scope });
  const { connectionId } = connection;
  await sql`update connection set provider_account_id = 'account-1' where connection_id = ${connectionId}`;
  const [code, correlationId] = [newId().replaceAll('-', ''), newId<CorrelationId>()];
  await sql`insert into deletion_request (code) values (${code})`;
  await sql`
    insert into deletion_request_connection (code, connection_id, correlation_id)
    values (${code}, ${connectionId}, ${correlationId})
  `;
  const { app, registrations } = stage.seeded;
  const registrationId = registrations.PROVIDER_B;
  const asked = { ...connection, ...scope, appId: app.appId, registrationId, correlationId };
  return {
    stage,
    connection,
    disconnect: () => disconnectAsRequested(stage.deps, sql, asked as unknown as ConnectionToDelete),
  };
}

test('a requested disconnect begins once', async ({ sql }) => {
  const { stage, connection, disconnect } = await openRequested(sql);
  expect(await disconnect()).toBe(true);
  expect(await stage.connectionStatus(connection.connectionId)).toBe('DISCONNECTED');
  expect(await disconnect()).toBe(false);
});

test('a requested disconnect waits for a reconnect, and leaves what the person has connected again', async ({
  sql,
}) => {
  const { stage, connection, disconnect } = await openRequested(sql);
  const { attemptId } = await stage.newExchangedAttempt({ scopeId: connection.scopeId });
  const hasBegun = await overlap(sql, (tx) => completeAttempt(stage.deps, tx, attemptId), disconnect);
  expect(hasBegun).toBe(false);
  expect(await stage.connectionStatus(connection.connectionId)).toBe('CONNECTED');
});

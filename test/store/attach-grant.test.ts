import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { attachGrant, lockConnectionByAccount } from '../../src/store/connections/attach-grant.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { type SeedConnection, seedConnection, seedScope } from '../kit/seed.ts';

async function attach(
  stage: Stage,
  attempt: Attempt,
  to: { connectionId: ConnectionId; isNew: boolean; capabilities: ('PROFILE' | 'CONTENT_LIST')[] },
) {
  const grant = (await findGrantOfAttempt(stage.sql, attempt.attemptId)) ?? expect.fail('There is no grant.');
  return await inTransaction(asWorker(stage.sql), (tx) => attachGrant(tx, { attempt, grant, ...to }));
}

describe('a reconnected one', () => {
  test('keeps no link to its dead grants, and other connections keep theirs', async ({ sql }) => {
    const stage = await openStage(sql);
    const [own, other] = [await stage.newConnection(), await stage.newConnection()];
    for (const { grantId } of [own, other])
      await sql`update account_grant set status = 'DEAD', sealed_tokens = null where grant_id = ${grantId}`;
    const attempt = await stage.newExchangedAttempt({ scopeId: own.scopeId });
    await attach(stage, attempt, { connectionId: own.connectionId, isNew: false, capabilities: ['PROFILE'] });
    expect(await stage.grant(own.grantId)).toMatchObject({ status: 'DEAD', connectionId: null });
    expect(await stage.grant(other.grantId)).toMatchObject({ status: 'DEAD', connectionId: other.connectionId });
  });
});

test('the connection of an account is the live one of its person and platform', async ({ sql }) => {
  const stage = await openStage(sql);
  const [scope, providerAccountId] = [stage.seeded.newScope(), randomUUID()];
  const connect = (options: Partial<SeedConnection>) =>
    seedConnection(sql, stage.seeded, { scope, providerAccountId, ...options });
  const attempt = await stage.newExchangedAttempt({ scopeId: await seedScope(sql, stage.seeded, scope) });
  const found = (await findGrantOfAttempt(sql, attempt.attemptId)) ?? expect.fail('There is no grant.');
  const grant = { ...found, providerAccountId };
  const find = () => inTransaction(asWorker(sql), (tx) => lockConnectionByAccount(tx, attempt, grant));
  for (const status of ['DISCONNECTED', 'DELETING'] as const) await connect({ status });
  await connect({ provider: 'PROVIDER_A' });
  await connect({ providerAccountId: randomUUID() });
  await connect({ scope: stage.seeded.newScope() });
  expect(await find()).toBeUndefined();
  const connectionId = await connect({});
  for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED']) {
    await sql`update connection set status = ${status} where connection_id = ${connectionId}`;
    expect(await find(), status).toBe(connectionId);
  }
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { attachGrant, lockConnectionByAccount } from '../../src/store/connections/attach-grant.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { businessNow, HOUR_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, available, type SeedConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';

const read = async (sql: Database, connectionId: ConnectionId) => {
  const [row] = await sql`select * from connection where connection_id = ${connectionId}`;
  return row;
};
const grantRow = async (sql: Database, attempt: Attempt) => {
  const [row] = await sql`
    select status, connection_id, provider_account_id, profile, profile_observed_at from account_grant
    where attempt_id = ${attempt.attemptId}
  `;
  return row;
};

async function attach(
  stage: Stage,
  attempt: Attempt,
  to: { connectionId: ConnectionId; isNew: boolean; capabilities: ('PROFILE' | 'CONTENT_LIST')[] },
) {
  const grant = (await findGrantOfAttempt(stage.sql, attempt.attemptId)) ?? expect.fail('There is no grant.');
  return await inTransaction(asWorker(stage.sql), (tx) => attachGrant(tx, { attempt, grant, ...to }));
}

describe('a new connection', () => {
  test('takes the account of its grant, which keeps none of it', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    const connectionId = newId<ConnectionId>();
    const capabilities: ('PROFILE' | 'CONTENT_LIST')[] = ['PROFILE', 'CONTENT_LIST'];
    expect(await grantRow(sql, attempt)).toMatchObject({ profileObservedAt: expect.any(Date) });
    expect(await attach(stage, attempt, { connectionId, isNew: true, capabilities })).toEqual([]);
    expect(await read(sql, connectionId)).toMatchObject({
      scopeId: attempt.scopeId,
      appId: attempt.appId,
      provider: 'PROVIDER_B',
      registrationId: attempt.registrationId,
      providerAccountId: 'account-1',
      status: 'CONNECTED',
      capabilities: available(...capabilities),
      profile: { handle: 'harbour' },
      profileObservedAt: expect.any(Date),
    });
    expect(await grantRow(sql, attempt)).toEqual({
      status: 'LIVE',
      connectionId,
      providerAccountId: null,
      profile: null,
      profileObservedAt: null,
    });
  });

  test('has no profile without the capability', async ({ sql }) => {
    const stage = await openStage(sql);
    const connectionId = newId<ConnectionId>();
    const attempt = await stage.newExchangedAttempt();
    await attach(stage, attempt, { connectionId, isNew: true, capabilities: ['CONTENT_LIST'] });
    expect(await read(sql, connectionId)).toMatchObject({ profile: null, capabilities: available('CONTENT_LIST') });
  });
});

describe('a reconnected one', () => {
  test('is used with the registration of the attempt from now on, and gives up its grant', async ({ sql }) => {
    const stage = await openStage(sql);
    const other = await seedApp(sql);
    const earlier = await stage.newConnection({ status: 'RECONNECT_REQUIRED' });
    await sql`update connection set profile = null where connection_id = ${earlier.connectionId}`;
    const attempt = {
      ...(await stage.newExchangedAttempt({ scopeId: earlier.scopeId })),
      registrationId: other.registrations.PROVIDER_B,
    };
    const now = await businessNow(sql);
    const to = { connectionId: earlier.connectionId, isNew: false, capabilities: ['PROFILE' as const] };
    const superseded = await at(sql, now, HOUR_MS, () => attach(stage, attempt, to));
    const later = new Date(now.getTime() + HOUR_MS);
    expect(superseded).toMatchObject([{ grantId: earlier.grantId, status: 'PENDING', connectionId: null }]);
    expect(await read(sql, earlier.connectionId)).toMatchObject({
      status: 'CONNECTED',
      registrationId: attempt.registrationId,
      capabilities: available('PROFILE'),
      profile: { handle: 'harbour' },
      profileObservedAt: later,
      changedAt: later,
    });
    expect(await grantRow(sql, attempt)).toMatchObject({ status: 'LIVE', connectionId: earlier.connectionId });
  });

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

  test('stays disconnected if it has been disconnected meanwhile', async ({ sql }) => {
    const stage = await openStage(sql);
    const earlier = await stage.newConnection();
    const attempt = await stage.newExchangedAttempt({ scopeId: earlier.scopeId });
    await stage.disconnect(earlier);
    const shown = await read(sql, earlier.connectionId);
    await attach(stage, attempt, { connectionId: earlier.connectionId, isNew: false, capabilities: ['PROFILE'] });
    expect(await read(sql, earlier.connectionId)).toEqual(shown);
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

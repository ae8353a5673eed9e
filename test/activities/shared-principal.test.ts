import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { type CorrelationId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { disconnect } from '../../src/domain/disconnecting/disconnect.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createMac } from '../../src/vault/mac.ts';
import { failureOf, openStage } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { createParts, performCommand } from '../kit/commands.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { asApi, type Database, inTransaction, type Transaction, test } from '../kit/postgres.ts';
import { findGrantOfAttempt } from '../kit/seed.ts';

test('an attempt with another client of the same Cloud project that fails leaves the connection of the first one', async ({
  sql,
}) => {
  const stage = await openStage(sql);
  const project = `${Math.floor(Math.random() * 1e12)}`;
  const [first, second] = [stage.seeded.registrations.PROVIDER_A, newId<RegistrationId>()];
  const sealed = await stage.deps.sealInbox('another secret', associatedData.clientSecret(second));
  await sql`update registration set client_id = ${`${project}-first.apps.example`} where registration_id = ${first}`;
  await sql`
    insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
    values (${second}, 'PROVIDER_A', 'Another', ${`${project}-second.apps.example`}, ${sealed})
  `;
  await sql`insert into registration_app (registration_id, app_id) values (${second}, ${stage.seeded.app.appId})`;
  const principal = randomUUID();
  const permissions = ['https://www.googleapis.com/auth/youtube.readonly'];
  stage.providers.PROVIDER_A.exchangeCode.mockImplementation(async () => ({
    tokens: newTokens({ permissions }),
    principal,
  }));
  const used = await stage.newExchangedAttempt({ provider: 'PROVIDER_A' });
  await runActivity(stage.activities.completeAttempt, { attemptId: used.attemptId });

  const { attemptId } = await stage.newAttempt({ provider: 'PROVIDER_A' });
  await sql`update connect_attempt set registration_id = ${second} where attempt_id = ${attemptId}`;
  await runActivity(stage.activities.exchangeCode, { attemptId });
  const end = { status: 'FAILED', resultCode: 'MISSING_PERMISSION' } as const;
  await runActivity(stage.activities.endAttempt, { attemptId, end });
  expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
  expect(await findGrantOfAttempt(sql, used.attemptId)).toMatchObject({ registrationId: first, status: 'LIVE' });
  expect(await sql`select from disconnect_job where attempt_id = ${attemptId}`).toHaveLength(0);
});

describe('a disconnect and a completion of one principal in two scopes', () => {
  /** A connection to disconnect and an attempt to complete, both of one principal. */
  async function start(sql: Database) {
    const stage = await openStage(sql, { suspendSiblings: true });
    const principal = randomUUID();
    const scope = stage.seeded.newScope();
    const { app, registrations } = stage.seeded;
    const made = await stage.newConnection({ principal, scope });
    const connection = { ...made, appId: app.appId, registrationId: registrations.PROVIDER_B };
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal });
    const { attemptId, scopeId } = await stage.newExchangedAttempt();
    return {
      complete: (tx: Transaction) => completeAttempt(stage.deps, tx, attemptId),
      disconnect: (tx: Transaction) =>
        disconnect(stage.deps, tx, connection, scope, { reason: 'APP', correlationId: newId<CorrelationId>() }),
      listStatuses: async () => {
        const rows = await sql`
          select status from connection where connection_id = ${connection.connectionId} or scope_id = ${scopeId}
          order by status
        `;
        return rows.map(({ status }) => status);
      },
    };
  }

  test('the completion is refused if the disconnect came first', async ({ sql }) => {
    const { complete, disconnect, listStatuses } = await start(sql);
    expect((await beside(sql, disconnect, () => inTransaction(sql, complete))).result).toEqual({
      status: 'FAILED',
      resultCode: 'ACCOUNT_DISCONNECTING',
    });
    expect(await listStatuses()).toEqual(['DISCONNECTED']);
  });

  test('the disconnect suspends the new connection if the completion came first', async ({ sql }) => {
    const { complete, disconnect, listStatuses } = await start(sql);
    await beside(sql, complete, () => inTransaction(sql, disconnect));
    expect(await listStatuses()).toEqual(['DISCONNECTED', 'SUSPENDED']);
  });
});

test('the history of a connection names the revoke of another that ended its grant, and no older', async ({ sql }) => {
  const stage = await openStage(sql);
  const { app, registrations } = stage.seeded;
  const [principal, scope] = [randomUUID(), stage.seeded.newScope()];
  const tokens = newTokens({ accessExpiresAt: new Date() });
  const made = await stage.newConnection({ principal, scope });
  const left = { ...made, appId: app.appId, registrationId: registrations.PROVIDER_B };
  const ended = await stage.newConnection({ principal, tokens });
  const [survivor, stranger] = [
    await stage.newConnection({ principal, tokens }),
    await stage.newConnection({ tokens }),
  ];
  const cause = { reason: 'APP', correlationId: newId<CorrelationId>() } as const;
  const started = await inTransaction(sql, (tx) => disconnect(stage.deps, tx, left, scope, cause));
  const jobId = started?.revokeJobId ?? expect.fail();
  await runActivity(stage.activities.tryRevoke, { jobId });
  const unknown = await stage.newConnection({ tokens });
  await sql`update account_grant set principal_mac = null where connection_id = ${unknown.connectionId}`;
  const affected = await runActivity(stage.activities.listSiblings, { jobId });
  expect(new Set(affected)).toEqual(new Set([ended, survivor, unknown].map(({ connectionId }) => connectionId)));
  await moveClock(sql, MINUTE_MS);
  onTestFinished(() => moveClock(sql, -MINUTE_MS));
  await sql`update connection set proven_at = business_now() where connection_id = ${survivor.connectionId}`;
  stage.provider.refresh.mockRejectedValue(new ProviderError('GrantDead', 'No.'));
  const parts = await createParts(asApi(sql), await makeKeys(), 'http://localhost:4000');
  for (const { connectionId, grantId } of [ended, survivor, stranger]) {
    await stage.refuseBefore(grantId);
    const failure = await failureOf(runActivity(stage.activities.checkGrant, { connectionId }));
    expect(failure).toMatchObject({ type: 'GrantDead' });
    const { printed } = await performCommand(parts, 'connections show', { connection: connectionId });
    const byAnother = expect.stringContaining(`another connection of the same account: job ${jobId}`);
    const why = connectionId === ended.connectionId ? byAnother : 'The provider refused a refresh.';
    const rows = printed.filter(({ status }: { status: string }) => status === 'RECONNECT_REQUIRED');
    expect(rows).toMatchObject([{ why }]);
  }
});

test('a reconnect after a rotation of the hashing key discards the old grant and revokes nothing', async ({ sql }) => {
  const stage = await openStage(sql);
  stage.provider.exchangeCode.mockResolvedValue({ tokens: newTokens(), principal: randomUUID() });
  const first = await stage.newExchangedAttempt();
  await runActivity(stage.activities.completeAttempt, { attemptId: first.attemptId });

  const fresh = JSON.parse((await makeKeys()).VAULT_MAC_KEYS).keys.map((key: object) => ({ ...key, kid: 'fresh' }));
  Object.assign(stage.deps, { mac: createMac({ keys: [...fresh, ...stage.deps.config.VAULT_MAC_KEYS.keys] }) });
  const second = await stage.newExchangedAttempt({ scopeId: first.scopeId });
  await runActivity(stage.activities.completeAttempt, { attemptId: second.attemptId });

  const grants = await Promise.all([first, second].map(({ attemptId }) => findGrantOfAttempt(sql, attemptId)));
  expect(grants.map((grant) => grant?.status)).toEqual(['DEAD', 'LIVE']);
  const jobs = await sql`select from disconnect_job where attempt_id = any(${[first.attemptId, second.attemptId]})`;
  expect(jobs).toHaveLength(0);
});

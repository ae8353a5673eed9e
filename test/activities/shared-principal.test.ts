import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { type CorrelationId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { disconnect } from '../../src/domain/disconnecting/disconnect.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createMac } from '../../src/vault/mac.ts';
import { openStage } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { runActivity } from '../kit/deps.ts';
import { until } from '../kit/fake-activities.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { type Database, inTransaction, type Transaction, test } from '../kit/postgres.ts';
import { findGrantOfAttempt } from '../kit/seed.ts';
import type { Attempt } from '../kit/seed-attempts.ts';

const GATE = 4711;

/** Sessions that change a grant wait at a gate; `pass` opens it after this number of sessions wait for a lock. */
async function withGate(sql: Database, waiting: number, work: () => Promise<unknown>): Promise<void> {
  await sql.unsafe(`
    create or replace function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${GATE});
      return new;
    end
    $$;
    create trigger gate before update on account_grant for each row execute function wait_at_gate();
  `);
  const keeper = await sql.reserve();
  try {
    await keeper`select pg_advisory_lock(${GATE})`;
    const working = work();
    working.catch(() => undefined);
    await until(async () => {
      const [row] = await sql`
        select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
      `;
      return row?.count === waiting;
    });
    await keeper`select pg_advisory_unlock(${GATE})`;
    await working;
  } finally {
    await keeper`select pg_advisory_unlock_all()`;
    keeper.release();
    await sql.unsafe('drop trigger gate on account_grant; drop function wait_at_gate');
  }
}

test('two attempts of one principal that fail at the same time in two scopes leave one revoke', async ({ sql }) => {
  const stage = await openStage(sql);
  const principal = randomUUID();
  const attempts: Attempt[] = [];
  for (let number = 0; number < 2; number += 1) {
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal });
    attempts.push(await stage.newExchangedAttempt());
  }
  const end = { status: 'FAILED', resultCode: 'MISSING_PERMISSION' } as const;
  await withGate(sql, 2, () =>
    Promise.all(attempts.map(({ attemptId }) => runActivity(stage.activities.endAttempt, { attemptId, end }))),
  );
  const grants = await Promise.all(attempts.map(({ attemptId }) => findGrantOfAttempt(sql, attemptId)));
  expect(grants.map((grant) => grant?.status).toSorted()).toEqual(['DEAD', 'REVOKING']);
  const jobs = await sql`
    select kind from disconnect_job where attempt_id = any(${attempts.map(({ attemptId }) => attemptId)})
  `;
  expect(jobs).toEqual([{ kind: 'COMPENSATION' }]);
});

test('an attempt with another client of the same Cloud project that fails leaves the connection of the first one', async ({
  sql,
}) => {
  const stage = await openStage(sql);
  const project = `${Math.floor(Math.random() * 1e12)}`;
  const first = stage.seeded.registrations.PROVIDER_A;
  const second = newId<RegistrationId>();
  const sealed = await stage.deps.sealInbox('another secret', associatedData.clientSecret(second));
  await sql`update registration set client_id = ${`${project}-first.apps.example`} where registration_id = ${first}`;
  await sql`
    insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
    values (${second}, 'PROVIDER_A', 'Another', ${`${project}-second.apps.example`}, ${sealed})
  `;
  await sql`insert into registration_app (registration_id, app_id) values (${second}, ${stage.seeded.app.appId})`;
  const principal = randomUUID();
  stage.providers.PROVIDER_A.exchangeCode.mockImplementation(async () => ({
    tokens: newTokens({ permissions: ['https://www.googleapis.com/auth/youtube.readonly'] }),
    principal,
  }));
  const used = await stage.newExchangedAttempt({ provider: 'PROVIDER_A' });
  const completed = await runActivity(stage.activities.completeAttempt, { attemptId: used.attemptId });
  expect(completed).toMatchObject({ status: 'COMPLETED' });

  const { attemptId } = await stage.newAttempt({ provider: 'PROVIDER_A' });
  await sql`update connect_attempt set registration_id = ${second} where attempt_id = ${attemptId}`;
  await runActivity(stage.activities.exchangeCode, { attemptId });
  const end = { status: 'FAILED', resultCode: 'MISSING_PERMISSION' } as const;
  await runActivity(stage.activities.endAttempt, { attemptId, end });

  expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({
    registrationId: second,
    status: 'DEAD',
    sealedTokens: null,
  });
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

import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import {
  type AttemptId,
  type CorrelationId,
  newId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { insertIdentityAttempt, redeemIdentityResult } from '../../src/store/attempts/identity-attempts.ts';
import { lockConnectionByAccount } from '../../src/store/connections/attach-grant.ts';
import { replanConnections, updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import {
  type Connection,
  lockConnection,
  lockConnectionById,
  lockConnectionOfScope,
  moveConnection,
} from '../../src/store/connections/connections.ts';
import { lockConnectionWithSiblings, resumeSibling } from '../../src/store/connections/siblings.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import {
  insertDeletionRequest,
  insertDeletionRequestConnections,
} from '../../src/store/erasures/platform-callbacks.ts';
import { getGauges } from '../../src/store/gauges.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import type { Grant } from '../../src/store/grants/grants.ts';
import { lockIdentitySettings, updateIdentityEnabled } from '../../src/store/issuers/identity-settings.ts';
import { insertScan } from '../../src/store/jobs/new-reads.ts';
import { storeForJob } from '../../src/store/jobs/running-reads.ts';
import { lockJournalPosition, updateJournalPosition } from '../../src/store/journal.ts';
import { insertAdminToken, lockOperator } from '../../src/store/operators/admin-tokens.ts';
import { lockExistingScope, lockScopeById } from '../../src/store/scopes.ts';
import { requestRedeliveries } from '../../src/store/webhooks/redeliveries.ts';
import {
  insertWebhookEndpoint,
  insertWebhookSecret,
  retireWebhookSecret,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow } from '../kit/clock.ts';
import { asApi, asMaintenance, asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

type AppIdOf = Awaited<ReturnType<typeof seedApp>>['app']['appId'];
async function insertEndpoint(sql: Database, appId: AppIdOf): Promise<WebhookEndpointId> {
  const endpointId = newId<WebhookEndpointId>();
  const endpoint = { endpointId, appId, url: 'https://caller.example/hooks', eventTypes: ['job.finished'] as const };
  await inTransaction(asApi(sql), (tx) => insertWebhookEndpoint(tx, endpoint));
  return endpointId;
}

describe('the second waits for the first, and sees what it did', () => {
  test('of two secrets of an endpoint', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const endpointId = await insertEndpoint(sql, app.appId);
    const secrets = [1, 2, 3].map(() => newId<WebhookSecretId>());
    const add = (tx: Transaction, index: number) =>
      insertWebhookSecret(tx, { secretId: secrets[index] as WebhookSecretId, endpointId, sealedSecret: 'sealed' });
    const inApi = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(asApi(sql), work);
    await inApi((tx) => add(tx, 0));
    const added = await beside(
      sql,
      (tx) => add(tx, 1),
      () => inApi((tx) => add(tx, 2)),
    );
    expect(added).toEqual({ waited: true, held: 'INSERTED', result: 'TOO_MANY' });
    const retire = (tx: Transaction, index: number) =>
      retireWebhookSecret(tx, endpointId, secrets[index] as WebhookSecretId, 60);
    const retired = await beside(
      sql,
      (tx) => retire(tx, 0),
      () => inApi((tx) => retire(tx, 1)),
    );
    expect(retired).toEqual({ waited: true, held: 'RETIRED', result: 'LAST' });
  });

  test('of two requests to send again', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const endpointId = await insertEndpoint(sql, app.appId);
    const again = (tx: Transaction) => requestRedeliveries(tx, endpointId, new Date(0), { failedOnly: true });
    const hasRun = hold('webhook_endpoint', 'endpoint_id', endpointId);
    const { waited } = await beside(sql, hasRun, () =>
      inTransaction(asApi(sql), (tx) =>
        requestRedeliveries(tx, endpointId, new Date(0), { failedOnly: true, dryRun: true }),
      ),
    );
    expect([waited, await inTransaction(asApi(sql), again)]).toEqual([true, { count: 0, continueAt: null }]);
  });

  test('of two that redeem a sign-in', async ({ sql }) => {
    const { app, tenantKey, issuerId, identityReturnUrl: returnUrl } = await seedApp(sql);
    const [attemptId, proofSha256] = [newId<AttemptId>(), randomBytes(32)];
    const attempt = { attemptId, appId: app.appId, tenantKey, issuerId, returnUrl, launchTokenSha256: randomBytes(32) };
    const correlationId = newId<CorrelationId>();
    await inTransaction(sql, (tx) =>
      insertIdentityAttempt(tx, { ...attempt, resultProofSha256: proofSha256, correlationId }),
    );
    await sql`
      update identity_attempt set status = 'COMPLETED', stage = 'DONE', sealed_claims = 'sealed', finished_at = business_now()
      where attempt_id = ${attemptId}
    `;
    const redeem = (tx: Transaction) =>
      redeemIdentityResult(tx, { appId: app.appId, attemptId, tenantKey, proofSha256 });
    const { waited, held, result } = await beside(sql, redeem, () => inTransaction(asApi(sql), redeem));
    expect([waited, held, result]).toEqual([true, { status: 'COMPLETED', sealedClaims: 'sealed' }, undefined]);
  });

  test('of the settings of sign-ins', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const lock = (tx: Transaction) => lockIdentitySettings(tx, app.appId);
    const disable = (tx: Transaction) => updateIdentityEnabled(tx, app.appId, false);
    const { waited, result } = await beside(sql, disable, () => inTransaction(asApi(sql), lock));
    expect([waited, result?.enabled]).toEqual([true, false]);
  });

  test('of the journal', async ({ sql }) => {
    const forward = async (tx: Transaction) => {
      const position = await lockJournalPosition(tx);
      await updateJournalPosition(tx, position + 1);
      return position;
    };
    const { waited, held, result } = await beside(sql, forward, () =>
      inTransaction(asMaintenance(sql), lockJournalPosition),
    );
    expect([waited, result]).toEqual([true, held + 1]);
  });

  test('of a scope', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    await seedConnection(sql, seeded, { scope });
    const lock = (tx: Transaction) => lockExistingScope(tx, seeded.app.appId, scope);
    const { waited, held, result } = await beside(sql, lock, () => inTransaction(asApi(sql), lock));
    expect([waited, result]).toEqual([true, held]);
    const byId = (tx: Transaction) => lockScopeById(tx, held as NonNullable<typeof held>);
    expect(await beside(sql, byId, () => inTransaction(asApi(sql), byId))).toMatchObject({ waited: true });
  });

  test('of a connection', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const providerAccountId = randomUUID();
    const connectionId = await seedConnection(sql, seeded, { scope, providerAccountId });
    const siblingId = await seedConnection(sql, seeded, { scope });
    const scopeId = await inTransaction(sql, (tx) => lockExistingScope(tx, seeded.app.appId, scope));
    const suspend = (tx: Transaction) => moveConnection(tx, connectionId, 'SUSPENDED');
    const asked = { appId: seeded.app.appId, scope, id: connectionId };
    const get = () => inTransaction(asApi(sql), (tx) => lockConnectionOfScope(tx, asked));
    const { waited, result } = await beside(sql, suspend, get);
    expect([waited, result.connection?.status]).toEqual([true, 'SUSPENDED']);
    await sql`update connection set status = 'CONNECTED' where connection_id = ${connectionId}`;
    const locks: readonly ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => lockConnectionById(tx, connectionId),
      (tx) => lockConnection(tx, scopeId, connectionId),
      (tx) =>
        lockConnectionByAccount(tx, { scopeId, provider: 'PROVIDER_B' } as Attempt, { providerAccountId } as Grant),
      (tx) =>
        lockConnectionWithSiblings(tx, { connectionId: siblingId, scopeId, provider: 'PROVIDER_B' } as Connection, []),
    ];
    for (const lock of locks) {
      const found = await beside(sql, hold('connection', 'connection_id', connectionId), () =>
        inTransaction(asWorker(sql), lock),
      );
      expect(found.waited, String(lock)).toBe(true);
    }
  });

  test('of two that plan the refreshes of a policy', async ({ sql }) => {
    const seeded = await seedApp(sql);
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await updateRefreshPolicy(sql, seeded.app.appId, 'PROVIDER_B', {
      everyMinutes: 60,
      windowDays: 7,
      newestPosts: 50,
    });
    const plan = (tx: Transaction) => replanConnections(tx, seeded.app.appId, 'PROVIDER_B');
    const { waited, held, result } = await beside(sql, plan, () => inTransaction(asWorker(sql), plan));
    expect([waited, held, result]).toEqual([true, 1, 0]);
  });

  test('of a purge, by a deletion request for the same account', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [mac, code] = [randomBytes(32), randomBytes(16).toString('hex')];
    await sql`update account_grant set account_macs = array[${mac}]::bytea[] where connection_id = ${connectionId}`;
    const named = {
      registrationId: seeded.registrations.PROVIDER_B,
      accountMacs: [mac],
      happenedAt: await businessNow(sql),
    };
    await inTransaction(sql, (tx) => insertDeletionRequest(tx, [code]));
    const purge = async (tx: Transaction) => {
      await tx`delete from account_grant where connection_id = ${connectionId}`;
      await tx`delete from connection where connection_id = ${connectionId}`;
    };
    const request = () =>
      inTransaction(asApi(sql), (tx) => insertDeletionRequestConnections(tx, code, named, newId<CorrelationId>()));
    expect(await beside(sql, purge, request)).toMatchObject({ waited: true, result: 0 });
  });

  test('of one that measures, for its result', async ({ sql }) => {
    await getGauges(asWorker(sql));
    await sql`update gauge_snapshot set measured_at = '-infinity'`;
    const measured = async (tx: Transaction) => {
      await tx`select from gauge_snapshot for update`;
      await tx`
        update gauge_snapshot set measured_at = business_now(), state = jsonb_set(state, '{oldestTransactionSeconds}', '12345')
      `;
    };
    const { waited, result } = await beside(sql, measured, () => getGauges(asWorker(sql)));
    expect([waited, result.oldestTransactionSeconds]).toEqual([true, 12_345]);
  });

  test('of all tokens of an operator', async ({ sql }) => {
    const expiresAt = new Date((await businessNow(sql)).getTime() + 60_000);
    const openidSub = `operator-${randomBytes(4).toString('hex')}`;
    const token = { label: 'tests', role: 'ADMIN', openidSub, expiresAt } as const;
    const { tokenId } = await insertAdminToken(sql, token);
    const { tokenId: otherId } = await insertAdminToken(sql, token);
    const lock = () => inTransaction(asApi(sql), (tx) => lockOperator(tx, { tokenId, openidSub }));
    for (const id of [tokenId, otherId])
      expect(await beside(sql, hold('admin_token', 'token_id', id), lock)).toMatchObject({ waited: true });
  });

  test('of a job’s step', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const common = { connectionId, appId: seeded.app.appId, provider: 'PROVIDER_B', requestedBy: 'CALLER' } as const;
    const queued = await insertScan(sql, {
      ...common,
      correlationId: newId<CorrelationId>(),
      window: null,
      maxItems: 100,
      continues: null,
    });
    await sql`update read_job set status = 'RUNNING', started_at = business_now() where job_id = ${queued.jobId}`;
    const work = vi.fn(async () => {});
    const store = () => storeForJob(asWorker(sql), { ...queued, status: 'RUNNING' }, async () => {}, work);
    const move = (tx: Transaction) => tx`update read_job set item_count = 1 where job_id = ${queued.jobId}`;
    expect(await beside(sql, move, store)).toMatchObject({ waited: true, result: false });
    // The connection first, as all code does: meanwhile the job's row is free.
    const isFree = (tx: Transaction) => tx`select from read_job where job_id = ${queued.jobId} for update nowait`;
    expect(await beside(sql, hold('connection', 'connection_id', connectionId), store, isFree)).toMatchObject({
      waited: true,
    });
  });

  test('of a grant that ends: its connection first', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
    const end = () => inTransaction(asWorker(sql), (tx) => moveGrantToDead(tx, grant?.grantId));
    const isFree = (tx: Transaction) =>
      tx`select from account_grant where grant_id = ${grant?.grantId} for update nowait`;
    const first = hold('connection', 'connection_id', connectionId);
    expect(await beside(sql, first, end, isFree)).toMatchObject({ waited: true });
  });

  test('of one that resumes a connection: for its scope, the connection and the grant', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope, status: 'SUSPENDED' });
    const scopeId = await inTransaction(sql, (tx) => lockExistingScope(tx, seeded.app.appId, scope));
    const resume = () => inTransaction(asWorker(sql), (tx) => resumeSibling(tx, connectionId, async () => []));
    for (const [table, column, id] of [
      ['scope', 'scope_id', scopeId ?? ''],
      ['account_grant', 'connection_id', connectionId],
    ] as const) {
      await sql`update connection set status = 'SUSPENDED' where connection_id = ${connectionId}`;
      expect(await beside(sql, hold(table, column, id), resume), table).toMatchObject({ waited: true, result: true });
    }
  });
});

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type AttemptId, type ConnectionId, type CorrelationId, type GrantId, newId } from '../../src/basics/ids.ts';
import { issueKey } from '../../src/store/apps/keys.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { eraseConnection, startDisconnect } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertErasure } from '../../src/store/erasures/erasures.ts';
import { findAuditEntries, findById } from '../../src/store/find.ts';
import { findGrantOfConnection, insertGrant } from '../../src/store/grants/grants.ts';
import { insertBulkDisconnect } from '../../src/store/jobs/bulk-disconnects.ts';
import { insertLookup } from '../../src/store/jobs/new-reads.ts';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { insertAuditEntry } from '../../src/store/operators/audit-log.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { asApi, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

/** As `KIND id of app: label`. */
async function find(sql: Database, id: string): Promise<string[]> {
  const found = await findById(asApi(sql), { low: id, high: id });
  return found
    .map(({ kind, id: of, appId, tenantKey, label }) => `${kind} ${of} ${appId} ${tenantKey} ${label}`)
    .sort();
}

async function disconnect(sql: Database, seeded: SeededApp, correlationId = newId<CorrelationId>()) {
  const scope = seeded.newScope();
  const scopeId = await seedScope(sql, seeded, scope);
  const connectionId = await seedConnection(sql, seeded, { scope });
  const grant = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('It has no grant.');
  const receipts = await inTransaction(sql, (tx) =>
    startDisconnect(
      tx,
      { scopeId, scopeMac: randomBytes(32) },
      connectionId,
      { reason: 'APP', correlationId },
      {
        spares: false,
        listAccountMacs: () => [],
      },
    ),
  );
  const { revokeJobId, eraseJobId } = receipts ?? expect.fail('There is no such connection.');
  return { scopeId, connectionId, grantId: grant.grantId, revokeJobId, eraseJobId };
}

async function erase(sql: Database, connectionId: ConnectionId): Promise<void> {
  await moveConnection(sql, connectionId, 'DELETING');
  await inTransaction(sql, (tx) => eraseConnection(tx, connectionId));
}

async function lookUp(sql: Database, { app }: SeededApp, connectionId: ConnectionId, correlationId: CorrelationId) {
  const url = `https://platform.example/${randomUUID()}`;
  const urlSha256 = createHash('sha256').update(url).digest();
  const asked = {
    connectionId,
    appId: app.appId,
    provider: 'PROVIDER_B',
    requestedBy: 'CALLER',
    correlationId,
  } as const;
  return await insertLookup(sql, { ...asked, url, urlSha256 });
}

test('a whole id finds its thing, with its app and its status or name', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql, { name: 'Lighthouse' }), await seedApp(sql)];
  const { appId } = seeded.app;
  const correlationId = newId<CorrelationId>();
  const { keyId } = await issueKey(sql, appId, null, 'Night shift');
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_C' });
  const otherId = await seedConnection(sql, other, { scope: other.newScope() });
  const { attemptId } = await seedAttempt(sql, seeded);
  const signIn = await seedSignIn(sql, other);
  const { jobId } = await lookUp(sql, other, otherId, correlationId);
  const gone = await disconnect(sql, seeded);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { tokenId } = await insertAdminToken(sql, { label: 'Operator', role: 'ADMIN', expiresAt });
  const target = { appId, tenantKey: seeded.tenantKey };
  const bulk = await inTransaction(sql, (tx) => insertBulkDisconnect(tx, target, 3, correlationId));
  const subject = { scopeId: gone.scopeId, scopeMacs: [], scopeMac: randomBytes(32), connectionIds: [] };
  const erasure = await inTransaction(sql, (tx) => insertErasure(tx, { ...subject, appId }));
  const endpointId = await seedEndpoint(sql, appId);

  const things: Record<string, string> = {
    [connectionId]: `CONNECTION ${connectionId} ${appId} null PROVIDER_C, CONNECTED`,
    [otherId]: `CONNECTION ${otherId} ${other.app.appId} null PROVIDER_B, CONNECTED`,
    [jobId]: `JOB ${jobId} ${other.app.appId} null LOOKUP, QUEUED`,
    [gone.revokeJobId]: `JOB ${gone.revokeJobId} ${appId} null REVOKE, QUEUED`,
    [attemptId]: `ATTEMPT ${attemptId} ${appId} null PROVIDER_B, CREATED`,
    [signIn.attemptId]: `SIGN_IN ${signIn.attemptId} ${other.app.appId} null PENDING`,
    [appId]: `APP ${appId} ${appId} null Lighthouse`,
    [seeded.registrations.PROVIDER_B]: `REGISTRATION ${seeded.registrations.PROVIDER_B} null null Test client`,
    [keyId]: `KEY ${keyId} ${appId} null Night shift`,
    [tokenId]: `ADMIN_TOKEN ${tokenId} null null Operator`,
    [seeded.issuerId]: `ISSUER ${seeded.issuerId} null null https://idp.example`,
    [endpointId]: `WEBHOOK_ENDPOINT ${endpointId} ${appId} null null`,
    [bulk.bulkDisconnectId]: `BULK_DISCONNECT ${bulk.bulkDisconnectId} ${appId} null null`,
    [String(erasure?.erasureId)]: `ERASURE ${erasure?.erasureId} ${appId} null null`,
  };
  for (const [id, thing] of Object.entries(things)) expect(await find(sql, id), thing).toEqual([thing]);
});

test('the id of a grant, a post, an event or a request finds what it belongs to', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const { appId } = seeded.app;
  const correlationId = newId<CorrelationId>();
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const grant = await findGrantOfConnection(sql, connectionId);
  expect(await find(sql, String(grant?.grantId))).toEqual([`CONNECTION ${connectionId} ${appId} null has this grant`]);

  const { attemptId } = await seedAttempt(sql, seeded);
  const unused = { attemptId, grantId: newId<GrantId>(), scopeId: await seedScope(sql, seeded, scope) };
  await insertUnusedGrant(sql, seeded, unused);
  expect(await find(sql, unused.grantId)).toEqual([`ATTEMPT ${attemptId} ${appId} null has this grant`]);

  await seedContent(sql, connectionId, { publishedAt: new Date() });
  const [post] = await sql`select content_item_id from content_item where connection_id = ${connectionId}`;
  expect(await find(sql, post?.contentItemId)).toEqual([`CONNECTION ${connectionId} ${appId} null has this post`]);

  const [endpointId, otherEndpointId] = [await seedEndpoint(sql, appId), await seedEndpoint(sql, other.app.appId)];
  const sent = await inTransaction(sql, (tx) => insertTestEvent(tx, endpointId));
  await inTransaction(sql, (tx) => insertTestEvent(tx, otherEndpointId));
  const [delivery] = await sql`select event_id from webhook_delivery where delivery_id = ${sent ?? null}`;
  const tells = `WEBHOOK_DELIVERY ${sent} ${appId} null webhook.test, PENDING`;
  expect(await find(sql, String(sent))).toEqual([tells]);
  expect(await find(sql, delivery?.eventId)).toEqual([`${tells}, of this event`]);

  const { jobId } = await lookUp(sql, seeded, connectionId, correlationId);
  const { revokeJobId, eraseJobId } = await disconnect(sql, seeded, correlationId);
  await insertAuditEntry(sql, { actor: 'command line', action: 'close', target: null, outcome: 'DONE', correlationId });
  expect(await find(sql, correlationId)).toEqual(
    [
      `AUDIT_ENTRY ${correlationId} null null close`,
      ...[jobId, revokeJobId, eraseJobId].map((id) => `JOB ${id} ${appId} null of this request`),
    ].sort(),
  );
});

async function insertUnusedGrant(
  sql: Database,
  seeded: SeededApp,
  ids: Pick<Parameters<typeof insertGrant>[1], 'grantId' | 'attemptId' | 'scopeId'>,
): Promise<void> {
  const registered = { provider: 'PROVIDER_B', registrationId: seeded.registrations.PROVIDER_B } as const;
  const tokens = { sealedTokens: 'sealed', accessExpiresAt: null, refreshExpiresAt: null };
  await insertGrant(sql, { ...ids, ...registered, ...tokens, principalMacs: [], permissions: [] });
}

test('the ids of an erased connection and of its grant find its receipts', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const { appId } = seeded.app;
  const [gone, kept] = [await disconnect(sql, seeded), await disconnect(sql, seeded)];
  await disconnect(sql, other);
  await erase(sql, gone.connectionId);
  expect(await find(sql, gone.connectionId)).toEqual([
    `CONNECTION ${gone.connectionId} ${appId} null receipts of a disconnect`,
  ]);
  expect(await find(sql, gone.grantId)).toEqual([`JOB ${gone.revokeJobId} ${appId} null revokes this grant`]);
  expect(await find(sql, kept.connectionId)).toEqual([
    `CONNECTION ${kept.connectionId} ${appId} null PROVIDER_B, DISCONNECTED`,
  ]);
  expect(await find(sql, kept.grantId)).toEqual([`CONNECTION ${kept.connectionId} ${appId} null has this grant`]);
});

test('a short id finds ten at most, also of what it belongs to', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const endpointId = await seedEndpoint(sql, seeded.app.appId);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  for (let n = 0; n < 11; n += 1) {
    const correlationId = newId<CorrelationId>();
    await erase(sql, (await disconnect(sql, seeded, correlationId)).connectionId);
    const scopeId = await seedScope(sql, seeded, seeded.newScope());
    await insertUnusedGrant(sql, seeded, { attemptId: newId<AttemptId>(), grantId: newId<GrantId>(), scopeId });
    await lookUp(sql, seeded, connectionId, correlationId);
    await inTransaction(sql, (tx) => insertTestEvent(tx, endpointId));
    await insertAuditEntry(sql, { actor: 'command line', action: 'a', target: null, outcome: 'DONE', correlationId });
  }
  const every = { low: '00000000-0000-0000-0000-000000000000', high: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  const found = await findById(asApi(sql), every);
  const count = (kind: string, label: string) =>
    found.filter((one) => one.kind === kind && one.label?.includes(label)).length;
  expect(count('CONNECTION', 'receipts of a disconnect')).toBe(10);
  expect(count('ATTEMPT', 'has this grant')).toBe(10);
  expect(count('JOB', 'revokes this grant')).toBe(10);
  expect(count('JOB', 'of this request')).toBe(20); // Ten that read, and ten of disconnects.
  expect(count('WEBHOOK_DELIVERY', 'of this event')).toBe(10);
  expect(found.filter(({ kind }) => kind === 'AUDIT_ENTRY')).toHaveLength(10);
});

test('a whole id finds the entries of the audit log that name it, as their target or beside it', async ({ sql }) => {
  const [target, related, nobody] = [randomUUID(), randomUUID(), randomUUID()];
  const entry = { actor: 'command line', action: 'close', outcome: 'DONE' };
  await insertAuditEntry(sql, { ...entry, target });
  await insertAuditEntry(sql, { ...entry, target: randomUUID(), related: [randomUUID(), related] });
  const names = (id: string) => [
    { kind: 'AUDIT_ENTRY', id, appId: null, tenantKey: null, label: 'entries that name it' },
  ];
  expect(await findAuditEntries(asApi(sql), { low: target, high: target })).toEqual(names(target));
  expect(await findAuditEntries(asApi(sql), { low: related, high: related })).toEqual(names(related));
  expect(await findAuditEntries(asApi(sql), { low: nobody, high: nobody })).toEqual([]);
  const short = { low: target, high: `${target.slice(0, 8)}-ffff-ffff-ffff-ffffffffffff` };
  expect(await findAuditEntries(asApi(sql), short)).toEqual([]); // Entries are looked up by the whole id alone.
});

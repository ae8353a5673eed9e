import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type GrantId, newId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { eraseConnection, startDisconnect } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findAuditEntries, findById } from '../../src/store/find.ts';
import { findGrantOfConnection, insertGrant } from '../../src/store/grants/grants.ts';
import { insertLookup } from '../../src/store/jobs/new-reads.ts';
import { insertAuditEntry } from '../../src/store/operators/audit-log.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { asApi, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
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

test('the id of a grant, a post, an event or a request finds its owner', async ({ sql }) => {
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

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId, ScopeId } from '../../../src/basics/ids.ts';
import { openStage } from '../../kit/activity-stage.ts';
import { readAllRows } from '../../kit/all-rows.ts';
import { actsOnOthers } from '../../kit/bystanders.ts';
import { DAY_MS, HOUR_MS, moveClock } from '../../kit/clock.ts';
import { runActivity } from '../../kit/deps.ts';
import { createTestAdmin, refusalOf } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { insertTenant } from '../../kit/seed.ts';
import { seedEndpoint } from '../../kit/seed-endpoint.ts';
import { applyRetention } from '../../kit/sweeping.ts';

const PROOF = 'query ($id: ID!) { proofOfDeletion(connectionId: $id) { document } }';
const ERASE = `mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { erasure { id } } }`;

/** The tables in which any column contains a text. */
async function tablesWith(sql: Database, text: string): Promise<string[]> {
  const rows = await readAllRows(sql);
  return [...new Set(rows.filter((row) => row.text.includes(text)).map(({ table }) => table))];
}

/** A person who connected an account twice, so that one grant superseded another, and disconnected it. */
async function openStory(sql: Database) {
  const stage = await openStage(sql);
  const admin = await createTestAdmin(sql);
  // The test moves the clock by weeks.
  await sql`update admin_token set created_at = created_at + interval '30 days', expires_at = expires_at + interval '30 days'`;
  const { appId } = stage.seeded.app;
  const [tenantKey, externalSubjectId, account] = [`tenant-${randomUUID()}`, `person-${randomUUID()}`, randomUUID()];
  const scope = { tenantKey, externalSubjectId };
  await insertTenant(sql, appId, tenantKey);
  stage.provider.readAccount.mockResolvedValue({
    providerAccountId: account,
    aliasIds: [],
    profile: { displayName: `Name of ${account}`, handle: null, avatarUrl: null, profileUrl: null, description: null },
  });
  // Without a twin, which would bear the same names.
  const [scopeRow] = await sql`
    insert into scope (scope_id, app_id, tenant_key, external_subject_id)
    values (gen_random_uuid(), ${appId}, ${tenantKey}, ${externalSubjectId}) returning scope_id
  `;
  const scopeId = scopeRow?.scopeId as ScopeId;
  const connect = async (): Promise<ConnectionId> => {
    const { attemptId } = await stage.newExchangedAttempt({ scopeId });
    await runActivity(stage.activities.completeAttempt, { attemptId });
    const [row] = await sql`select connection_id from connect_attempt where attempt_id = ${attemptId}`;
    return row?.connectionId as ConnectionId;
  };
  const disconnect = async (connectionId: ConnectionId): Promise<void> => {
    const { eraseJobId, revokeJobId } = await stage.disconnect({ connectionId, scopeId });
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    await sql`delete from outbox`; // Delivered.
  };
  const proofOf = async (id: ConnectionId) =>
    JSON.parse((await admin.as('VIEWER')(PROOF, { id })).proofOfDeletion.document);
  const retain = async () => {
    actsOnOthers(sql);
    await applyRetention(stage.deps.sql);
  };
  return { stage, admin, appId, scope, scopeId, account, connect, disconnect, proofOf, retain };
}

const instantOf = async (sql: Database, query: ReturnType<Database>): Promise<string> => {
  const [row] = await sql`select (${query}) as instant`;
  return new Date(row?.instant as Date).toISOString();
};
const resultsUntil = (sql: Database, scopeId: ScopeId) =>
  instantOf(sql, sql`select max(result_expires_at) from connect_attempt where scope_id = ${scopeId}`);
const receiptsUntil = (sql: Database, connectionId: ConnectionId) =>
  instantOf(
    sql,
    sql`select min(created_at) + interval '7 days' from disconnect_job where connection_id = ${connectionId}`,
  );

describe('a proof of deletion lists everything that a search of all tables finds', () => {
  test('right after the erase, after 24 hours, and after 7 days', async ({ sql }) => {
    const { scope, scopeId, account, connect, disconnect, proofOf, retain } = await openStory(sql);
    const id = await connect();
    expect(await connect()).toBe(id);
    await disconnect(id);
    const receipts = { what: 'receipts', until: await receiptsUntil(sql, id) };

    const first = await proofOf(id);
    expect(first.kept).toEqual([
      { what: 'results of attempts to connect, with tenant key and subject', until: await resultsUntil(sql, scopeId) },
      receipts,
    ]);
    expect(first.deleted).not.toContain('ids given by the app');
    expect(first.deleted).toContain('grants and tokens');
    expect(await tablesWith(sql, scope.externalSubjectId)).toEqual(['scope']);
    expect(await tablesWith(sql, scope.tenantKey)).toEqual(['scope', 'tenant']);
    expect(await tablesWith(sql, scopeId)).toEqual(['connect_attempt', 'disconnect_job', 'scope']); // No grant, superseded or not.
    expect(await tablesWith(sql, account)).toEqual([]);
    expect(await tablesWith(sql, id)).toEqual(['connect_attempt', 'disconnect_job', 'journal_entry']);

    await moveClock(sql, 24 * HOUR_MS);
    await retain();
    const second = await proofOf(id);
    expect(second.kept).toEqual([receipts]);
    expect(second.deleted).toContain('ids given by the app');
    expect(await tablesWith(sql, scope.externalSubjectId)).toEqual([]);
    expect(await tablesWith(sql, scope.tenantKey)).toEqual(['tenant']);
    expect(await tablesWith(sql, id)).toEqual(['disconnect_job', 'journal_entry']);

    await moveClock(sql, 6 * DAY_MS);
    await retain();
    expect((await refusalOf(proofOf(id))).code).toBe('NOT_FOUND');
    expect(await tablesWith(sql, scopeId)).toEqual([]);
    expect(await tablesWith(sql, id)).toEqual(['journal_entry']);
  });

  test.for([
    { how: 'disconnected', isErased: false },
    { how: 'erased', isErased: true },
  ])(
    'with the webhook events of its app, which hold ids of a person who was $how for 30 days, and nothing else',
    async ({ isErased }, { sql }) => {
      const { admin, scope, scopeId, stage, appId, connect, disconnect, proofOf, retain } = await openStory(sql);
      const endpointId = await seedEndpoint(sql, appId);
      stage.provider.readAccount.mockResolvedValue({
        providerAccountId: `account-${randomUUID()}`,
        aliasIds: [],
        profile: { displayName: 'Nobody Else', handle: null, avatarUrl: null, profileUrl: null, description: null },
      });
      const id = await connect();
      await stage.newAttempt({ scopeId }); // The erasure ends it, too.
      if (isErased) await admin.as('ADMIN')(ERASE, { i: { appId, ...scope } });
      await disconnect(id);
      const told = await sql`select type from webhook_event where app_id = ${appId}`;
      const types = told.map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining(['connection.disconnected', 'connection.erased', 'receipt.settled']),
      );
      expect(types.filter((type) => type === 'connect_session.finished')).toHaveLength(isErased ? 2 : 1);
      const until = await instantOf(
        sql,
        sql`select max(occurred_at) + interval '30 days' from webhook_event where connection_id = ${id}`,
      );
      expect((await proofOf(id)).kept).toContainEqual({ what: 'webhook events, without personal data', until });
      expect(await tablesWith(sql, id)).toEqual(expect.arrayContaining(['webhook_delivery', 'webhook_event']));
      for (const text of [scope.externalSubjectId, scope.tenantKey, scopeId, 'account-', 'Nobody Else']) {
        const tables = await tablesWith(sql, text);
        for (const table of ['webhook_event', 'webhook_delivery']) expect(tables, text).not.toContain(table);
      }
      await moveClock(sql, 31 * DAY_MS);
      await retain();
      await moveClock(sql, -31 * DAY_MS); // The tokens of the other tests live on.
      // The receipt of an erasure names the connections.
      expect(await tablesWith(sql, id)).toEqual([...(isErased ? ['erasure'] : []), 'journal_entry']);
      expect(await sql`select from webhook_delivery where endpoint_id = ${endpointId}`).toEqual([]);
    },
  );

  test('while the same subject has another connection', async ({ sql }) => {
    const { scope, stage, connect, disconnect, proofOf } = await openStory(sql);
    const id = await connect();
    stage.provider.readAccount.mockResolvedValue({
      providerAccountId: randomUUID(),
      aliasIds: [],
      profile: { displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null },
    });
    await connect();
    await disconnect(id);
    expect((await proofOf(id)).kept[0]).toEqual({
      what: 'tenant key and subject, with other connections of the same subject',
      until: null,
    });
    expect(await tablesWith(sql, scope.externalSubjectId)).toEqual(['scope']);
  });

  test('with the reason why no revoke was sent: another person has connected the same account', async ({ sql }) => {
    const { stage, admin, appId, scope, connect, disconnect, proofOf } = await openStory(sql);
    const id = await connect();
    const { attemptId } = await stage.newExchangedAttempt();
    await runActivity(stage.activities.completeAttempt, { attemptId });
    await admin.as('ADMIN')(ERASE, { i: { appId, ...scope } });
    await disconnect(id);
    const creatorActionReason = expect.stringMatching(/^No revoke was sent: /);
    const revoke = { status: 'LEFT_TO_PERSON', creatorAction: 'REMOVE_APP_AT_PROVIDER', creatorActionReason };
    expect(await proofOf(id)).toMatchObject({ appId, revoke });
  });

  test('of a person who was erased: the subject was deleted at once', async ({ sql }) => {
    const { admin, appId, scope, scopeId, connect, disconnect, proofOf } = await openStory(sql);
    const id = await connect();
    await admin.as('ADMIN')(ERASE, { i: { appId, ...scope } });
    expect(await tablesWith(sql, scope.externalSubjectId)).toEqual([]);
    await disconnect(id);
    const proof = await proofOf(id);
    expect(proof.kept[0]).toEqual({
      what: 'results of attempts to connect, with tenant key',
      until: await resultsUntil(sql, scopeId),
    });
    expect(proof.deleted).toContain('subject given by the app');
    // Whoever asks for this person again finds what there is a proof of, also from before the erasure.
    const asked =
      'query ($i: PersonInput!) { person(input: $i) { isHeld disconnected { connectionId provider erasedAt } } }';
    const disconnected = [{ connectionId: id, provider: 'PROVIDER_B', erasedAt: expect.any(String) }];
    const { person } = await admin.as('VIEWER')(asked, { i: { appId, ...scope } });
    expect(person).toEqual({ isHeld: false, disconnected });
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Answer, createTestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

const FIND = 'query ($text: String!) { find(text: $text) { kind id appId label connection { externalSubjectId } } }';
const CREATE = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';

describe('find', () => {
  test('finds each thing that the console shows by its whole id, its first 8 characters, and in a longer text', async ({
    sql,
  }) => {
    const admin = await createTestAdmin(sql);
    const operator = admin.as('ADMIN');
    const find = async (text: string) => (await admin.as('VIEWER')(FIND, { text })).find as Answer[];
    const seeded = await seedApp(sql);
    const { appId } = seeded.app;
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    const disconnectConnection = await operator.run(
      'disconnectConnection',
      { id: connectionId },
      'receipts { id } attempts { id }',
    );
    const { issueKey } = await operator('mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id } } }', {
      i: { appId },
    }).catch(() => ({ issueKey: null }));
    const disconnectAll = await operator.run(
      'disconnectAll',
      { input: { appId, tenantKey: seeded.tenantKey } },
      'bulkDisconnect { id }',
    );
    const things: [kind: string, id: string | undefined][] = [
      ['CONNECTION', connectionId],
      ['JOB', disconnectConnection.receipts[0].id],
      ['APP', appId],
      ['REGISTRATION', seeded.registrations.PROVIDER_B],
      ['KEY', issueKey?.key.id],
      ['BULK_DISCONNECT', disconnectAll.bulkDisconnect?.id],
    ];
    for (const [kind, id] of things) {
      if (id === undefined) continue;
      for (const text of [id, id.toUpperCase(), id.slice(0, 8), `workflow disconnect/${id}, failed`]) {
        expect(await find(text), `${kind} by ${text}`).toContainEqual(expect.objectContaining({ kind, id }));
      }
    }
    expect(await find(seeded.tenantKey)).toEqual([
      expect.objectContaining({ kind: 'TENANT', id: seeded.tenantKey, appId }),
    ]);
    // The request that disconnected the connection: its receipts, and its entry in the audit log.
    const [job] = await sql`select correlation_id from disconnect_job where connection_id = ${connectionId} limit 1`;
    const ofRequest = await find(String(job?.correlationId));
    expect(ofRequest.map(({ kind }) => kind).sort()).toEqual(['AUDIT_ENTRY', 'JOB', 'JOB']);
  });

  test('finds persons, accounts, posts and clients by their exact names, and not their neighbours', async ({ sql }) => {
    const admin = await createTestAdmin(sql);
    const find = async (text: string) => (await admin.as('VIEWER')(FIND, { text })).find as Answer[];
    const seeded = await seedApp(sql);
    const [mine, other] = [seeded.newScope(), seeded.newScope()];
    const account = `account-${randomUUID()}`;
    const connectionId = await seedConnection(sql, seeded, { scope: mine, providerAccountId: account });
    const otherId = await seedConnection(sql, seeded, { scope: other, providerAccountId: `${account}-2` });
    const handle = `Harbour.${randomUUID().slice(0, 8)}`;
    await sql`
      update connection set profile = jsonb_set(profile, '{handle}', to_jsonb(${handle}::text)) where connection_id = ${connectionId}
    `;
    const post = await seedContent(sql, connectionId, {
      publishedAt: new Date(),
      providerContentId: '7312345678901234567',
    });
    await seedContent(sql, otherId, { publishedAt: new Date(), providerContentId: '7312345678901234568' });
    const code = `C${randomUUID().slice(0, 8)}`;
    await sql`
      update content_item set canonical_url = ${`https://www.instagram.com/reel/${code}/`}
      where connection_id = ${otherId}
    `;
    const [ofMine, ofOther] = [mine, other].map(({ externalSubjectId }) => ({ externalSubjectId }));
    const { appId } = seeded.app;
    const atMine = [expect.objectContaining({ kind: 'CONNECTION', id: connectionId, appId, connection: ofMine })];
    const atOther = [expect.objectContaining({ kind: 'CONNECTION', id: otherId, connection: ofOther })];
    for (const text of [account, `"${account}",`, handle, `@${handle.toUpperCase()}`, post]) {
      expect(await find(text), text).toEqual(atMine);
    }
    expect(await find(`https://www.tiktok.com/@harbour/video/${post}?lang=en`)).toEqual(atMine);
    expect(await find(`https://www.instagram.com/harbour/p/${code}/?igsh=1`)).toEqual(atOther);
    for (const part of [account.slice(0, -1), handle.slice(1), post.slice(1), mine.externalSubjectId.slice(0, -1)]) {
      expect(
        (await find(part)).map(({ id }) => id),
        part,
      ).not.toContain(connectionId);
    }
    expect(
      await admin.as('VIEWER')('query ($text: String!) { find(text: $text) { kind id tenantKey } }', {
        text: mine.externalSubjectId,
      }),
    ).toEqual({ find: [{ kind: 'PERSON', id: mine.externalSubjectId, tenantKey: mine.tenantKey }] });
  });

  test('finds nothing for other ids and texts, and answers no error', async ({ sql }) => {
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    for (const text of [randomUUID(), randomUUID().slice(0, 8), 'nobody', '%', "'; --", 'ffffffff-ffff', '12345678-']) {
      expect((await operator(FIND, { text })).find, text).toEqual([]);
    }
  });

  test('finds the entries of the audit log that name an id of nothing else', async ({ sql }) => {
    const admin = await createTestAdmin(sql);
    const operate = admin.as('ADMIN');
    const { createApp } = await operate(CREATE, { input: { name: 'Lighthouse' } });
    const createWebhookEndpoint = await operate.run(
      'createWebhookEndpoint',
      { input: { appId: createApp.id, url: 'https://lighthouse.example/hooks' } },
      'endpoint { id }',
    );
    const kindsOf = async (text: string) =>
      (await admin.as('VIEWER')(FIND, { text })).find.map(({ kind }: Answer) => kind);
    const { id } = createWebhookEndpoint.endpoint;
    expect(await kindsOf(id)).toEqual(['WEBHOOK_ENDPOINT']);
    await operate.run('removeWebhookEndpoint', { id });
    expect(await kindsOf(id)).toEqual(['AUDIT_ENTRY']);
    expect(await kindsOf(createApp.id)).toEqual(['APP']);
  });
});

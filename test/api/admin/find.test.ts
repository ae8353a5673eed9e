import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Answer, createTestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { moveConnection, seedApp, seedConnection, seedContent } from '../../kit/seed.ts';
import { seedAttempt } from '../../kit/seed-attempts.ts';
import { seedEndpoint } from '../../kit/seed-endpoint.ts';
import { insertRow } from '../../kit/seed-jobs.ts';

const FIND = 'query ($text: String!) { find(text: $text) { kind id appId label connection { externalSubjectId } } }';
describe('find', () => {
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

  test('finds the owner of a grant, post, delivery or event, and receipts of an erased connection', async ({ sql }) => {
    const admin = await createTestAdmin(sql);
    const seeded = await seedApp(sql);
    const find = async (text: string) =>
      ((await admin.as('VIEWER')(FIND, { text })).find as Answer[]).map(({ kind, id, appId, label }) =>
        [kind, id, appId === seeded.app.appId, label].join(),
      );
    const idOf = async (table: string, column: string, connectionId: string) =>
      String((await sql`select ${sql(column)} as id from ${sql(table)} where connection_id = ${connectionId}`)[0]?.id);
    const [connectionId, gone] = [
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    ];
    await seedContent(sql, connectionId, { publishedAt: new Date() });
    const own = ['CONNECTION', connectionId, true].join();
    expect(await find(await idOf('account_grant', 'grant_id', connectionId))).toEqual([`${own},has this grant`]);
    expect(await find(await idOf('content_item', 'content_item_id', connectionId))).toEqual([`${own},has this post`]);
    const attempt = await seedAttempt(sql, seeded);
    const grantId = randomUUID();
    await insertRow(sql, 'account_grant', {
      ...{ grantId, attemptId: attempt.attemptId, scopeId: attempt.scopeId, provider: 'PROVIDER_B', status: 'PENDING' },
      ...{
        registrationId: seeded.registrations.PROVIDER_B,
        permissions: [],
        sealedTokens: 's',
        obtainedAt: new Date(),
      },
    });
    expect(await find(grantId)).toEqual([`ATTEMPT,${attempt.attemptId},true,has this grant`]);

    const endpointId = await seedEndpoint(sql, seeded.app.appId);
    await moveConnection(sql, connectionId, 'SUSPENDED');
    const [delivery] = await sql`select delivery_id, event_id from webhook_delivery where endpoint_id = ${endpointId}`;
    const tells = `WEBHOOK_DELIVERY,${delivery?.deliveryId},true,connection.suspended, PENDING`;
    expect(await find(String(delivery?.deliveryId))).toEqual([tells]);
    expect(await find(String(delivery?.eventId))).toEqual([`${tells}, of this event`]);

    const revoked = await idOf('account_grant', 'grant_id', gone);
    await admin.as('ADMIN')('mutation ($id: ID!) { disconnectConnection(id: $id) { receipts { id } } }', { id: gone });
    const [revoke] = await sql`select job_id from disconnect_job where connection_id = ${gone} and kind = 'REVOKE'`;
    await sql`delete from account_grant where connection_id = ${gone}`;
    await sql`delete from connection where connection_id = ${gone}`;
    expect(await find(gone)).toContainEqual(`CONNECTION,${gone},true,receipts of a disconnect`);
    expect(await find(revoked)).toEqual([`JOB,${revoke?.jobId},true,revokes this grant`]);
  });

  test('finds nothing for other ids and texts, and answers no error', async ({ sql }) => {
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    for (const text of [randomUUID(), randomUUID().slice(0, 8), 'nobody', '%', "'; --", 'ffffffff-ffff', '12345678-']) {
      expect((await operator(FIND, { text })).find, text).toEqual([]);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Answer, useAdmin, useApp } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedConnection, seedContent } from '../../kit/seed.ts';

const FIND = 'query ($text: String!) { find(text: $text) { kind id appId label connection { externalSubjectId } } }';
const { admin, operator } = useAdmin('VIEWER');
const seeded = useApp();
const find = async (text: string) => (await operator(FIND, { text })).find as Answer[];

describe('find', () => {
  test('finds persons, accounts, posts and clients by their exact names, and not their neighbours', async ({ sql }) => {
    const [mine, other] = [seeded.newScope(), seeded.newScope()];
    const account = `account-${randomUUID()}`;
    const connectionId = await seedConnection(sql, seeded, { scope: mine, providerAccountId: account });
    const otherId = await seedConnection(sql, seeded, { scope: other, providerAccountId: `${account}-2` });
    const handle = `Harbour.${randomUUID().slice(0, 8)}`;
    await sql`
      update connection set profile = profile || ${sql.json({ handle, displayName: `${handle} Kitchen` })} where connection_id = ${connectionId}
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
    const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
    const urls = [
      `https://m.tiktok.com/@${handle}/videos?view=0`,
      `https://www.tiktok.com/@${handle}/video/7000000000000000001`,
      `tiktok.com/channel/${account}`,
      `<https://news.example/${handle}/?hl=de>.`,
    ];
    for (const text of [`https://www.instagram.com/${handle}`, `youtube.com/channel/${account}`])
      expect(await find(text), text).toEqual([]);
    const names = [account, `"${account}",`, handle, `@${handle.toUpperCase()}`, `${handle} kitchen`];
    for (const text of [...names, ...urls, post, grant?.grantId]) {
      expect(await find(text), text).toEqual(atMine);
    }
    expect(await find(`https://www.tiktok.com/@harbour/video/${post}?lang=en`)).toEqual(atMine);
    expect(await find(`https://www.instagram.com/harbour/p/${code}/?igsh=1`)).toEqual(atOther);
    for (const part of [account.slice(0, -1), handle.slice(1), post.slice(1), mine.externalSubjectId.slice(0, -1)]) {
      const ids = (await find(part)).map(({ id }) => id);
      expect(ids, part).not.toContain(connectionId);
    }
    const { externalSubjectId: text, tenantKey } = mine;
    expect((await find(`${text.slice(0, 8)}…${text.slice(-4)}`)).map(({ id }) => id)).toEqual([text]);
    expect(await operator('query ($text: String!) { find(text: $text) { kind id tenantKey } }', { text })).toEqual({
      find: [{ kind: 'PERSON', id: text, tenantKey }],
    });
  });

  test('finds the receipts of an erased connection, by its id and that of its grant', async ({ sql }) => {
    const gone = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const { receipts } = await admin.as('ADMIN').run('disconnectConnection', { id: gone }, 'receipts { id kind }');
    const { id } = receipts.find(({ kind }: Answer) => kind === 'REVOKE');
    const [grant] = await sql`delete from account_grant where connection_id = ${gone} returning grant_id`;
    await sql`delete from connection where connection_id = ${gone}`;
    const { appId } = seeded.app;
    for (const text of [gone, gone.replaceAll('-', '')])
      expect(await find(text)).toContainEqual(expect.objectContaining({ kind: 'CONNECTION', id: gone, appId }));
    expect(await find(grant?.grantId)).toMatchObject([{ kind: 'JOB', id, label: 'revokes this grant' }]);
  });

  test('finds nothing for other ids and texts, and answers no error', async () => {
    for (const text of [randomUUID(), randomUUID().slice(0, 8), 'nobody', '%', "'; --", 'ffffffff-ffff', '12345678-']) {
      expect(await find(text), text).toEqual([]);
    }
  });
});

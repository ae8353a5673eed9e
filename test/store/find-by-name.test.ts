import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { findByName, findByPost } from '../../src/store/find.ts';
import { insertRegistration } from '../../src/store/registrations/registrations.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedContent } from '../kit/seed.ts';

/** A database of its own: names of others would be found too. */
async function createDatabase() {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return sql;
}

test('a name finds tenants and persons with the names of their apps, and clients with theirs', async () => {
  const sql = await createDatabase();
  const [seeded, other] = [
    await seedApp(sql, { name: 'Lighthouse', tenantKey: 'kitchen' }),
    await seedApp(sql, { name: 'Harbour', tenantKey: 'bakery', issuer: 'https://other.example' }),
  ];
  const { appId } = seeded.app;
  const scope = { tenantKey: 'kitchen', externalSubjectId: 'ada' };
  await seedConnection(sql, seeded, { scope });
  await seedConnection(sql, other, { scope: { tenantKey: 'bakery', externalSubjectId: 'ben' } });
  expect(await findByName(sql, 'kitchen')).toEqual([
    { kind: 'TENANT', id: 'kitchen', appId, tenantKey: null, label: 'Lighthouse' },
  ]);
  expect(await findByName(sql, 'ada')).toEqual([
    { kind: 'PERSON', id: 'ada', appId, tenantKey: 'kitchen', label: 'Lighthouse' },
  ]);
  expect(await findByName(sql, 'lightHOUSE')).toEqual([
    { kind: 'APP', id: appId, appId, tenantKey: null, label: 'Lighthouse' },
  ]);
  const issuer = { kind: 'ISSUER', id: seeded.issuerId, appId: null, tenantKey: null, label: 'https://idp.example' };
  expect(await findByName(sql, 'https://idp.example')).toEqual([issuer]);
  const registrationId = await insertRegistration(
    sql,
    { provider: 'PROVIDER_A', label: 'Main client', clientId: 'main-client' },
    async () => 'sealed',
  );
  expect(await findByName(sql, 'main-client')).toEqual([
    { kind: 'REGISTRATION', id: registrationId, appId: null, tenantKey: null, label: 'Main client' },
  ]);
});

test('the newest ten apps and tenants of a name are found, the newest first', async () => {
  const sql = await createDatabase();
  const now = await businessNow(sql);
  const appIds: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const seeded = await at(sql, now, n * SECOND_MS, () => seedApp(sql, { name: 'Lighthouse', tenantKey: 'kitchen' }));
    appIds.unshift(seeded.app.appId);
    for (const scope of [seeded.newScope(), { tenantKey: 'kitchen', externalSubjectId: 'ada' }]) {
      const id = await seedConnection(sql, seeded, { scope, providerAccountId: randomUUID() });
      await seedContent(sql, id, { publishedAt: now, providerContentId: '731' });
    }
  }
  const newest = appIds.slice(0, 10);
  expect((await findByName(sql, 'kitchen')).map(({ appId }) => appId)).toEqual(newest);
  expect((await findByName(sql, 'lighthouse')).map(({ appId }) => appId)).toEqual(newest);
  expect(await findByName(sql, 'ada')).toHaveLength(10);
  expect(await findByName(sql, 'client')).toHaveLength(20); // Ten clients at platforms, and ten at issuers.
  expect(await findByName(sql, 'https://idp.example')).toHaveLength(10);
  expect(await findByPost(sql, { id: '731' })).toHaveLength(10);
});

test('a post finds each connection that holds it, with its app', async () => {
  const sql = await createDatabase();
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const held = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_C' });
  const beside = await seedConnection(sql, other, { scope: other.newScope() });
  await seedContent(sql, held, { publishedAt: new Date(), providerContentId: '731' });
  await seedContent(sql, beside, { publishedAt: new Date(), providerContentId: '732' });
  expect(await findByPost(sql, { id: '731' })).toEqual([
    {
      kind: 'CONNECTION',
      id: held,
      appId: seeded.app.appId,
      tenantKey: null,
      label: 'PROVIDER_C, has this post',
    },
  ]);
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTestAdmin, refusalOf } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

const PERSON = 'query ($i: PersonInput!) { person(input: $i) { isTenant isHeld otherTenants erasureId } }';

test('a mistyped tenant, an unknown subject and a known person have different answers', async ({ sql }) => {
  const admin = await createTestAdmin(sql);
  const ask = admin.as('VIEWER');
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const [mine, other] = [seeded.newScope(), seeded.newScope()];
  await seedConnection(sql, seeded, { scope: mine });
  await seedConnection(sql, seeded, { scope: other });
  const person = async (tenantKey: string, externalSubjectId: string) =>
    (await ask(PERSON, { i: { appId, tenantKey, externalSubjectId } })).person;
  const known = { isTenant: true, isHeld: true, otherTenants: [], erasureId: null };
  expect(await person(mine.tenantKey, mine.externalSubjectId)).toEqual(known);
  expect(await person(`${mine.tenantKey}m`, mine.externalSubjectId)).toEqual({
    isTenant: false,
    isHeld: false,
    otherTenants: [mine.tenantKey],
    erasureId: null,
  });
  expect(await person(mine.tenantKey, `${mine.externalSubjectId}x`)).toEqual({ ...known, isHeld: false });
  expect(await refusalOf(ask(PERSON, { i: { appId: randomUUID(), ...mine } }))).toMatchObject({ code: 'NOT_FOUND' });

  const eraseSubject = await admin.as('OPERATOR').run('eraseSubject', { input: { appId, ...mine } }, 'erasure { id }');
  expect((await person(mine.tenantKey, mine.externalSubjectId)).erasureId).toBe(eraseSubject.erasure.id);
  expect(await person(other.tenantKey, other.externalSubjectId)).toEqual(known);
});

test('connections are found by who they are of, counted, and listed from the oldest', async ({ sql }) => {
  const ask = (await createTestAdmin(sql)).as('VIEWER');
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const scopes = [seeded.newScope(), seeded.newScope(), seeded.newScope()];
  const ids: string[] = [];
  for (const [n, scope] of scopes.entries()) {
    const id = await seedConnection(sql, seeded, { scope, providerAccountId: `acc-${n}-${appId}` });
    await sql`update connection set created_at = business_now() - make_interval(hours => ${n + 1}) where connection_id = ${id}`;
    ids.unshift(id);
  }
  const list = async (filter: object, after: string | null = null) =>
    await ask(
      `query ($f: ConnectionFilter, $a: String) {
          connections(filter: $f, first: 2, after: $a) { items { id } pageInfo { endCursor hasNextPage } }
          connectionCount(filter: $f) { count isExact }
        }`,
      { f: filter, a: after },
    );
  const idsOf = ({ connections }: Awaited<ReturnType<typeof list>>) =>
    connections.items.map(({ id }: { id: string }) => id);
  const oldest = await list({ appId, oldestFirst: true });
  expect(idsOf(oldest)).toEqual(ids.slice(0, 2));
  expect(oldest.connectionCount).toEqual({ count: 3, isExact: true });
  expect(idsOf(await list({ appId, oldestFirst: true }, oldest.connections.pageInfo.endCursor))).toEqual(ids.slice(2));
  expect(idsOf(await list({ appId }))).toEqual([...ids].reverse().slice(0, 2));
  expect(idsOf(await list({ appId, search: `acc-1-${appId}` }))).toEqual([ids[1]]);
  expect(idsOf(await list({ appId, search: scopes[2]?.externalSubjectId }))).toEqual([ids[0]]);
  expect((await list({ search: 'nobody' })).connectionCount).toEqual({ count: 0, isExact: true });
  const hourAgo = new Date(Date.now() - 90 * 60_000).toISOString();
  expect(idsOf(await list({ appId, before: hourAgo }))).toEqual([ids[1], ids[0]]);
});

test('the tenants of an app are offered by the beginning of their keys', async ({ sql }) => {
  const admin = await createTestAdmin(sql);
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  for (const tenantKey of ['Zulu', 'zuluteam', 'south']) {
    for (const { app } of [seeded, other]) {
      await admin
        .as('ADMIN')
        .run('addTenant', { appId: app.appId, tenantKey: `${tenantKey}-${app.appId.slice(0, 4)}` }, 'tenantKey');
    }
  }
  const tenantKeys = await admin.as('VIEWER').run('tenantKeys', { appId: seeded.app.appId, search: 'ZULU' });
  expect([...tenantKeys].sort()).toEqual([
    `Zulu-${seeded.app.appId.slice(0, 4)}`,
    `zuluteam-${seeded.app.appId.slice(0, 4)}`,
  ]);
});

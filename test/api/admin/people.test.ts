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

test('connections are listed from the oldest on request, page by page, with their number', async ({ sql }) => {
  const ask = (await createTestAdmin(sql)).as('VIEWER');
  const seeded = await seedApp(sql);
  const ids: string[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update connection set created_at = business_now() - make_interval(hours => ${n}) where connection_id = ${id}`;
    ids.unshift(id);
  }
  const filter = { appId: seeded.app.appId, oldestFirst: true };
  const list = (after: string | null) =>
    ask.run('connections', { filter, first: 2, after }, 'items { id } pageInfo { endCursor }');
  const first = await list(null);
  const second = await list(first.pageInfo.endCursor);
  expect([...first.items, ...second.items]).toEqual(ids.map((id) => ({ id })));
  expect(await ask.run('connectionCount', { filter }, 'count isExact')).toEqual({ count: 3, isExact: true });
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

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

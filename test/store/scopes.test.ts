import { expect } from 'vitest';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findScope, lockExistingScope } from '../../src/store/scopes.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp, seedScope } from '../kit/seed.ts';

test('a scope is found by its app, its tenant and its subject together', async ({ sql }) => {
  const tenantKey = 'same-tenant-key';
  const [first, second] = [await seedApp(sql, { tenantKey }), await seedApp(sql, { tenantKey })];
  await sql`insert into tenant (app_id, tenant_key) values (${first.app.appId}, 'another-tenant')`;
  const asked = { tenantKey, externalSubjectId: 'same-subject' };
  const find = async () =>
    (
      await Promise.all(
        [first, second].flatMap(({ app: { appId } }) => [
          findScope(asApi(sql), appId, asked).then(({ scopeId }) => scopeId),
          inTransaction(asApi(sql), (tx) => lockExistingScope(tx, appId, asked)),
        ]),
      )
    ).map((scopeId) => scopeId ?? null);
  await seedScope(sql, first, { ...asked, tenantKey: 'another-tenant' });
  await seedScope(sql, first, { ...asked, externalSubjectId: 'another-subject' });
  expect(await find()).toEqual([null, null, null, null]);
  const ofSecond = await seedScope(sql, second, asked);
  expect(await find()).toEqual([null, null, ofSecond, ofSecond]);
  const ofFirst = await seedScope(sql, first, asked);
  expect(await find()).toEqual([ofFirst, ofFirst, ofSecond, ofSecond]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AppId, newId } from '../../src/basics/ids.ts';
import { insertApp } from '../../src/store/apps/apps.ts';
import { insertTenant } from '../../src/store/apps/tenants.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { insertIssuer } from '../../src/store/issuers/issuers.ts';
import { listIssuers } from '../../src/store/issuers/known-issuers.ts';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import {
  type AuditFilter,
  countActsOfLastHour,
  insertAuditEntry,
  listAuditEntries,
} from '../../src/store/operators/audit-log.ts';
import { listAuditThings } from '../../src/store/operators/audit-things.ts';
import { describePerson, listTenantKeys } from '../../src/store/people.ts';
import { listRegistrations } from '../../src/store/registrations/known-registrations.ts';
import { insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { businessNow, DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';

describe('the audit log', () => {
  const ANY: AuditFilter = { actor: null, action: null, outcome: null, targets: null };
  const PAGE = { limit: 50, position: null };

  test('lists what happened to any of several things, from an instant to another', async ({ sql }) => {
    const api = asApi(sql);
    const now = new Date((await businessNow(sql)).getTime() + 11 * HOUR_MS); // All are newer than what other tests left.
    const actor = `operator:${randomUUID()}`;
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const add = (hours: number, target: string, related: string[] = []) =>
      at(sql, now, hours * HOUR_MS, () =>
        insertAuditEntry(api, { actor, action: 'pause', target, related, outcome: 'DONE' }),
      );
    await add(-9, one);
    await add(-3, two, [one]);
    await add(-1, three);
    await add(0, one, [two, three]);
    const list = async (filter: Partial<AuditFilter>) =>
      (await listAuditEntries(api, { ...ANY, actor, ...filter }, PAGE)).map(
        ({ happenedAt }) => (happenedAt.getTime() - now.getTime()) / HOUR_MS,
      );
    expect(await list({})).toEqual([0, -1, -3, -9]);
    expect(await list({ targets: [one] })).toEqual([0, -3, -9]);
    expect(await list({ targets: [randomUUID(), three] })).toEqual([0, -1]);
    const since = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
    expect(await list({ since: since(-3) })).toEqual([0, -1, -3]);
    expect(await list({ since: since(-2) })).toEqual([0, -1]);
    expect(await list({ before: since(-1) })).toEqual([-3, -9]);
    expect(await list({ since: since(-9), before: since(-3) })).toEqual([-9]);
  });

  test('counts the acts of an operator in the last hour', async ({ sql }) => {
    const api = asApi(sql);
    const now = await businessNow(sql);
    const [actor, other] = [`operator:${randomUUID()}`, `operator:${randomUUID()}`];
    const add = (ms: number, action: string, outcome = 'DONE', by = actor) =>
      at(sql, now, ms, () => insertAuditEntry(api, { actor: by, action, target: null, outcome }));
    await add(-HOUR_MS, 'pause');
    await add(1 - HOUR_MS, 'pause');
    await add(0, 'resume');
    await add(0, 'rename');
    await add(0, 'pause', 'REFUSED');
    await add(0, 'pause', 'DONE', other);
    const count = (most: number) => at(sql, now, 0, () => countActsOfLastHour(api, actor, ['pause', 'resume'], most));
    expect(await count(9)).toEqual({ count: 2, total: 4 });
    expect(await count(2)).toEqual({ count: 0, total: 2 });
  });

  test('names what its ids mean', async ({ sql }) => {
    const seeded = await seedApp(sql, { name: 'Harbour' });
    const { appId } = seeded.app;
    const { tokenId } = await insertAdminToken(sql, {
      label: 'on-call',
      role: 'VIEWER',
      expiresAt: new Date(Date.now() + DAY_MS),
    });
    const { attemptId } = await seedAttempt(sql, seeded);
    const ids = [appId, seeded.registrations.PROVIDER_A, tokenId, attemptId, randomUUID()];
    const things = await listAuditThings(asApi(sql), ids);
    expect(new Map(things.map(({ id, ...thing }) => [id, thing]))).toEqual(
      new Map<string, object>([
        [appId, { kind: 'APP', name: 'Harbour', appId }],
        [seeded.registrations.PROVIDER_A, { kind: 'REGISTRATION', name: 'Test client', appId: null }],
        [tokenId, { kind: 'ADMIN_TOKEN', name: 'on-call', appId: null }],
        [attemptId, { kind: 'ATTEMPT', name: 'PROVIDER_B', appId }],
      ]),
    );
  });
});

describe('a person', () => {
  test('is known by the scope of that app and tenant, and by other tenants of the app, by name', async ({ sql }) => {
    const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
    const { externalSubjectId } = seeded.newScope();
    const hold = (of: typeof seeded, tenantKey: string) => seedScope(sql, of, { tenantKey, externalSubjectId });
    // Without an index, whose order could hide that of the query.
    const ask = (tenantKey: string) =>
      inTransaction(asApi(sql), async (tx) => {
        for (const kind of ['indexscan', 'indexonlyscan', 'bitmapscan'])
          await tx.unsafe(`set local enable_${kind} = off`);
        return await describePerson(tx, { appId: seeded.app.appId, tenantKey, externalSubjectId });
      });
    await seedScope(sql, seeded, { tenantKey: 'd', externalSubjectId: 'another' });
    await seedScope(sql, seeded, { tenantKey: seeded.tenantKey, externalSubjectId: 'another' });
    await insertTenant(sql, other.app.appId, 'elsewhere');
    await hold(other, 'elsewhere');
    await hold(other, seeded.tenantKey);
    expect(await ask(seeded.tenantKey)).toEqual({ isTenant: true, isHeld: false, otherTenants: [] });
    for (const key of ['c', 'a', 'b']) await hold(seeded, key);
    expect(await ask('elsewhere')).toEqual({ isTenant: false, isHeld: false, otherTenants: ['a', 'b', 'c'] });
    expect(await ask('b')).toEqual({ isTenant: false, isHeld: true, otherTenants: ['a', 'c'] });
  });

  test('has a tenant whose key begins with what an operator types', async ({ sql }) => {
    const [appId, other] = [await insertApp(sql, 'One'), await insertApp(sql, 'Other')];
    for (const key of ['North-2', 'north-1', 'south', 'NORTH-3']) await insertTenant(sql, appId, key);
    await insertTenant(sql, other, 'north-4');
    expect(await listTenantKeys(asApi(sql), appId, 'nOrTh', 9)).toEqual(['NORTH-3', 'North-2', 'north-1']);
    expect(await listTenantKeys(asApi(sql), appId, 'north', 2)).toEqual(['NORTH-3', 'North-2']);
  });
});

test('issuers are listed oldest first, and by their ids if they are of one age', async ({ sql }) => {
  const now = await businessNow(sql);
  const insert = (ms: number) =>
    at(sql, now, ms, () =>
      insertIssuer(
        sql,
        { issuer: `https://${randomUUID()}.example`, clientId: 'client', tokenAuthMethod: 'client_secret_basic' },
        async () => 'sealed',
      ),
    );
  const [last, one, two, three] = [await insert(1), await insert(0), await insert(0), await insert(0)];
  const own = [last, one, two, three];
  const found = (await listIssuers(asApi(sql))).map(({ issuerId }) => issuerId).filter((id) => own.includes(id));
  expect(found).toEqual([...[one, two, three].sort(), last]);
});

test('registrations are listed by the ids that are asked for, each with its apps by how long it serves them', async ({
  sql,
}) => {
  const { app, registrations } = await seedApp(sql);
  const now = await businessNow(sql);
  const serve = async (ms: number): Promise<AppId> => {
    const appId = await insertApp(sql, 'Another');
    await at(sql, now, ms, () => insertRegistrationApp(sql, registrations.PROVIDER_A, appId));
    return appId;
  };
  const [last, one, two, three] = [await serve(1001), await serve(1000), await serve(1000), await serve(1000)];
  const found = await listRegistrations(asApi(sql), [registrations.PROVIDER_C, registrations.PROVIDER_A]);
  expect(found.map(({ registrationId }) => registrationId)).toEqual([
    registrations.PROVIDER_C,
    registrations.PROVIDER_A,
  ]);
  expect(found[1]?.apps.map(({ appId }) => appId)).toEqual([app.appId, ...[one, two, three].sort(), last]);
  expect(await listRegistrations(asApi(sql), [newId()])).toEqual([]);
});

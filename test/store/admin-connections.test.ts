import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import {
  type ConnectionFilter,
  countAdminConnections,
  findAdminConnection,
  listAdminConnections,
} from '../../src/store/connections/admin-connections.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

const ALL: ConnectionFilter = {
  appId: null,
  provider: null,
  registrationId: null,
  statuses: null,
  tenantKey: null,
  externalSubjectId: null,
};
const MANY = { limit: 50, after: null };

/** Connections of a new app: two of one subject, an hour apart, and a third of another tenant. */
async function seedThree(sql: Database) {
  const seeded = await seedApp(sql);
  const [scope, other] = [seeded.newScope(), { ...seeded.newScope(), tenantKey: 'another' }];
  const accountId = randomUUID();
  const ids = [
    await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A', providerAccountId: accountId }),
    await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_B', status: 'SUSPENDED' }),
    await seedConnection(sql, seeded, { scope: other, provider: 'PROVIDER_B' }),
  ];
  const [first, second, third] = ids as [ConnectionId, ConnectionId, ConnectionId];
  const hour = (index: number) => new Date(Date.UTC(2030, 0, 1, index));
  for (const [index, id] of ids.entries())
    await sql`update connection set created_at = ${hour(index)} where connection_id = ${id}`;
  return { seeded, scope, other, accountId, first, second, third, hour };
}

describe('connections that operators list', () => {
  test('are those that each condition names, newest first', async ({ sql }) => {
    const { seeded, scope, other, accountId, first, second, third, hour } = await seedThree(sql);
    const api = asApi(sql);
    const ofApp = { ...ALL, appId: seeded.app.appId };
    const expectFound = async (filter: Partial<ConnectionFilter>, ids: readonly ConnectionId[]) => {
      const wanted = { ...ofApp, ...filter };
      const found = await listAdminConnections(api, wanted, MANY);
      expect(
        found.map(({ connectionId }) => connectionId),
        JSON.stringify(filter),
      ).toEqual(ids);
      expect(await countAdminConnections(api, wanted)).toEqual({ count: ids.length, isExact: true });
    };
    await expectFound({}, [third, second, first]);
    await expectFound({ oldestFirst: true }, [first, second, third]);
    await expectFound({ provider: 'PROVIDER_B' }, [third, second]);
    await expectFound({ registrationId: seeded.registrations.PROVIDER_A }, [first]);
    await expectFound({ statuses: ['SUSPENDED'] }, [second]);
    await expectFound({ statuses: ['CONNECTED', 'SUSPENDED'] }, [third, second, first]);
    await expectFound({ statuses: ['CONNECTED', 'DELETING'] }, [third, first]);
    await expectFound({ tenantKey: 'another' }, [third]);
    await expectFound(scope, [second, first]);
    await expectFound({ ...scope, tenantKey: 'another' }, []);
    await expectFound({ externalSubjectId: scope.externalSubjectId }, [second, first]);
    await expectFound({ search: other.externalSubjectId }, [third]);
    await expectFound({ search: accountId }, [first]);
    await expectFound({ search: 'Harbour' }, [third, second, first]); // A handle; in any case.
    await expectFound({ search: 'harbou' }, []);
    await expectFound({ since: hour(1) }, [third, second]);
    await expectFound({ before: hour(1) }, [first]);
    // Beside another subject of the tenant, and the same of another tenant.
    for (const beside of [seeded.newScope(), { ...scope, tenantKey: 'another' }])
      await seedConnection(sql, seeded, { scope: beside, provider: 'PROVIDER_C' });
    await expectFound(scope, [second, first]);
    // Also without an app, though the twins of both have the same subject and account.
    const registrationId = seeded.registrations.PROVIDER_B;
    const { externalSubjectId } = scope;
    for (const subject of [scope, { externalSubjectId }])
      await expectFound({ appId: null, registrationId, ...subject }, [second]);
    // By everything at once.
    const [since, before] = [hour(1), hour(2)];
    await expectFound({ ...scope, registrationId, search: externalSubjectId, since, before }, [second]);
  });

  test('are counted exactly by provider and status, of all apps', async ({ sql }) => {
    await seedThree(sql);
    for (const [provider, statuses] of [
      ['PROVIDER_B', null],
      [null, ['SUSPENDED']],
      ['PROVIDER_B', ['CONNECTED', 'SUSPENDED']],
      [null, []],
      [null, null],
    ] as const) {
      const [row] = await sql`
        select count(*)::int as count from connection
        where (${provider}::text is null or provider = ${provider}::text)
          and (${statuses === null ? null : [...statuses]}::text[] is null or status = any(${statuses === null ? [] : [...statuses]}))
      `;
      expect(await countAdminConnections(asApi(sql), { ...ALL, provider, statuses })).toEqual({
        count: row?.count,
        isExact: true,
      });
    }
  });

  test('are found by the exact handle in any language, and in any case of its ASCII letters', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const api = asApi(sql);
    const find = async (search: string) => {
      const found = await listAdminConnections(api, { ...ALL, appId: seeded.app.appId, search }, MANY);
      return found.map(({ connectionId }) => connectionId);
    };
    for (const handle of ['École', 'ÖZGE', 'БЕРЕГ', 'é.COLE']) {
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      await sql`
        update connection set profile = jsonb_set(profile, '{handle}', to_jsonb(${handle}::text))
        where connection_id = ${connectionId}
      `;
      const otherCase = handle.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
      for (const search of [handle, `@${handle}`, otherCase])
        expect(await find(search), search).toEqual([connectionId]);
    }
  });

  test('come page by page, in both orders', async ({ sql }) => {
    const { seeded, first, second, third } = await seedThree(sql);
    await sql`
      update connection set created_at = (select created_at from connection where connection_id = ${second})
      where connection_id = ${third}
    `;
    const both = [second, third].sort();
    for (const oldestFirst of [true, false]) {
      const wanted = oldestFirst ? [first, ...both] : [...both.toReversed(), first];
      const read: ConnectionId[] = [];
      for (let after = null as { at: Date; id: string } | null; ; ) {
        const filter = { ...ALL, appId: seeded.app.appId, oldestFirst };
        const page = await listAdminConnections(asApi(sql), filter, { limit: 1, after });
        const [only] = page;
        if (only === undefined) break;
        expect(page).toHaveLength(1);
        expect(read).not.toContain(only.connectionId);
        read.push(only.connectionId);
        after = { at: only.createdAt, id: only.connectionId };
      }
      expect(read).toEqual(wanted);
    }
  });

  test('show whose they are, and the account’s name for 30 days', async ({ sql }) => {
    const now = await businessNow(sql);
    const { seeded, scope, first, accountId } = await at(sql, now, 0, () => seedThree(sql));
    const find = (ms: number) => at(sql, now, ms, () => findAdminConnection(asApi(sql), first));
    const shown = {
      connectionId: first,
      appId: seeded.app.appId,
      appName: 'Harbour Kitchen',
      ...scope,
      provider: 'PROVIDER_A',
      providerAccountId: accountId,
      registrationId: seeded.registrations.PROVIDER_A,
      registrationLabel: 'Test client',
      status: 'CONNECTED',
      accountName: 'Harbour',
      accountHandle: 'harbour',
    };
    expect(await find(30 * DAY_MS - 1)).toMatchObject(shown);
    expect(await find(30 * DAY_MS)).toMatchObject({ ...shown, accountName: null, accountHandle: null });
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { findAdminConnection } from '../../src/store/connections/admin-connections.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

test('a connection shows operators whose it is, and the account’s name for 30 days', async ({ sql }) => {
  const [seeded, now] = [await seedApp(sql), await businessNow(sql)];
  const [scope, accountId] = [seeded.newScope(), randomUUID()];
  const options = { scope, provider: 'PROVIDER_A', providerAccountId: accountId } as const;
  const connectionId = await at(sql, now, 0, () => seedConnection(sql, seeded, options));
  const find = (ms: number) => at(sql, now, ms, () => findAdminConnection(asApi(sql), connectionId));
  const shown = {
    ...{ connectionId, appId: seeded.app.appId, appName: 'Harbour Kitchen', ...scope, provider: 'PROVIDER_A' },
    ...{ providerAccountId: accountId, registrationId: seeded.registrations.PROVIDER_A, status: 'CONNECTED' },
    ...{ registrationLabel: 'Test client', accountName: 'Harbour', accountHandle: 'harbour' },
  };
  expect(await find(30 * DAY_MS - 1)).toMatchObject(shown);
  expect(await find(30 * DAY_MS)).toMatchObject({ ...shown, accountName: null, accountHandle: null });
});

import { expect } from 'vitest';
import { CAPABILITIES } from '../../src/basics/codes.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { deleteTenant, insertTenant } from '../../src/store/apps/tenants.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { deleteRegistrationApp, updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, setEnabled } from '../kit/seed.ts';

const WELL = {
  appEnabled: true,
  tenantRegistered: true,
  allowedCapabilities: [...CAPABILITIES],
  registrationServes: true,
  registrationPaused: false,
  grantLive: true,
};

test('a connection stands by its own app, tenant, policy, registration and grant', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const [{ appId }, registrationId] = [seeded.app, seeded.registrations.PROVIDER_B];
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const standing = async () => (await findConnection(asApi(sql), connectionId))?.standing;

  expect(await standing()).toEqual(WELL);
  await setEnabled(sql, appId, false);
  expect(await standing()).toEqual({ ...WELL, appEnabled: false });
  await setEnabled(sql, appId, true);

  await insertTenant(sql, appId, 'another');
  await deleteTenant(sql, appId, seeded.tenantKey);
  expect(await standing()).toEqual({ ...WELL, tenantRegistered: false });
  await insertTenant(sql, appId, seeded.tenantKey);

  await updatePolicy(sql, appId, 'PROVIDER_B', { capabilities: ['PROFILE'] });
  expect(await standing()).toEqual({ ...WELL, allowedCapabilities: ['PROFILE'] });
  await updatePolicy(sql, appId, 'PROVIDER_B', { capabilities: [] });
  expect(await standing()).toEqual({ ...WELL, allowedCapabilities: null });
  await updatePolicy(sql, appId, 'PROVIDER_B', { capabilities: CAPABILITIES });

  await insertRegistrationApp(sql, registrationId, other.app.appId);
  await deleteRegistrationApp(sql, registrationId, appId);
  expect(await standing()).toEqual({ ...WELL, registrationServes: false });
  await insertRegistrationApp(sql, registrationId, appId);
  await updatePaused(sql, registrationId, true);
  expect(await standing()).toEqual({ ...WELL, registrationPaused: true });
  await updatePaused(sql, registrationId, false);
  expect(await standing()).toEqual(WELL);
});

test('a connection stands without a live grant from the instant at which its refresh token expires', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const [connectionId, beside] = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ];
  const expiresAt = new Date((await businessNow(sql)).getTime() + DAY_MS);
  await sql`update account_grant set refresh_expires_at = ${expiresAt} where connection_id = ${connectionId}`;
  const isLive = (of: typeof connectionId, ms: number) =>
    at(sql, expiresAt, ms, async () => (await findConnection(asApi(sql), of))?.standing.grantLive);
  expect([await isLive(connectionId, -1), await isLive(connectionId, 0)]).toEqual([true, false]);
  expect(await isLive(beside, 0)).toBe(true);
  const grant = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
  await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId));
  expect(await isLive(connectionId, -1)).toBe(false);
});

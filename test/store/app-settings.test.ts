import { describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { type AppId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { deleteReturnUrl, insertReturnUrl } from '../../src/store/apps/addresses.ts';
import { deleteUnusedApp, insertApp, readAppUse } from '../../src/store/apps/apps.ts';
import { issueKey, revokeKey } from '../../src/store/apps/keys.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { getReadiness } from '../../src/store/apps/readiness.ts';
import { findRegisteredApp } from '../../src/store/apps/registered-apps.ts';
import { deleteTenant } from '../../src/store/apps/tenants.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { updateIdentityEnabled } from '../../src/store/issuers/identity-settings.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { insertWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { businessNow, HOUR_MS, moveClock } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

describe('an app', () => {
  test('is counted, and deletable until its first use', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const api = asApi(sql);
    const { appId } = seeded.app;
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 0, deletable: false }); // It has a key.
    await revokeKey(api, seeded.keyId);
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 0, deletable: true });
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 2, deletable: false });
  });

  test('is deletable with an expired key, and no more after an event', async ({ sql }) => {
    const api = asApi(sql);
    const appId = await insertApp(api, 'Unused');
    await issueKey(api, appId, new Date((await businessNow(sql)).getTime() + HOUR_MS));
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 0, deletable: false });
    await moveClock(sql, HOUR_MS);
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 0, deletable: true });
    const endpointId = newId<WebhookEndpointId>();
    await inTransaction(api, async (tx) => {
      await insertWebhookEndpoint(tx, {
        endpointId,
        appId,
        url: 'https://caller.example/hooks',
        eventTypes: ['job.finished'],
      });
      await insertTestEvent(tx, endpointId);
    });
    expect(await readAppUse(api, appId)).toEqual({ connectionCount: 0, deletable: false });
    expect(await deleteUnusedApp(api, appId)).toBe(false);
  });
});

describe('a policy', () => {
  test('keeps its part of the quota unless it is named, and is gone without a capability', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const api = asApi(sql);
    const policies = async () =>
      (await findRegisteredApp(api, app.appId))?.policies.map((one) => [
        one.provider,
        one.capabilities,
        one.quotaPercent,
      ]);
    await updatePolicy(api, app.appId, 'PROVIDER_B', { capabilities: ['PROFILE'], quotaPercent: 30 });
    await updatePolicy(api, app.appId, 'PROVIDER_B', { capabilities: ['CONTENT_LIST'] });
    await updatePolicy(api, app.appId, 'PROVIDER_C', { capabilities: [] });
    expect(await policies()).toEqual([
      ['PROVIDER_A', [...CAPABILITIES], null],
      ['PROVIDER_B', ['CONTENT_LIST'], 30],
    ]);
    await updatePolicy(api, app.appId, 'PROVIDER_B', { capabilities: ['PROFILE'], quotaPercent: null });
    await updatePolicy(api, app.appId, 'PROVIDER_C', { capabilities: ['PROFILE'], quotaPercent: 5 });
    expect(await policies()).toEqual([
      ['PROVIDER_A', [...CAPABILITIES], null],
      ['PROVIDER_B', ['PROFILE'], null],
      ['PROVIDER_C', ['PROFILE'], 5],
    ]);
  });
});

describe('the readiness of an app', () => {
  const ready = (sql: Parameters<typeof getReadiness>[0], appId: AppId, allowHttp = false) =>
    getReadiness(sql, appId, { allowHttp });

  test('needs for each provider a policy and a registration in use', async ({ sql }) => {
    const { app, registrations } = await seedApp(sql);
    const api = asApi(sql);
    expect(await ready(api, app.appId)).toEqual({ providers: [...PROVIDER_NAMES], identity: true });
    await updatePolicy(api, app.appId, 'PROVIDER_A', { capabilities: [] });
    await sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_B}`;
    expect(await ready(api, app.appId)).toEqual({ providers: ['PROVIDER_C'], identity: true });
    await sql`update registration set rejected_at = business_now() where registration_id = ${registrations.PROVIDER_C}`;
    await updateIdentityEnabled(api, app.appId, false);
    expect(await ready(api, app.appId)).toEqual({ providers: [], identity: false });
  });

  test('needs a tenant, and return URLs that it may use', async ({ sql }) => {
    const { app, tenantKey, returnUrl } = await seedApp(sql);
    const api = asApi(sql);
    await deleteReturnUrl(api, app.appId, returnUrl);
    expect(await ready(api, app.appId)).toEqual({ providers: [], identity: true });
    await insertReturnUrl(api, app.appId, 'http://localhost/done');
    expect(await ready(api, app.appId)).toEqual({ providers: [], identity: true });
    expect(await ready(api, app.appId, true)).toEqual({ providers: [...PROVIDER_NAMES], identity: true });
    await sql`update app_identity set return_url = 'http://localhost/in' where app_id = ${app.appId}`;
    expect((await ready(api, app.appId)).identity).toBe(false);
    expect((await ready(api, app.appId, true)).identity).toBe(true);
    await deleteTenant(api, app.appId, tenantKey);
    expect(await ready(api, app.appId, true)).toEqual({ providers: [], identity: false });
  });
});

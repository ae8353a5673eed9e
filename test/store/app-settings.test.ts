import { describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { type AppId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import {
  deleteLaunchOrigin,
  deleteReturnUrl,
  insertLaunchOrigin,
  insertReturnUrl,
  listLaunchOrigins,
} from '../../src/store/apps/addresses.ts';
import { deleteUnusedApp, insertApp, listAppNames, readAppUse, updateApp } from '../../src/store/apps/apps.ts';
import { issueKey, revokeKey } from '../../src/store/apps/keys.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { getReadiness } from '../../src/store/apps/readiness.ts';
import { findRegisteredApp, listApps } from '../../src/store/apps/registered-apps.ts';
import { deleteTenant, findTenant, insertTenant, isTenant, listTenants } from '../../src/store/apps/tenants.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { updateIdentityEnabled } from '../../src/store/issuers/identity-settings.ts';
import { insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { insertWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { businessNow, HOUR_MS, moveClock } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

describe('the addresses of an app', () => {
  test('are its own: added once, listed as origins, deleted one by one', async ({ sql }) => {
    const { app, returnUrl, identityReturnUrl } = await seedApp(sql);
    const api = asApi(sql);
    for (const url of ['https://two.example/a', 'https://one.example/done', 'https://one.example/done'])
      await insertReturnUrl(api, app.appId, url);
    for (const origin of ['https://other.example', 'https://launch.example', 'https://launch.example'])
      await insertLaunchOrigin(api, app.appId, origin);
    expect(await findRegisteredApp(api, app.appId)).toMatchObject({
      returnUrls: [returnUrl, 'https://one.example/done', 'https://two.example/a'],
      launchOrigins: ['https://launch.example', 'https://other.example'],
      identity: { returnUrl: identityReturnUrl },
    });
    const other = await insertApp(api, 'Another');
    await insertReturnUrl(api, other, 'https://not-ours.example/done');
    await insertLaunchOrigin(api, other, 'https://not-ours-either.example');
    expect(new Set(await listLaunchOrigins(api, app.appId))).toEqual(
      new Set([
        'https://caller.example',
        'https://one.example',
        'https://two.example',
        'https://launch.example',
        'https://other.example',
      ]),
    );
    expect(await deleteReturnUrl(api, app.appId, returnUrl)).toBe(true);
    expect(await deleteReturnUrl(api, app.appId, returnUrl)).toBe(false);
    expect(await deleteReturnUrl(api, app.appId, 'https://not-ours.example/done')).toBe(false);
    expect(await deleteLaunchOrigin(api, app.appId, 'https://other.example')).toBe(true);
    expect(await deleteLaunchOrigin(api, app.appId, 'https://not-ours-either.example')).toBe(false);
    expect(await findRegisteredApp(api, app.appId)).toMatchObject({
      returnUrls: ['https://one.example/done', 'https://two.example/a'],
      launchOrigins: ['https://launch.example'],
    });
    expect(await listLaunchOrigins(api, other)).toEqual([
      'https://not-ours-either.example',
      'https://not-ours.example',
    ]);
  });
});

describe('the tenants of an app', () => {
  test('are listed by their keys, each with its connections, and added once', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const { app, tenantKey, newScope } = seeded;
    const api = asApi(sql);
    for (const key of ['b', 'a', 'a', 'c']) await insertTenant(api, app.appId, key);
    await seedConnection(sql, seeded, { scope: newScope() });
    await seedConnection(sql, seeded, { scope: newScope() });
    await seedConnection(sql, seeded, { scope: { ...newScope(), tenantKey: 'b' } });
    const list = async (page: { limit: number; after: string | null }) =>
      (await listTenants(api, app.appId, page)).map((one) => [one.tenantKey, one.connectionCount]);
    expect(await list({ limit: 9, after: null })).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
      [tenantKey, 2],
    ]);
    expect(await list({ limit: 2, after: 'a' })).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    expect(await findTenant(api, app.appId, 'b')).toMatchObject({ tenantKey: 'b', connectionCount: 1 });
    expect(await isTenant(api, app.appId, 'c')).toBe(true);
    await deleteTenant(api, app.appId, 'c');
    expect(await isTenant(api, app.appId, 'c')).toBe(false);
    expect(await list({ limit: 9, after: 'b' })).toEqual([[tenantKey, 2]]);
    expect(await isTenant(api, newId<AppId>(), 'a')).toBe(false);
  });
});

describe('an app', () => {
  test('shows its own settings', async ({ sql }) => {
    const { app, keyId, issuerId, registrations } = await seedApp(sql);
    const found = await findRegisteredApp(asApi(sql), app.appId);
    expect(found?.keys.map((key) => key.keyId)).toEqual([keyId]);
    expect(found).toMatchObject({ ...app, tenantCount: 1, identity: { issuerId, enabled: true } });
    const second = (await issueKey(asApi(sql), app.appId, null)).keyId;
    const keys = async (age: string) => {
      await sql`update app_key set created_at = business_now() - ${age}::interval where key_id = ${keyId}`;
      await sql`update app_key set created_at = business_now() where key_id = ${second}`;
      return (await findRegisteredApp(asApi(sql), app.appId))?.keys.map((key) => key.keyId);
    };
    expect([await keys('1 minute'), await keys('-1 minute')]).toEqual([
      [second, keyId],
      [keyId, second],
    ]);
    expect(found?.policies.map(({ provider }) => provider)).toEqual([...PROVIDER_NAMES]);
    expect(found?.registrationIds).toEqual(expect.arrayContaining(Object.values(registrations)));
    expect(found?.registrationIds).toHaveLength(2 * PROVIDER_NAMES.length); // With the paused ones of the fixture.
  });

  test('changes what is named, and nothing else', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const api = asApi(sql);
    const nothing = { name: null, requestsPerSecond: null, enabled: null };
    const read = async () => await findRegisteredApp(api, app.appId);
    expect(await updateApp(api, app.appId, nothing)).toBe(true);
    expect(await read()).toMatchObject(app);
    await updateApp(api, app.appId, { ...nothing, name: 'New' });
    await updateApp(api, app.appId, { ...nothing, requestsPerSecond: 7 });
    await updateApp(api, app.appId, { ...nothing, enabled: false });
    expect(await read()).toMatchObject({ name: 'New', requestsPerSecond: 7, enabled: false });
    expect(await updateApp(api, newId<AppId>(), nothing)).toBe(false);
    const other = await insertApp(api, 'Other');
    expect(await listAppNames(api, [app.appId, other])).toEqual(
      new Map([
        [app.appId, 'New'],
        [other, 'Other'],
      ]),
    );
  });

  test('is found by a part of its name or the beginning of its id, newest first, page by page', async ({ sql }) => {
    const api = asApi(sql);
    const word = newId<AppId>().slice(0, 13);
    const ids: AppId[] = [];
    for (const name of [`A ${word}`, `B ${word.toUpperCase()} b`, `C ${word}`]) {
      ids.unshift(await insertApp(api, name));
      await sql`update app set created_at = business_now() - make_interval(secs => ${100 - ids.length}) where app_id = ${ids[0] ?? ''}`;
    }
    const list = async (search: string, page: Parameters<typeof listApps>[2]) =>
      (await listApps(api, { search }, page)).map(({ appId }) => appId);
    expect(await list(` ${word}`, { limit: 9, after: null })).toEqual(ids);
    expect(await list(word, { limit: 2, after: null })).toEqual(ids.slice(0, 2));
    const [second] = await listApps(api, { search: ids[1]?.slice(0, 20) ?? '' }, { limit: 9, after: null });
    expect(second?.appId).toBe(ids[1]);
    const after = { at: second?.createdAt as Date, id: ids[1] as AppId };
    expect(await list(word, { limit: 9, after })).toEqual(ids.slice(2));
  });

  test('of one instant comes by its id, with its keys, policies and registrations in their order', async ({ sql }) => {
    const api = asApi(sql);
    const now = await businessNow(sql);
    const word = newId<AppId>();
    const made = (ms: number) => at(sql, now, ms, () => insertApp(api, word));
    const ids = [await made(0), await made(0), await made(0)].sort().reverse();
    const newest = await made(1);
    const list = async (page: Parameters<typeof listApps>[2]) =>
      (await listApps(api, { search: word }, page)).map(({ appId }) => appId);
    expect(await list({ limit: 9, after: null })).toEqual([newest, ...ids]);
    expect(await list({ limit: 9, after: { at: now, id: ids[0] as AppId } })).toEqual(ids.slice(1));
    for (const provider of ['PROVIDER_C', 'PROVIDER_A', 'PROVIDER_B'] as const)
      await updatePolicy(api, newest, provider, { capabilities: ['PROFILE'] });
    const keys = await at(sql, now, 1, async () => [
      (await issueKey(api, newest, null)).keyId,
      (await issueKey(api, newest, null)).keyId,
    ]);
    const other = await seedApp(sql);
    const served = Object.values(other.registrations).sort();
    await at(sql, now, 1, async () => {
      for (const id of served.toReversed()) await insertRegistrationApp(api, id, newest);
    });
    const found = await findRegisteredApp(api, newest);
    expect(found?.policies.map(({ provider }) => provider)).toEqual(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C']);
    expect(found?.keys.map(({ keyId }) => keyId)).toEqual(keys.toSorted());
    expect(found?.registrationIds).toEqual(served);
    const [last] = served.splice(1, 1);
    await sql`
      update registration_app set serves_since = serves_since + interval '1 second'
      where app_id = ${newest} and registration_id = ${last ?? null}
    `;
    expect((await findRegisteredApp(api, newest))?.registrationIds).toEqual([...served, last]);
  });

  test('is counted, and deletable while nobody has used it', async ({ sql }) => {
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

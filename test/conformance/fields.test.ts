import { describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/providers/provider.ts';
import { conformanceTest, DAY, iso, NOW } from '../kit/conformance.ts';
import type { Answer } from '../kit/graphql.ts';
import { available, freezeClock, seedConnection, seedContent, seedCoverage } from '../kit/seed.ts';
import { seedReadJob, seedReceipt, seedSignIn } from './rows.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW), first: 50 };
const STATUSES = ['SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const;
const LIKES = { name: 'LIKES', value: '7', availability: 'AVAILABLE', reason: null, sourceField: 'like_count' };

describe('Connection', () => {
  test("2 field rule 2: it shows the platform's id of the account, in the profile, too", async ({ client, sql }) => {
    for (const provider of PROVIDER_NAMES) {
      const id = await seedConnection(sql, client.seeded, { scope: client.scope, provider });
      await sql`update connection set provider_account_id = ${`account-of-${provider}`} where connection_id = ${id}`;
      const connection = await client.ask('connection', { id });
      expect(connection).toMatchObject({ provider, providerAccountId: `account-of-${provider}` });
      expect(connection.profile.providerAccountId).toBe(`account-of-${provider}`);
    }
  });

  test('2 field rule 3: capabilities are those granted, each with how it stands', async ({ client, sql }) => {
    const states = [
      ...available('PROFILE', 'CONTENT_LIST'),
      { capability: 'CONTENT_METRICS', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' } as const,
    ];
    const id = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities: states });
    expect((await client.ask('connection', { id })).capabilities).toEqual(states);
  });

  test('2 field rule 4: there is no profile without PROFILE, or with PROFILE not available', async ({
    client,
    sql,
  }) => {
    const withdrawn = { capability: 'PROFILE', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' } as const;
    for (const capabilities of [available('CONTENT_LIST'), [withdrawn], []]) {
      const id = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities });
      expect((await client.ask('connection', { id })).profile).toBeNull();
    }
    const id = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities: available('PROFILE') });
    expect((await client.ask('connection', { id })).profile).toMatchObject({ handle: 'harbour' });
  });

  test('2 field rule 4 + 8 profile freshness: a profile shows until a millisecond before it is 30 days old', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const id = await seedConnection(sql, client.seeded, { scope: client.scope });
    await freezeClock(sql, new Date(NOW + 30 * DAY - 1));
    expect((await client.ask('connection', { id })).profile).toMatchObject({ observedAt: iso(NOW) });
    await freezeClock(sql, new Date(NOW + 30 * DAY));
    expect((await client.ask('connection', { id })).profile).toBeNull();
    const [listed] = (await client.ask('connections')).items;
    expect(listed).toMatchObject({ id, profile: null });
  });

  test('2 field rule 4 + 2 field rule 5 + 3 connection not connected: other statuses show the row, no profile, no times', async ({
    client,
    sql,
  }) => {
    const at = new Date(NOW);
    for (const status of STATUSES) {
      const owner = client.for();
      const id = await seedConnection(sql, client.seeded, { scope: owner.scope, status });
      await sql`update connection set last_successful_sync_at = ${at} where connection_id = ${id}`;
      const scan = await seedReadJob(sql, id, { kind: 'SCAN', status: 'RUNNING' });
      await sql`update read_job set next_retry_at = ${at} where job_id = ${scan}`;
      const shown = { id, status, profile: null, lastSuccessfulSyncAt: null, nextRetryAt: null };
      expect(await owner.ask('connection', { id })).toMatchObject(shown);
      expect((await owner.ask('connections')).items).toMatchObject([shown]);
      await sql`update connection set status = 'CONNECTED' where connection_id = ${id}`;
      expect(await owner.ask('connection', { id })).toMatchObject({
        profile: { handle: 'harbour' },
        lastSuccessfulSyncAt: iso(NOW),
        nextRetryAt: iso(NOW),
      });
    }
  });
});

describe('ContentItem', () => {
  test('2 field rule 7: metrics need CONTENT_METRICS, granted and available', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const withdrawn = { capability: 'CONTENT_METRICS', availability: 'NOT_GRANTED', reason: 'X' } as const;
    const cases = [
      [available('CONTENT_LIST', 'CONTENT_METRICS'), 1],
      [available('CONTENT_LIST'), 0],
      [[...available('CONTENT_LIST'), withdrawn], 0],
    ] as const;
    for (const [capabilities, count] of cases) {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities });
      const providerContentId = await seedContent(sql, connectionId, {
        publishedAt: new Date(NOW - 1),
        metrics: [LIKES],
      });
      const page = await client.ask('content', { connectionId, window: WINDOW });
      expect(page.items[0].metrics).toHaveLength(count);
      expect((await client.ask('contentItem', { connectionId, providerContentId })).metrics).toHaveLength(count);
    }
  });

  test('2 field rule 8 + 8 post freshness + 4 query rule 5: a post is listed until a millisecond before 30 days, then read as EXPIRED', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const publishedAt = new Date(NOW - DAY);
    const providerContentId = await seedContent(sql, connectionId, { publishedAt, metrics: [LIKES] });
    const read = async () => ({
      listed: (await client.ask('content', { connectionId, window: WINDOW })).items,
      item: await client.ask('contentItem', { connectionId, providerContentId }),
    });
    await freezeClock(sql, new Date(NOW + 30 * DAY - 1));
    const fresh = await read();
    expect(fresh.listed).toMatchObject([{ providerContentId, observedAt: iso(NOW), availability: 'AVAILABLE' }]);
    expect(fresh.item).toEqual(fresh.listed[0]);
    await freezeClock(sql, new Date(NOW + 30 * DAY));
    const old = await read();
    expect(old.listed).toEqual([]);
    expect(old.item).toEqual({
      id: fresh.item.id,
      providerContentId,
      provider: 'PROVIDER_B',
      kind: 'UNKNOWN',
      canonicalUrl: null,
      thumbnailUrl: null,
      title: null,
      description: null,
      publishedAt: null,
      availability: 'UNAVAILABLE',
      reason: 'EXPIRED',
      observedAt: iso(NOW),
      metrics: [],
    });
  });

  test('2 field rule 9: a post that is gone says so, and can still be read and asked for by its id', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date() });
    await sql`
      update content_item set availability = 'UNAVAILABLE', reason = 'CONTENT_NOT_FOUND' where connection_id = ${connectionId}
    `;
    const item = await client.ask('contentItem', { connectionId, providerContentId });
    expect(item).toMatchObject({ providerContentId, availability: 'UNAVAILABLE', reason: 'CONTENT_NOT_FOUND' });
    expect(await client.outcome('requestRefresh', { connectionId, providerContentId })).toBe('answered');
  });
});

test('2 field rule 11: completeForWindow is true with a reason of null, or false with a reason', async ({
  client,
  sql,
}) => {
  await freezeClock(sql, new Date(NOW));
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const pageInfo = async () => (await client.ask('content', { connectionId, window: WINDOW })).pageInfo;
  expect(await pageInfo()).toMatchObject({ completeForWindow: false, incompleteReason: 'NEVER_SCANNED' });
  const range = { publishedAfter: new Date(WINDOW.publishedAfter), publishedBefore: new Date(NOW) };
  await seedCoverage(sql, connectionId, { ...range, scannedAt: new Date(NOW) });
  expect(await pageInfo()).toMatchObject({ completeForWindow: true, incompleteReason: null });
});

describe('SyncJob', () => {
  test('2 field rule 12: only a revoke receipt asks the person to remove the app', async ({ client, sql, api }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { revokeJobId, eraseJobId } = await client.ask('disconnectConnection', { connectionId });
    const action = async (id: string) => (await client.ask('syncJob', { connectionId, id })).creatorAction;
    expect([await action(revokeJobId), await action(eraseJobId)]).toEqual([null, null]);
    await seedReceipt(api.sql, revokeJobId, { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    expect([await action(revokeJobId), await action(eraseJobId)]).toEqual(['REMOVE_APP_AT_PROVIDER', null]);
  });

  test('2 field rule 13: each kind of job fills in the fields of its own', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const job = async (row: Parameters<typeof seedReadJob>[2]): Promise<Answer> => {
      const id = await seedReadJob(sql, connectionId, row);
      return await client.ask('syncJob', { connectionId, id });
    };
    const empty = {
      resultProviderContentId: null,
      completeForWindow: null,
      incompleteReason: null,
      continuationCursor: null,
    };
    expect(await job({ kind: 'LOOKUP', status: 'SUCCEEDED', result: 'post-1' })).toMatchObject({
      ...empty,
      resultProviderContentId: 'post-1',
    });
    expect(await job({ kind: 'LOOKUP', status: 'FAILED' })).toMatchObject(empty);
    expect(await job({ kind: 'METRICS', status: 'SUCCEEDED' })).toMatchObject(empty);
    expect(await job({ kind: 'SCAN', status: 'SUCCEEDED', reachedEnd: true })).toMatchObject({
      ...empty,
      completeForWindow: true,
    });
    expect(await job({ kind: 'SCAN', status: 'FAILED' })).toMatchObject({ ...empty, completeForWindow: false });
    expect(await job({ kind: 'SCAN', status: 'RUNNING' })).toMatchObject(empty);
    const cut = await job({ kind: 'SCAN', status: 'SUCCEEDED', cursor: 'page-2', incompleteReason: 'MAX_ITEMS' });
    expect(cut).toMatchObject({ completeForWindow: false, incompleteReason: 'MAX_ITEMS' });
    expect(cut.continuationCursor).toEqual(expect.any(String));
  });
});

test('2 field rule 14: an attempt names a connection when COMPLETED only, and REMOVE_APP_AT_PROVIDER or nothing', async ({
  client,
  sql,
}) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const { id } = await client.createSession();
  const result = async () => await client.ask('connectSessionResult', { id });
  expect(await result()).toMatchObject({ status: 'CREATED', connectionId: null, creatorAction: null });
  await sql`update connect_attempt set status = 'COMPLETED', connection_id = ${connectionId} where attempt_id = ${id}`;
  expect(await result()).toMatchObject({ status: 'COMPLETED', connectionId, creatorAction: null });
  await sql`
    update connect_attempt set status = 'FAILED', result_code = 'EXCHANGE_FAILED', connection_id = null,
      creator_action = 'REMOVE_APP_AT_PROVIDER' where attempt_id = ${id}
  `;
  expect(await result()).toMatchObject({ connectionId: null, creatorAction: 'REMOVE_APP_AT_PROVIDER' });
});

test('2 field rule 15: a completed sign-in names issuer and person; any other nothing of them', async ({
  client,
  api,
}) => {
  const claims = {
    issuer: 'https://idp.example',
    idpSub: 'sub-1',
    email: 'kim@example.com',
    emailVerified: false,
    name: 'Kim 金',
    pictureUrl: null,
  };
  const redeem = async (status: 'COMPLETED' | 'DENIED' | 'FAILED') => {
    const { id, resultProof } = await client.createSignIn();
    await seedSignIn(api, id, status, claims);
    return await client.ask('redeemIdpIdentityResult', { id, tenantKey: client.scope.tenantKey, resultProof });
  };
  expect(await redeem('COMPLETED')).toEqual({ status: 'COMPLETED', ...claims });
  const nothing = Object.fromEntries(Object.keys(claims).map((name) => [name, null]));
  for (const status of ['DENIED', 'FAILED'] as const) expect(await redeem(status)).toEqual({ status, ...nothing });
});

describe('IntegrationReadiness', () => {
  test('2 field rule 16: each provider is there once, available by policy, registration and its pause', async ({
    client,
    sql,
  }) => {
    const { app, registrations } = client.seeded;
    const available = async () =>
      (await client.ask('integrationReadiness')).providers
        .filter((one: Answer) => one.available)
        .map((one: Answer) => one.provider);
    expect((await client.ask('integrationReadiness')).providers.map((one: Answer) => one.provider)).toEqual(
      PROVIDER_NAMES,
    );
    expect(await available()).toEqual(PROVIDER_NAMES);
    await sql`delete from app_policy where app_id = ${app.appId} and provider = 'PROVIDER_A'`;
    expect(await available()).toEqual(['PROVIDER_B', 'PROVIDER_C']);
    await sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_B}`;
    expect(await available()).toEqual(['PROVIDER_C']);
    await sql`delete from registration_app where registration_id = ${registrations.PROVIDER_C}`;
    expect(await available()).toEqual([]);
    expect(CAPABILITIES).toHaveLength(4);
  });

  test('2 field rule 16: what it says of a provider is what an attempt there meets', async ({ client, sql }) => {
    const { registrations } = client.seeded;
    await sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_A}`;
    for (const { provider, available } of (await client.ask('integrationReadiness')).providers) {
      const outcome = await client.createSession({ provider }).then(
        () => true,
        () => false,
      );
      expect(outcome, provider).toBe(available);
    }
  });

  test('2 field rule 17: a sign-in is available while its settings are enabled and a tenant is there', async ({
    client,
    sql,
  }) => {
    const { app } = client.seeded;
    const ready = async () => (await client.ask('integrationReadiness')).idpIdentityAvailable;
    expect(await ready()).toBe(true);
    await sql`update app_identity set enabled = false where app_id = ${app.appId}`;
    expect(await ready()).toBe(false);
    await sql`update app_identity set enabled = true where app_id = ${app.appId}`;
    await sql`delete from tenant where app_id = ${app.appId}`;
    expect(await ready()).toBe(false);
    await sql`delete from app_identity where app_id = ${app.appId}`;
    expect(await ready()).toBe(false);
  });
});

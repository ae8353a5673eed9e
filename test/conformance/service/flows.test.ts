import { describe, expect, vi } from 'vitest';
import type { Answer } from '../../kit/graphql.ts';
import { refusalOf } from '../../kit/graphql.ts';
import { lastDays, PERMISSIONS, type Person } from '../../kit/person.ts';
import type { TestService } from '../../kit/service.ts';
import { stackTest } from '../../kit/stack.ts';

/** The service with worker, Temporal and all platforms. Siblings are suspended, as in production. */
const test = stackTest({ adjustments: { SUSPEND_SIBLINGS: 'true' } });

const codeOf = async (answer: Promise<unknown>) => (await refusalOf(answer)).code;
const until = <T>(check: () => Promise<T | false>) => vi.waitUntil(check, { timeout: 60_000, interval: 100 });

/** Makes the platform refuse revokes of the account. @returns a function that restores it. */
const holdRevokes = ({ sandbox }: TestService, provider: 'PROVIDER_A' | 'PROVIDER_B', account: string) => {
  const status = { kind: 'status', status: 503 } as const;
  const { id } = sandbox.control.addFault({ provider, route: 'revoke', account, what: status, times: null });
  return () => sandbox.control.removeFault(id);
};

const statusOf = async (person: Person, id: string) => (await person.connection(id)).status;

const scan = async (person: Person, connectionId: string, days = 6): Promise<Answer> => {
  const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(days) });
  return await person.ended(connectionId, id);
};

describe('connecting', () => {
  test('2 field rule 1 + D same account + 3 attempt completed: an account keeps its connection when it is reconnected or connected again', async ({
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /short pages/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const again = await person.connect('PROVIDER_B', account);
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId, resultCode: null });
    const reconnected = await person.connect('PROVIDER_B', account, { reconnectConnectionId: connectionId });
    expect(reconnected).toMatchObject({ status: 'COMPLETED', connectionId });
    expect((await person.ask('connections')).items).toMatchObject([{ id: connectionId, status: 'CONNECTED' }]);
  });

  test('D first scan + 2 field rule 6: profile and posts are read without a request; each platform omits the fields it lacks', async ({
    newPerson,
  }) => {
    const person = newPerson();
    for (const [provider, field] of [
      ['PROVIDER_A', 'thumbnailUrl'],
      ['PROVIDER_C', 'title'],
    ] as const) {
      const { connectionId } = await person.connect(provider, person.account(provider, /^250 posts/));
      const connection = await person.synced(connectionId);
      expect(connection).toMatchObject({ syncStatus: 'READY', profile: { displayName: expect.any(String) } });
      expect(connection.lastSuccessfulSyncAt).not.toBeNull();
      const posts = await person.posts(connectionId, lastDays(6));
      expect(posts.length).toBeGreaterThan(3);
      expect(new Set(posts.map((post) => post[field]))).toEqual(new Set([null]));
    }
  });

  test('D attempt canceled: a newer attempt that completes cancels the others for the same connection', async ({
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /short pages/);
    const { connectionId: reconnectConnectionId } = await person.connect('PROVIDER_B', account);
    const older = await person.createSession('PROVIDER_B', { reconnectConnectionId });
    expect(await person.connect('PROVIDER_B', account, { reconnectConnectionId })).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await person.ask('connectSessionResult', { id: older.id })).toMatchObject({
      status: 'CANCELED',
      resultCode: 'CANCELED',
    });
  });

  test('D capability states: a withdrawn permission shows as NOT_GRANTED, and the job says why it failed', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /right to left/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    service.sandbox.control.withdraw(account, 'video.list');
    expect(await scan(person, connectionId)).toMatchObject({ status: 'FAILED', errorCode: 'CAPABILITY_UNAVAILABLE' });
    const { capabilities } = await person.connection(connectionId);
    expect(capabilities).toContainEqual({
      capability: 'CONTENT_LIST',
      availability: 'NOT_GRANTED',
      reason: expect.any(String),
    });
    expect(await codeOf(person.ask('requestRefresh', { connectionId }))).toBe('CAPABILITY_UNAVAILABLE');
  });
});

describe('reading', () => {
  test('D scan recheck + 2 field rule 9: a second scan shows posts that were published, changed and deleted meanwhile', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const { control } = service.sandbox;
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    const [changed, deleted, hidden] = await person.posts(connectionId, lastDays(6));
    const added = control.addPost(account, { publishedAt: Date.now() - 60_000 });
    control.changePost(changed.providerContentId, { title: 'Another title', views: '18446744073709551616' });
    control.deletePost(deleted.providerContentId);
    control.changePost(hidden.providerContentId, { isPublic: false });
    expect(await scan(person, connectionId)).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true });
    const read = (providerContentId: string) => person.ask('contentItem', { connectionId, providerContentId });
    expect(await read(added.id)).toMatchObject({ availability: 'AVAILABLE' });
    const item = await read(changed.providerContentId);
    expect(item).toMatchObject({ id: changed.id, title: 'Another title' });
    expect(item.metrics).toContainEqual(expect.objectContaining({ name: 'VIEWS', value: '18446744073709551616' }));
    // The platform may be wrong: only a second read, an hour later, removes a post.
    for (const { providerContentId } of [deleted, hidden]) {
      expect(await read(providerContentId)).toMatchObject({ availability: 'AVAILABLE' });
    }
  });

  test('2 field rule 11: a scan cut short by maxItems, or by the platform, leaves the window incomplete', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    const window = lastDays(60);
    const { id } = await person.ask('requestRefresh', { connectionId, window: { ...window, maxItems: 5 } });
    expect(await person.ended(connectionId, id)).toMatchObject({
      status: 'SUCCEEDED',
      completeForWindow: false,
      incompleteReason: 'MAX_ITEMS',
      continuationCursor: expect.any(String),
    });
    const page = await person.ask('content', { connectionId, window: { ...window, first: 1 } });
    expect(page.pageInfo).toMatchObject({ completeForWindow: false, incompleteReason: 'PARTLY_SCANNED' });
    expect(service.sandbox.control.calls({ account }).flatMap(({ violations }) => violations)).toEqual([]);
  });

  test('4 requestContentLookup result: a lookup names a readable post, and fails for an unknown one', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const old = service.sandbox.control.posts(account).findLast(({ isPublic }) => isPublic);
    const lookUp = async (url: string) => {
      const { id } = await person.ask('requestContentLookup', { connectionId, url });
      return await person.ended(connectionId, id);
    };
    const url = (id: string) => `https://www.tiktok.com/@harbour.kitchen.demo/video/${id}`;
    const job = await lookUp(url(old?.id ?? ''));
    expect(job).toMatchObject({ status: 'SUCCEEDED', resultProviderContentId: old?.id, incompleteReason: null });
    const read = { connectionId, providerContentId: job.resultProviderContentId };
    expect(await person.ask('contentItem', read)).toMatchObject({ availability: 'AVAILABLE' });
    const missing = await lookUp(url('7000000000000000009'));
    expect(missing).toMatchObject({ status: 'FAILED', errorCode: 'CONTENT_NOT_FOUND', resultProviderContentId: null });
    expect(await lookUp('https://example.com/video/1')).toMatchObject({
      status: 'FAILED',
      errorCode: 'UNSUPPORTED_URL',
    });
  });

  test('4 requestContentLookup unavailable: a lookup of a post that has disappeared succeeds and says so', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    const [{ providerContentId, canonicalUrl: url }] = await person.posts(connectionId, lastDays(6));
    service.sandbox.control.deletePost(providerContentId);
    const { id } = await person.ask('requestContentLookup', { connectionId, url });
    expect(await person.ended(connectionId, id)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: providerContentId,
      incompleteReason: 'CONTENT_NOT_FOUND',
      errorCode: null,
    });
    expect(await person.ask('contentItem', { connectionId, providerContentId })).toMatchObject({
      availability: 'AVAILABLE',
    });
  });
});

describe('disconnecting', () => {
  test('D siblings alive + D disconnect statuses + D disconnect purges + 4 createConnectSession held + 4 disconnectConnection production: siblings and new attempts wait until the revoke has settled', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const [account, other] = [person.account('PROVIDER_B', /^250 posts/), person.account('PROVIDER_B', /short pages/)];
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const { connectionId: sibling } = await person.connect('PROVIDER_B', other);
    const { connectionId: elsewhere } = await person.connect('PROVIDER_C', person.account('PROVIDER_C', /^250 posts/));
    await person.synced(connectionId);
    const early = await person.createSession('PROVIDER_B');

    const release = holdRevokes(service, 'PROVIDER_B', account);
    const receipts = await person.ask('disconnectConnection', { connectionId });
    expect(receipts).toMatchObject({ accepted: true, upstreamRevocationPending: true });
    expect(await statusOf(person, connectionId)).toBe('DISCONNECTED');
    expect(await statusOf(person, sibling)).toBe('SUSPENDED');
    expect(await statusOf(person, elsewhere)).toBe('CONNECTED');
    expect(await codeOf(person.ask('requestRefresh', { connectionId: sibling }))).toBe('AUTHORIZATION_SUSPENDED');
    expect(await codeOf(person.createSession('PROVIDER_B'))).toBe('FORBIDDEN');
    await expect(person.createSession('PROVIDER_A')).resolves.toBeDefined();
    await expect(newPerson().createSession('PROVIDER_B')).resolves.toBeDefined();
    expect((await person.launch(early)).status).toBeGreaterThanOrEqual(400);
    expect(await person.ask('connectSessionResult', { id: early.id })).toMatchObject({
      status: 'FAILED',
      resultCode: 'ACCOUNT_DISCONNECTING',
    });

    const { sql } = service.database;
    const waiting = await until(async () => {
      const job = await person.ask('syncJob', { connectionId, id: receipts.revokeJobId });
      return job.nextRetryAt !== null && job;
    });
    expect(waiting).toMatchObject({ status: 'RUNNING', errorCode: 'PROVIDER_UNAVAILABLE' });
    expect(await sql`select from content_item where connection_id = ${connectionId}`).toHaveLength(0);
    expect((await sql`select profile from connection where connection_id = ${connectionId}`)[0]).toEqual({
      profile: null,
    });
    expect(await statusOf(person, connectionId)).toBe('DISCONNECTED');
    expect(await person.ask('disconnectConnection', { connectionId })).toEqual(receipts);

    release();
    expect(await person.ended(connectionId, receipts.revokeJobId)).toMatchObject({
      status: 'SUCCEEDED',
      creatorAction: null,
    });
    expect(await person.ended(connectionId, receipts.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    await until(async () => (await statusOf(person, sibling)) === 'CONNECTED');
    expect((await scan(person, sibling)).status).toBe('SUCCEEDED');
    await expect(person.createSession('PROVIDER_B')).resolves.toBeDefined();
  });

  test('D siblings dead: a sibling that the revoke also ended asks for a reconnect', async ({ service, newPerson }) => {
    const person = newPerson();
    const [one, two] = [
      person.account('PROVIDER_A', /^Brand channel 1/),
      person.account('PROVIDER_A', /^Brand channel 2/),
    ];
    const stranger = newPerson();
    const { connectionId } = await person.connect('PROVIDER_A', one);
    const { connectionId: sibling } = await person.connect('PROVIDER_A', two);
    const { connectionId: theirs } = await stranger.connect('PROVIDER_A', two);
    const release = holdRevokes(service, 'PROVIDER_A', one);
    const { revokeJobId } = await person.ask('disconnectConnection', { connectionId });
    expect([await statusOf(person, sibling), await statusOf(stranger, theirs)]).toEqual(['SUSPENDED', 'SUSPENDED']);
    release();
    expect(await person.ended(connectionId, revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    await until(async () => (await statusOf(person, sibling)) === 'RECONNECT_REQUIRED');
    await until(async () => (await statusOf(stranger, theirs)) === 'RECONNECT_REQUIRED');
    expect(person.liveGrants(two)).toEqual([]);
    const again = await person.connect('PROVIDER_A', two, { reconnectConnectionId: sibling });
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId: sibling });
    expect(await statusOf(person, sibling)).toBe('CONNECTED');
  });

  test('3 connection erased + 8 receipts + 4 disconnectConnection again: only the receipts are left', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const { connectionId } = await person.connect('PROVIDER_B', person.account('PROVIDER_B', /^No posts/));
    const { revoke, erase } = await person.disconnect(connectionId);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await codeOf(person.connection(connectionId))).toBe('NOT_FOUND');
    expect(await codeOf(person.ask('disconnectConnection', { connectionId }))).toBe('NOT_FOUND');
    expect((await person.ask('connections')).items).toEqual([]);
    for (const { id } of [revoke, erase]) {
      expect(await person.ask('syncJob', { connectionId, id })).toMatchObject({ status: 'SUCCEEDED' });
    }
    const { sql } = service.database;
    for (const table of ['connection', 'content_item', 'coverage', 'read_job']) {
      expect(await sql`select from ${sql(table)} where connection_id = ${connectionId}`, table).toHaveLength(0);
    }
  });

  test('D revoke without a call + 2 field rule 12: if the platform has no revoke call, the person is asked to remove the app', async ({
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_C', /^Creator account/);
    const { connectionId } = await person.connect('PROVIDER_C', account, { permissions: PERMISSIONS.PROVIDER_C });
    const { revoke, erase } = await person.disconnect(connectionId);
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER', errorCode: null });
    expect(erase).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
  });

  test('D disconnect always allowed: a paused or forbidden provider does not prevent the revoke', async ({
    service,
    newPerson,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /^No posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const { sql } = service.database;
    await sql`update registration set paused_at = business_now() where provider = 'PROVIDER_B'`;
    const { revoke } = await person.disconnect(connectionId);
    await sql`update registration set paused_at = null`;
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(person.liveGrants(account)).toEqual([]);
  });
});

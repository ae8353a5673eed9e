import { describe, expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { DETAIL_NAMES } from '../../src/basics/post-details.ts';
import { type Service, scanEnded, scanWorkflow, type User, until, workTest } from '../kit/at-work.ts';
import { DAY, HOUR, iso, MINUTE, SECOND } from '../kit/conformance.ts';
import type { Answer } from '../kit/graphql.ts';
import { booksOf, connectAt, emptyOf, takeNow } from './usual.ts';

const test = workTest();

const NOW = takeNow();
const connected = connectAt(NOW);
const windowOf = (from: number, to: number, first = 50) => ({
  publishedAfter: iso(NOW - from * DAY),
  publishedBefore: iso(NOW - to * DAY),
  first,
});

const namesOf = ({ items }: Answer): string[] => items.map((item: Answer) => item.providerContentId);

/** The fields of posts that a platform does not have. Each other one has a value in some post. */
const NEVER_SHOWN = { PROVIDER_A: ['thumbnailUrl'], PROVIDER_B: [], PROVIDER_C: ['title'] };

describe('the visible data of an account', () => {
  test("2 field rule 2 + 2 field rule 6: account and profile show the platform's id, and posts show only fields of the platform", async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const satisfies ProviderName[]) {
      const account = user.account(provider, /^40 posts, written from right/);
      const id = await user.connect(provider, account);
      const connection = await user.connection(id);
      expect(connection).toMatchObject({ provider, providerAccountId: account });
      expect(connection.profile).toMatchObject({ providerAccountId: account, observedAt: iso(NOW) });
      await user.refresh(id, { window: { publishedAfter: iso(NOW - 60 * DAY), publishedBefore: iso(NOW) } });
      const { items } = await user.ask('content', { connectionId: id, window: windowOf(60, 0) });
      expect(items.length).toBeGreaterThan(5);
      const missing = DETAIL_NAMES.filter((name) => items.every((item: Answer) => item[name] === null));
      expect(missing).toEqual(NEVER_SHOWN[provider]);
    }
  });

  test('2 field rule 4 + 8 profile freshness: a profile shows until a millisecond before 30 days, before and after housekeeping', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    const kept = async () =>
      (await service.sql`select profile from connection where connection_id = ${id}`)[0]?.profile;
    await service.at(NOW + 30 * DAY - 1);
    await service.sweep('retention');
    expect((await user.connection(id)).profile).toMatchObject({ observedAt: iso(NOW) });
    await service.at(NOW + 30 * DAY);
    expect((await user.connection(id)).profile).toBeNull();
    expect((await user.ask('connections')).items).toMatchObject([{ id, profile: null }]);
    expect(await kept()).not.toBeNull();
    await service.sweep('retention');
    expect(await kept()).toBeNull();
  });

  test('8 profile freshness: upkeep reads the profile again before that', async ({ user, service }) => {
    const id = await connected(user, service);
    await service.at(NOW + 28 * DAY);
    await service.sweep('upkeep');
    await until(async () => (await user.connection(id)).profile?.observedAt === iso(NOW + 28 * DAY));
    expect(await user.connection(id)).toMatchObject({ status: 'CONNECTED' });
  });
});

test('2 field rule 7: no metrics show without CONTENT_METRICS', async ({ user, service }) => {
  const connectionId = await connected(user, service, { capabilities: ['PROFILE', 'CONTENT_LIST'] });
  const { items } = await user.ask('content', { connectionId, window: windowOf(7, 0) });
  const [{ providerContentId }] = items;
  expect((await user.ask('contentItem', { connectionId, providerContentId })).metrics).toEqual([]);
  expect(items.every((item: Answer) => item.metrics.length === 0)).toBe(true);
});

describe('posts', () => {
  test('2 field rule 8 + 8 post freshness + 4 query rule 5: a post is listed until a millisecond before 30 days after its last read, then it is EXPIRED and blanked', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const window = windowOf(7, 0);
    const page = () => user.ask('content', { connectionId, window });
    const [post] = (await page()).items;
    expect(post).toMatchObject({ observedAt: iso(NOW), availability: 'AVAILABLE', reason: null });
    const { providerContentId } = post;
    const item = () => user.ask('contentItem', { connectionId, providerContentId });
    const kept = async () => {
      const { sql } = service;
      const [row] = await sql`
        select canonical_url, details::text as details, published_at, metrics::text as metrics, provider_content_id
        from content_item where connection_id = ${connectionId} and content_item_id = ${post.id}
      `;
      return row;
    };
    await service.at(NOW + 30 * DAY - 1);
    await service.sweep('retention');
    expect((await page()).items[0]).toEqual(post);
    expect(await item()).toEqual(post);
    await service.at(NOW + 30 * DAY);
    const expired = {
      ...Object.fromEntries(Object.keys(post).map((field) => [field, null])),
      id: post.id,
      providerContentId,
      provider: 'PROVIDER_B',
      kind: 'UNKNOWN',
      availability: 'UNAVAILABLE',
      reason: 'EXPIRED',
      observedAt: iso(NOW),
      metrics: [],
    };
    expect((await page()).items).toEqual([]);
    expect(await item()).toEqual(expired);
    await service.sweep('retention');
    expect(await item()).toEqual(expired);
    // Nor the id, of which a keyed hash is left: by it the post is recognized.
    expect(await kept()).toEqual({
      canonicalUrl: null,
      details: '{}',
      publishedAt: null,
      metrics: '[]',
      providerContentId: null,
    });
    await user.refresh(connectionId, { window: { publishedAfter: window.publishedAfter, publishedBefore: iso(NOW) } });
    expect(await item()).toMatchObject({ id: post.id, availability: 'AVAILABLE', observedAt: iso(NOW + 30 * DAY) });
  });

  test.for(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const)(
    '2 field rule 9 + D scan recheck: a post of %s that is no longer public is UNAVAILABLE with the second scan that misses it, and no other is',
    async (provider, { user, service }) => {
      await service.at(NOW);
      const account = user.account(provider, /^40 posts/);
      const connectionId = await user.connect(provider, account);
      const [hidden, stays] = [MINUTE, 2 * MINUTE].map(
        (age) => service.control.addPost(account, { publishedAt: NOW - age, uploadedAt: NOW - age }).id,
      ) as [string, string];
      const listed = async () => {
        const window = { publishedAfter: iso(NOW - HOUR), publishedBefore: iso(NOW), first: 50 };
        const { items } = await user.ask('content', { connectionId, window });
        return items.map(({ providerContentId, availability }: Answer) => [providerContentId, availability]);
      };
      await user.refresh(connectionId);
      expect(await listed()).toEqual([
        [hidden, 'AVAILABLE'],
        [stays, 'AVAILABLE'],
      ]);
      service.control.changePost(hidden, { isPublic: false });
      for (const later of [0, HOUR]) {
        await service.at(NOW + 2 * HOUR + later);
        await user.refresh(connectionId);
      }
      expect(await listed()).toEqual([
        [hidden, 'UNAVAILABLE'],
        [stays, 'AVAILABLE'],
      ]);
      // One that was never public is not stored at all.
      const never = service.control.addPost(account, { publishedAt: NOW, uploadedAt: NOW, isPublic: false }).id;
      await user.refresh(connectionId);
      expect(await user.ask('contentItem', { connectionId, providerContentId: never })).toBeNull();
      for (const id of [hidden, stays, never]) service.control.deletePost(id);
    },
  );

  test('4 query rule 5: a post can be read with CONTENT_LIST or CONTENT_LOOKUP; it is null if the service never read it', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const post = service.control.posts(booksOf(user)).find(({ isPublic }) => isPublic);
    const providerContentId = post?.id ?? '';
    const url = `https://www.tiktok.com/@reading.club.demo/video/${providerContentId}`;
    const outcomes: Record<string, string> = {};
    for (const capability of ['CONTENT_LOOKUP', 'CONTENT_LIST', 'PROFILE', 'CONTENT_METRICS'] as const) {
      const connectionId = await user.connect('PROVIDER_B', booksOf(user), { capabilities: [capability] });
      if (capability === 'CONTENT_LOOKUP') {
        expect(await user.ask('contentItem', { connectionId, providerContentId })).toBeNull();
        await user.lookUp(connectionId, url);
        expect(await user.ask('contentItem', { connectionId, providerContentId })).toMatchObject({ providerContentId });
      }
      outcomes[capability] = await user.outcome('contentItem', { connectionId, providerContentId });
      expect(await user.outcome('content', { connectionId, window: windowOf(7, 0) })).toBe(
        capability === 'CONTENT_LIST' ? 'answered' : 'CAPABILITY_UNAVAILABLE',
      );
    }
    expect(outcomes).toEqual({
      CONTENT_LIST: 'answered',
      CONTENT_LOOKUP: 'answered',
      PROFILE: 'CAPABILITY_UNAVAILABLE',
      CONTENT_METRICS: 'CAPABILITY_UNAVAILABLE',
    });
  });
});

/** Publishes and scans posts of these instants. @returns their ids in the same order. */
async function posted(user: User, service: Service, instants: readonly number[]) {
  await service.at(NOW);
  const ids = instants.map((publishedAt) => service.control.addPost(emptyOf(user), { publishedAt }).id);
  const connectionId = await user.connect('PROVIDER_B', emptyOf(user));
  await user.refresh(connectionId, { window: { publishedAfter: iso(NOW - 20 * DAY), publishedBefore: iso(NOW) } });
  for (const id of ids) service.control.deletePost(id);
  return { connectionId, ids };
}

test('4 query rule 4 + D cursors: newest first, page by page without gap or repeat', async ({ user, service }) => {
  const instants = [NOW - SECOND, NOW - DAY, NOW - DAY, NOW - 2 * DAY, NOW - 10 * DAY, NOW - 10 * DAY - SECOND];
  const { connectionId, ids } = await posted(user, service, instants);
  const read = (window: object) => user.ask('content', { connectionId, window: { ...windowOf(10, 0), ...window } });
  const whole = namesOf(await read({}));
  expect(whole).toHaveLength(5);
  expect(whole[0]).toBe(ids[0]);
  expect(new Set(whole.slice(1, 3))).toEqual(new Set(ids.slice(1, 3)));
  expect(whole.slice(3)).toEqual(ids.slice(3, 5));
  expect(namesOf(await read({ publishedBefore: iso(NOW - SECOND) }))).not.toContain(ids[0]);
  expect(namesOf(await read({ publishedAfter: iso(NOW - 10 * DAY - SECOND) }))).toContain(ids[5]);
  for (const first of [1, 2, 3]) {
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Answer = await read({ first, after });
      seen.push(...namesOf(page));
      expect(page.pageInfo.hasNextPage).toBe(seen.length < whole.length);
      if (!page.pageInfo.hasNextPage) break;
      expect(page.items).toHaveLength(first);
      after = page.pageInfo.endCursor;
    }
    expect(seen, String(first)).toEqual(whole);
  }
});

describe('3 connection grant ended', () => {
  test('3 connection grant ended + 7 code RECONNECT_REQUIRED: a refresh credential expires at its millisecond, and a sweep marks the connection', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    const [row] = await service.sql`select refresh_expires_at from account_grant where connection_id = ${id}`;
    const lapses = row?.refreshExpiresAt.getTime();
    await service.at(lapses - 1);
    expect(await user.outcome('connection', { id })).toBe('answered');
    await service.at(lapses);
    expect(await user.outcome('connection', { id })).toBe('RECONNECT_REQUIRED');
    expect(await user.outcome('connections')).toBe('RECONNECT_REQUIRED');
    await service.sweep('upkeep');
    await service.sweep('reconcile');
    await until(async () => (await user.outcome('connection', { id })) === 'answered');
    expect(await user.connection(id)).toMatchObject({ status: 'RECONNECT_REQUIRED', profile: null });
  });

  test('2 field rule 5 + 3 connection not connected: after the grant has ended the row shows without profile and times', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    service.control.removeApp(booksOf(user), { notify: false });
    const job = await scanEnded(service, user, id);
    expect(job).toMatchObject({ status: 'FAILED', errorCode: 'RECONNECT_REQUIRED' });
    const shown = {
      status: 'RECONNECT_REQUIRED',
      profile: null,
      lastSuccessfulSyncAt: null,
      nextRetryAt: null,
    };
    expect(await user.connection(id)).toMatchObject(shown);
    expect((await user.ask('connections')).items).toMatchObject([{ id, ...shown }]);
    await service.closed(scanWorkflow(job.id));
    const again = await user.attempt('PROVIDER_B', booksOf(user), { reconnectConnectionId: id });
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId: id });
    expect(await user.connection(id)).toMatchObject({
      status: 'CONNECTED',
      profile: { observedAt: iso(NOW + 10 * SECOND) },
    });
  });
});

describe('data of ended grants', () => {
  const others = { PROVIDER_A: /^Empty|^No posts/, PROVIDER_B: /^No posts/, PROVIDER_C: /^No posts/ };
  const leftOf = async ({ sql }: Service, id: string, subject: string) => {
    const [row] = await sql`
      select (select count(*)::int from connection where connection_id = ${id}) as connections,
        (select count(*)::int from content_item where connection_id = ${id}) as posts,
        (select count(*)::int from account_grant join scope using (scope_id) where external_subject_id = ${subject}) as grants,
        (select count(*)::int from scope where external_subject_id = ${subject}) as scopes
    `;
    return row;
  };

  test.for([
    ['PROVIDER_A', 29],
    ['PROVIDER_B', 90],
    ['PROVIDER_C', 90],
  ] as const)(
    'D ended grants: at %s, nothing of a person who removed the app is left after %i days',
    async ([provider, days], { user, service }) => {
      await service.at(NOW);
      const other = await service.newUser();
      const account = user.account(provider, /^40 posts, written from right/);
      const [id, kept] = [
        await user.connect(provider, account),
        await other.connect(provider, other.account(provider, others[provider])),
      ];
      await user.refresh(id, { window: { publishedAfter: iso(NOW - 60 * DAY), publishedBefore: iso(NOW) } });
      // While its upkeep runs, it counts as failing.
      const proven = async () =>
        Number(
          (
            await service.sql`
              select proven_at from connection where connection_id = ${kept} and upkeep_failing_since is null
            `
          )[0]?.provenAt ?? 0,
        );
      await service.sql`
      insert into webhook_endpoint (endpoint_id, app_id, url, event_types)
      values (gen_random_uuid(), ${user.seeded.app.appId}, 'https://events.example/', array['connection.reconnect_required',
        'connection.disconnected', 'connection.erased'])
    `;
      service.control.removeApp(account, { notify: false });
      await service.at(NOW + DAY);
      await scanEnded(service, user, id);
      expect(await user.connection(id)).toMatchObject({ status: 'RECONNECT_REQUIRED' });
      for (const day of provider === 'PROVIDER_A' ? [14, 28] : []) {
        const before = await proven(); // An upkeep may begin as soon as the clock has moved.
        await service.at(NOW + day * DAY);
        await service.sweep('upkeep');
        await until(async () => (await proven()) > before);
      }
      await service.at(NOW + days * DAY - SECOND);
      await service.sweep('upkeep');
      expect(await user.connection(id)).toMatchObject({ status: 'RECONNECT_REQUIRED' });
      await service.at(NOW + days * DAY + 2 * HOUR);
      await service.sweep('upkeep');
      await until(async () => (await leftOf(service, id, user.scope.externalSubjectId))?.connections === 0);
      const told = await service.sql`
      select type, data from webhook_event where connection_id = ${id} order by sequence
    `;
      await service.sweep('retention');
      const left = await leftOf(service, id, user.scope.externalSubjectId);
      expect(left).toEqual({ connections: 0, posts: 0, grants: 0, scopes: 0 });
      expect(await other.connection(kept)).toMatchObject({
        id: kept,
        ...(provider !== 'PROVIDER_C' && { status: 'CONNECTED' }),
      });
      expect(told).toMatchObject([
        { type: 'connection.reconnect_required', data: { erasesAt: expect.any(String) } },
        { type: 'connection.disconnected', data: { reason: 'UNUSED' } },
        { type: 'connection.erased', data: { reason: 'UNUSED' } },
      ]);
      const erasesAt = Date.parse(told[0]?.data.erasesAt);
      expect(erasesAt).toBeGreaterThanOrEqual(NOW + days * DAY - HOUR);
      expect(erasesAt).toBeLessThanOrEqual(NOW + days * DAY + HOUR);
    },
  );

  test.for([
    ['APP', 'PROVIDER_A', ({ user, id }) => user.ask('disconnectConnection', { connectionId: id })],
    ['OPERATOR', 'PROVIDER_B', ({ service, id }) => service.operate(`disconnectConnection(id: "${id}")`)],
  ] as [string, ProviderName, (of: { user: User; service: Service; id: string }) => Promise<unknown>][])(
    'D ended reasons: events name the reason %s of a disconnect and of the erase, of this connection alone',
    async ([reason, provider, act], { user, service }) => {
      await service.at(NOW);
      const other = await service.newUser();
      const account = user.account(provider, others[provider]);
      const [id, kept] = [
        await user.connect(provider, account),
        await other.connect(provider, other.account(provider, /^40 posts, written from right/)),
      ];
      for (const { seeded } of [user, other]) {
        await service.sql`
          insert into webhook_endpoint (endpoint_id, app_id, url, event_types) values (gen_random_uuid(), ${seeded.app.appId},
            'https://events.example/', array['connection.disconnected', 'connection.erased'])
        `;
      }
      await act({ user, service, id });
      await until(async () => (await user.outcome('connection', { id })) === 'NOT_FOUND');
      const told = await service.sql`
        select connection_id, type, data ->> 'reason' as reason from webhook_event
        where app_id = any(${[user, other].map(({ seeded }) => seeded.app.appId)}::uuid[]) order by sequence
      `;
      expect(told).toEqual([
        { connectionId: id, type: 'connection.disconnected', reason },
        { connectionId: id, type: 'connection.erased', reason },
      ]);
      expect(await other.outcome('connection', { id: kept })).toBe('answered');
    },
  );
});

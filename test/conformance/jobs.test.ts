import { describe, expect } from 'vitest';
import {
  lookupWorkflow,
  metricsWorkflow,
  type Service,
  scanWorkflow,
  type User,
  until,
  workTest,
} from '../kit/at-work.ts';
import { DAY, HOUR, iso, MINUTE, SECOND } from '../kit/conformance.ts';
import { type Answer, refusalOf } from '../kit/graphql.ts';
import { booksOf, connectAt, DOWN, takeNow } from './usual.ts';

const test = workTest();

const NOW = takeNow();
const connected = connectAt(NOW);
const windowOf = (from: number, to: number) => ({
  publishedAfter: iso(NOW - from * DAY),
  publishedBefore: iso(NOW - to * DAY),
});
const WINDOW = windowOf(30, 25);
const OTHER = windowOf(40, 35);
const urlOf = (id: string) => `https://www.tiktok.com/@harbour.kitchen.demo/video/${id}`;
const UNKNOWN = '7500000000000000001';

const wait = (retryAfterSeconds: number) => ({ kind: 'status', status: 429, retryAfterSeconds }) as const;
type What = Parameters<Service['control']['addFault']>[0]['what'];

const kitchenOf = (user: User) => user.account('PROVIDER_B', /^250 posts/);

/** All reads of posts fail with this fault until the faults are cleared. */
function away({ control }: Service, what: What = DOWN) {
  control.clearFaults();
  for (const route of ['videoList', 'videoQuery'])
    control.addFault({ provider: 'PROVIDER_B', route, what, times: null });
}

const newestPost = async (user: User, connectionId: string): Promise<Answer> => {
  const { items } = await user.ask('content', { connectionId, window: { ...windowOf(7, 0), first: 1 } });
  return items[0];
};

/** Counts the posts that were read at this instant. */
async function readAt(user: User, connectionId: string, instant: number): Promise<number> {
  const window = { ...windowOf(60, -1), first: 50 };
  let count = 0;
  let after: string | null = null;
  do {
    const page: Answer = await user.ask('content', { connectionId, window: { ...window, after } });
    count += page.items.filter((item: Answer) => item.observedAt === iso(instant)).length;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return count;
}

describe('requestRefresh of a window', () => {
  test('4 requestRefresh window + 8 maxItems: 1 to 100 posts, and 100 if omitted or null', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const connectionId = await user.connect('PROVIDER_B', kitchenOf(user));
    const CASES = [
      [undefined, 100],
      [null, 100],
      [1, 1],
      [100, 100],
    ] as const;
    for (const [index, [maxItems, count]] of CASES.entries()) {
      const instant = NOW + (index + 1) * MINUTE;
      await service.at(instant);
      const job = await user.refresh(connectionId, { window: { ...windowOf(60, 0), maxItems } });
      expect(job).toMatchObject({ status: 'SUCCEEDED', completeForWindow: false, incompleteReason: 'MAX_ITEMS' });
      expect(await readAt(user, connectionId, instant), String(maxItems)).toBe(count);
    }
    for (const maxItems of [0, 101, -1, 1.5]) {
      const asked = { connectionId, window: { ...WINDOW, maxItems } };
      expect(await user.outcome('requestRefresh', asked)).toBe('BAD_USER_INPUT');
    }
  });

  test('4 requestRefresh window + 8 default window: by default it is the last 7 days', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const now = NOW + 5 * SECOND;
    const [newest, oldest, tooOld] = [now - SECOND, now - 7 * DAY, now - 7 * DAY - SECOND].map(
      (publishedAt) => service.control.addPost(booksOf(user), { publishedAt }).id,
    ) as [string, string, string];
    await service.at(now);
    expect(await user.refresh(connectionId)).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true });
    const read = (providerContentId: string) => user.ask('contentItem', { connectionId, providerContentId });
    expect(await read(newest)).toMatchObject({ publishedAt: iso(now - SECOND), observedAt: iso(now) });
    expect(await read(oldest)).toMatchObject({ publishedAt: iso(now - 7 * DAY), observedAt: iso(now) });
    expect(await read(tooOld)).toBeNull();
    for (const id of [newest, oldest, tooOld]) service.control.deletePost(id);
  });

  test('4 requestRefresh continuationCursor: it continues the scan, only in its window', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const window = windowOf(60, 7);
    const cut = await user.refresh(connectionId, { window: { ...window, maxItems: 2 } });
    expect(cut).toMatchObject({ status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS' });
    const { continuationCursor } = cut;
    const outcome = (args: object) => user.outcome('requestRefresh', { connectionId, continuationCursor, ...args });
    expect(await outcome({ window: OTHER })).toBe('BAD_USER_INPUT');
    const instant = NOW + MINUTE;
    await service.at(instant);
    const next = await user.refresh(connectionId, { continuationCursor, window: { ...window, maxItems: 3 } });
    expect(next).toMatchObject({ status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS' });
    expect(await readAt(user, connectionId, instant)).toBe(3);
    await service.at(NOW + 2 * MINUTE);
    const last = await user.refresh(connectionId, { continuationCursor: next.continuationCursor });
    expect(last).toMatchObject({ incompleteReason: 'MAX_ITEMS' });
    // As many as the scan that it continues.
    expect(await readAt(user, connectionId, NOW + 2 * MINUTE)).toBe(3);
    const end = await user.refresh(connectionId, {
      continuationCursor: last.continuationCursor,
      window: { ...window, maxItems: 100 },
    });
    expect(end).toMatchObject({ completeForWindow: true, incompleteReason: null, continuationCursor: null });
    const { pageInfo } = await user.ask('content', { connectionId, window: { ...window, first: 1 } });
    expect(pageInfo.completeForWindow).toBe(true);
  });

  test('8 continuation + 2 field rule 13: the cursor works for less than 24 hours', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const { id, continuationCursor } = await user.refresh(connectionId, { window: { ...WINDOW, maxItems: 1 } });
    await service.at(NOW + DAY);
    expect((await user.job(connectionId, id)).continuationCursor).toBeNull();
    expect(await user.outcome('requestRefresh', { connectionId, continuationCursor })).toBe('BAD_USER_INPUT');
    await service.at(NOW + DAY - 1);
    expect((await user.job(connectionId, id)).continuationCursor).toEqual(expect.any(String));
    expect(await user.outcome('requestRefresh', { connectionId, continuationCursor })).toBe('answered');
  });

  test('4 requestRefresh capability + 4 requestContentLookup capability: each kind of read needs its own granted capability', async ({
    user,
    service,
  }) => {
    const list = await connected(user, service, { capabilities: ['CONTENT_LIST'] });
    const { providerContentId } = await newestPost(user, list);
    await service.at(NOW);
    const options = { capabilities: ['PROFILE', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] } as const;
    const rest = await user.connect('PROVIDER_B', kitchenOf(user), options);
    const kinds = async (connectionId: string) => [
      await user.outcome('requestRefresh', { connectionId }),
      await user.outcome('requestRefresh', { connectionId, providerContentId }),
      await user.outcome('requestContentLookup', { connectionId, url: urlOf(UNKNOWN) }),
    ];
    expect(await kinds(list)).toEqual(['answered', 'CAPABILITY_UNAVAILABLE', 'CAPABILITY_UNAVAILABLE']);
    expect(await kinds(rest)).toEqual(['CAPABILITY_UNAVAILABLE', 'NOT_FOUND', 'answered']);
  });

  test('4 requestRefresh in flight + D omitted windows: the same window or post, or no window again, returns the job in flight', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const { items } = await user.ask('content', { connectionId, window: { ...windowOf(7, 0), first: 2 } });
    const [{ providerContentId }, another] = items;
    away(service);
    const ask = async (args: object) => (await user.ask('requestRefresh', { connectionId, ...args })).id;
    const metrics = await ask({ providerContentId });
    expect(await ask({ providerContentId: another.providerContentId })).not.toBe(metrics);
    const omitted = await ask({});
    expect(await ask({ window: windowOf(7, 0) })).toBe(omitted);
    await service.at(NOW + MINUTE);
    expect([await ask({ providerContentId }), await ask({})]).toEqual([metrics, omitted]);
    await user.waiting(connectionId, omitted);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(omitted));
    await user.ended(connectionId, omitted);
    away(service);
    const scan = await ask({ window: WINDOW });
    const sameInstant = WINDOW.publishedAfter.replace('Z', '+00:00');
    expect(await ask({ window: { ...WINDOW, publishedAfter: sameInstant } })).toBe(scan);
    await user.waiting(connectionId, scan);
    for (const maxItems of [undefined, 1, 99]) expect(await ask({ window: { ...WINDOW, maxItems } })).toBe(scan);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(scan));
    await user.ended(connectionId, scan);
    expect(await ask({ window: WINDOW })).not.toBe(scan);
  });

  test('4 requestRefresh busy + 7 code SYNC_WINDOW_BUSY: another window waits for the scan', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const elsewhere = await user.connect('PROVIDER_B', user.account('PROVIDER_B', /^No posts/));
    away(service);
    const { id } = await user.ask('requestRefresh', { connectionId, window: WINDOW });
    const others = [{ window: OTHER }, { window: { ...WINDOW, publishedBefore: iso(NOW - 25 * DAY - 1) } }, {}];
    for (const args of others)
      expect(await refusalOf(user.ask('requestRefresh', { connectionId, ...args }))).toMatchObject({
        code: 'SYNC_WINDOW_BUSY',
        jobId: id,
      });
    expect(await user.outcome('requestRefresh', { connectionId: elsewhere, window: OTHER })).toBe('answered');
    await user.waiting(connectionId, id);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(id));
    await user.ended(connectionId, id);
    expect(await user.outcome('requestRefresh', { connectionId, window: OTHER })).toBe('answered');
  });
});

describe('limits', () => {
  /** Lookups in flight while the platform is down. */
  async function lookUps(user: User, connectionId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const url = urlOf(String(7_400_000_000_000_000_000n + BigInt(n)));
      ids.push((await user.ask('requestContentLookup', { connectionId, url })).id);
    }
    return ids;
  }

  test('8 jobs in flight + 7 code RATE_LIMITED: an app has 20 reads of all kinds over all connections; a job in flight is still returned', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const owner = await service.newUser(user);
    const elsewhere = await owner.connect('PROVIDER_B', user.account('PROVIDER_B', /^No posts/));
    const stranger = await service.newUser();
    const theirs = await stranger.connect('PROVIDER_B', user.account('PROVIDER_B', /^No posts/));
    const { providerContentId } = await newestPost(user, connectionId);
    away(service);
    const [first] = await lookUps(user, connectionId, 18);
    const { id } = await user.ask('requestRefresh', { connectionId, window: WINDOW });
    const { id: metrics } = await user.ask('requestRefresh', { connectionId, providerContentId });
    const refusals = await Promise.all([
      refusalOf(user.ask('requestContentLookup', { connectionId, url: urlOf(UNKNOWN) })),
      refusalOf(owner.ask('requestRefresh', { connectionId: elsewhere })),
    ]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
    expect((await user.ask('requestRefresh', { connectionId, window: WINDOW })).id).toBe(id);
    expect((await user.ask('requestRefresh', { connectionId, providerContentId })).id).toBe(metrics);
    expect(await lookUps(user, connectionId, 1)).toEqual([first]);
    expect(await stranger.outcome('requestRefresh', { connectionId: theirs })).toBe('answered');
    await user.waiting(connectionId, first ?? '');
    service.control.clearFaults();
    await service.retryNow(lookupWorkflow(first ?? ''));
    expect(await user.ended(connectionId, first ?? '')).toMatchObject({ errorCode: 'CONTENT_NOT_FOUND' });
    expect(await owner.outcome('requestRefresh', { connectionId: elsewhere })).toBe('answered');
  });

  test('D own scans yield: ours does not count; a caller takes it over, or it yields', async ({ user, service }) => {
    away(service);
    await service.at(NOW);
    const { connectionId } = await user.attempt('PROVIDER_B', booksOf(user));
    await lookUps(user, connectionId, 19);
    const adopted = await user.ask('requestRefresh', { connectionId });
    expect(await user.outcome('requestContentLookup', { connectionId, url: urlOf(UNKNOWN) })).toBe('RATE_LIMITED');
    const { connectionId: second } = await user.attempt('PROVIDER_B', kitchenOf(user));
    expect(await user.outcome('requestRefresh', { connectionId: second, window: WINDOW })).toBe('RATE_LIMITED');
    const [ours] = await service.sql`select status, requested_by from read_job where connection_id = ${second}`;
    expect(ours).toMatchObject({ status: expect.stringMatching(/QUEUED|RUNNING/), requestedBy: 'SERVICE' });
    expect(await user.outcome('requestRefresh', { connectionId, window: WINDOW })).toBe('SYNC_WINDOW_BUSY');
    expect((await user.ask('requestRefresh', { connectionId })).id).toBe(adopted.id);
    const other = await service.newUser();
    const { connectionId: theirs } = await other.attempt('PROVIDER_B', kitchenOf(user));
    const { id } = await other.ask('requestRefresh', { connectionId: theirs, window: WINDOW });
    await other.waiting(theirs, id);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(id));
    expect(await other.ended(theirs, id)).toMatchObject({ status: 'SUCCEEDED' });
    const { pageInfo } = await other.ask('content', { connectionId: theirs, window: { ...windowOf(7, 0), first: 1 } });
    expect(pageInfo).toMatchObject({ completeForWindow: false });
  });
});

test('4 requestRefresh providerContentId + 2 DecimalCount + 2 field rule 10: its metrics are read again with CONTENT_METRICS, without a window or cursor', async ({
  user,
  service,
}) => {
  const connectionId = await connected(user, service);
  const post = await newestPost(user, connectionId);
  const { providerContentId } = post;
  service.control.changePost(providerContentId, { views: '18446744073709551616' });
  await service.at(NOW + HOUR);
  expect(await user.refresh(connectionId, { providerContentId })).toMatchObject({
    status: 'SUCCEEDED',
    resultProviderContentId: null,
    completeForWindow: null,
    incompleteReason: null,
    continuationCursor: null,
    errorCode: null,
  });
  const { metrics } = await user.ask('contentItem', { connectionId, providerContentId });
  expect(metrics).toContainEqual({
    name: 'VIEWS',
    value: '18446744073709551616',
    availability: 'AVAILABLE',
    reason: null,
    sourceField: 'view_count',
    observedAt: iso(NOW + HOUR),
  });
  const outcome = (args: object) => user.outcome('requestRefresh', { connectionId, providerContentId, ...args });
  expect(await outcome({ window: WINDOW })).toBe('BAD_USER_INPUT');
  expect(await outcome({ continuationCursor: 'x' })).toBe('BAD_USER_INPUT');
  expect(await outcome({ providerContentId: 'never-stored' })).toBe('NOT_FOUND');
});

describe('requestContentLookup', () => {
  test('4 requestContentLookup result + D same lookup: a URL in flight returns that job', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const post = service.control.posts(booksOf(user)).findLast(({ isPublic }) => isPublic);
    const url = urlOf(post?.id ?? '');
    away(service);
    const ask = async (one: string) => (await user.ask('requestContentLookup', { connectionId, url: one })).id;
    const id = await ask(url);
    expect(await ask(url.replace('https://www.tiktok.com', 'HTTPS://WWW.TikTok.com'))).toBe(id);
    expect(await ask(`${url}?x=1`)).not.toBe(id);
    await user.waiting(connectionId, id);
    service.control.clearFaults();
    await service.retryNow(lookupWorkflow(id));
    expect(await user.ended(connectionId, id)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: post?.id,
      completeForWindow: null,
      incompleteReason: null,
      continuationCursor: null,
    });
    const read = { connectionId, providerContentId: post?.id };
    expect(await user.ask('contentItem', read)).toMatchObject({ availability: 'AVAILABLE', observedAt: iso(NOW) });
    expect(await ask(url)).not.toBe(id);
  });

  test('4 requestContentLookup unavailable: a lookup of a post that has disappeared succeeds, and agrees with contentItem about it', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const { id: added } = service.control.addPost(booksOf(user), { publishedAt: NOW - SECOND });
    await user.refresh(connectionId);
    service.control.deletePost(added);
    for (const [at, availability, reason] of [
      [NOW + HOUR, 'AVAILABLE', null],
      [NOW + 2 * HOUR - 1, 'AVAILABLE', null],
      [NOW + 2 * HOUR, 'UNAVAILABLE', 'CONTENT_NOT_FOUND'],
      [NOW + 3 * HOUR, 'UNAVAILABLE', 'CONTENT_NOT_FOUND'],
    ] as const) {
      await service.at(at);
      expect(await user.lookUp(connectionId, urlOf(added))).toMatchObject({
        status: 'SUCCEEDED',
        resultProviderContentId: added,
        incompleteReason: reason,
        errorCode: null,
      });
      const item = await user.ask('contentItem', { connectionId, providerContentId: added });
      expect(item).toMatchObject({ availability, reason, observedAt: iso(NOW) });
    }
  });

  test('4 requestContentLookup url: HTTPS without credentials, port or fragment, however written', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const outcome = (url: string) => user.outcome('requestContentLookup', { connectionId, url });
    const right = [
      'HTTPS://www.tiktok.com/x',
      'https://www.tiktok.com',
      'https://www.tiktok.com?v=1',
      'https://www.tiktok.com/ü?q=%20',
      'https://www.tiktok.com/@name:with/colons?at=@',
    ];
    for (const url of right) expect(await outcome(url), url).toBe('answered');
    const wrong = [
      ...['http://www.tiktok.com/x', 'javascript:alert(1)', '//www.tiktok.com/x', 'https:www.tiktok.com/x', ''],
      ...['https://user@www.tiktok.com/x', 'https://user:pass@www.tiktok.com/x', 'https://@www.tiktok.com/x'],
      ...['https://www.tiktok.com:443/x', 'https://www.tiktok.com:/x', 'https://www.tiktok.com/x#there'],
      ...['https:\\\\www.tiktok.com\\x', 'https://www.tiktok.com\\@evil.example/x', 'https://www.tiktok.com/a\nb'],
      ...['https://www.tik tok.com/x', 'https://[::1]/x', 'https:///x'],
    ];
    for (const url of wrong) expect(await outcome(url), JSON.stringify(url)).toBe('BAD_USER_INPUT');
  });

  test('8 lookup url: 2,048 characters pass and one more does not, in code points', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const base = 'https://www.tiktok.com/';
    const outcome = (url: string) => user.outcome('requestContentLookup', { connectionId, url });
    for (const letter of ['a', '🚢']) {
      expect(await outcome(base + letter.repeat(2_048 - base.length))).toBe('answered');
      expect(await outcome(base + letter.repeat(2_049 - base.length))).toBe('BAD_USER_INPUT');
    }
  });
});

describe('why a job has not worked', () => {
  const failed = (errorCode: string) => ({
    status: 'FAILED',
    errorCode,
    nextRetryAt: null,
    resultProviderContentId: null,
    continuationCursor: null,
    creatorAction: null,
  });

  test('D job errorCode: PROVIDER_UNAVAILABLE while it waits, and after an hour', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const { providerContentId } = await newestPost(user, connectionId);
    away(service);
    const queued = await user.ask('requestRefresh', { connectionId, providerContentId });
    expect(queued).toMatchObject({ status: 'QUEUED', errorCode: null, nextRetryAt: null });
    const { id } = queued;
    const waiting = { status: 'RUNNING', errorCode: 'PROVIDER_UNAVAILABLE' };
    expect(await user.waiting(connectionId, id)).toMatchObject({ ...waiting, nextRetryAt: iso(NOW + 5 * SECOND) });
    await service.at(NOW + 59 * MINUTE);
    await service.retryNow(metricsWorkflow(id));
    const later = iso(NOW + 59 * MINUTE + 10 * SECOND);
    await until(async () => (await user.job(connectionId, id)).nextRetryAt === later);
    expect(await user.job(connectionId, id)).toMatchObject(waiting);
    await service.at(NOW + HOUR);
    await service.retryNow(metricsWorkflow(id));
    expect(await user.ended(connectionId, id)).toMatchObject(failed('PROVIDER_UNAVAILABLE'));
  });

  test('D job errorCode: PROVIDER_RATE_LIMITED while the platform limits our requests, and at once after more than 15 minutes', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const { providerContentId } = await newestPost(user, connectionId);
    away(service, wait(900));
    const { id } = await user.ask('requestRefresh', { connectionId, providerContentId });
    expect(await user.waiting(connectionId, id)).toMatchObject({
      status: 'RUNNING',
      errorCode: 'PROVIDER_RATE_LIMITED',
      nextRetryAt: iso(NOW + 15 * MINUTE),
    });
    away(service, wait(901));
    await service.retryNow(metricsWorkflow(id));
    expect(await user.ended(connectionId, id)).toMatchObject(failed('PROVIDER_RATE_LIMITED'));
  });

  test('D job errorCode + D capability states: CAPABILITY_UNAVAILABLE when a permission was withdrawn, and the connection shows it', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    service.control.withdraw(booksOf(user), 'video.list');
    expect(await user.refresh(connectionId)).toMatchObject(failed('CAPABILITY_UNAVAILABLE'));
    const { capabilities } = await user.connection(connectionId);
    const withdrawn = { capability: 'CONTENT_LIST', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' };
    expect(capabilities).toContainEqual(withdrawn);
    expect(capabilities).toContainEqual({ capability: 'PROFILE', availability: 'AVAILABLE', reason: null });
    expect(await user.outcome('requestRefresh', { connectionId })).toBe('CAPABILITY_UNAVAILABLE');
    const { connectionId: again } = await user.attempt('PROVIDER_B', booksOf(user));
    expect(again).toBe(connectionId);
    expect((await user.connection(connectionId)).capabilities).toEqual(
      ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'].map((capability) => ({
        capability,
        availability: 'AVAILABLE',
        reason: null,
      })),
    );
  });

  test('D job errorCode + D capability states: ACCOUNT_UNUSABLE when the account can no longer be served, until it works again', async ({
    user,
    service,
  }) => {
    const { control, sql } = service;
    const [account, other] = [user.account('PROVIDER_C', /^Creator account/), user.account('PROVIDER_C', /^250 posts/)];
    const connectionId = await user.connect('PROVIDER_C', account);
    const second = await user.connect('PROVIDER_C', other);
    await until(async () => (await user.connection(connectionId)).syncStatus === 'READY');
    const [before, beside] = [await user.connection(connectionId), (await user.connection(second)).capabilities];
    control.changeSettings({ c: { accountsNotServed: [account] } });
    expect(await user.refresh(connectionId)).toMatchObject(failed('ACCOUNT_UNUSABLE'));
    const { status, capabilities } = await user.connection(connectionId);
    expect(status).toBe('CONNECTED');
    expect(capabilities).toEqual(
      before.capabilities.map((one: object) => ({ ...one, availability: 'UNAVAILABLE', reason: 'ACCOUNT_UNUSABLE' })),
    );
    expect((await user.connection(second)).capabilities).toEqual(beside);
    control.changeSettings({ c: { accountsNotServed: [] } });
    await sql`update connection set upkeep_due_at = business_now() where connection_id = ${connectionId}`;
    await service.sweep('upkeep');
    await until(async () => (await user.connection(connectionId)).capabilities[0].availability === 'AVAILABLE');
    expect((await user.connection(connectionId)).capabilities).toEqual(before.capabilities);
  });

  /** Answers about somebody else's account, in which a post has the id of one of ours. */
  const theirs = (id: string) => {
    const channelId = 'UCsomebodyElsesChannel00';
    const snippet = { channelId, title: 'Theirs', description: '', publishedAt: iso(NOW - DAY) };
    const status = { privacyStatus: 'public', uploadStatus: 'processed' };
    const contentDetails = { videoId: id, videoPublishedAt: iso(NOW - DAY), relatedPlaylists: { uploads: 'UUtheirs' } };
    const media = { id, owner: { id: '17841499999999999' }, timestamp: iso(NOW - DAY), media_type: 'IMAGE' };
    return {
      channels: { kind: 'youtube#channelListResponse', items: [{ id: channelId, snippet, contentDetails }] },
      playlistItems: { kind: 'youtube#playlistItemListResponse', items: [{ snippet, contentDetails, status }] },
      videos: { kind: 'youtube#videoListResponse', items: [{ id, snippet, status, statistics: { viewCount: '99' } }] },
      media: { data: [media] },
      item: media,
      items: { [id]: media },
    };
  };
  test.for([
    ['PROVIDER_A', ['channels'], [/^250 posts/, /^40 posts/]],
    ['PROVIDER_A', ['playlistItems'], [/^250 posts/, /^40 posts/]],
    ['PROVIDER_A', ['videos'], [/^250 posts/, /^40 posts/]],
    ['PROVIDER_C', ['media', 'item', 'items'], [/^Creator account/, /^250 posts/]],
  ] as const)(
    'D job errorCode: ACCOUNT_MISMATCH when a scan at %s is answered about another account (%s), and nothing of it is stored',
    async ([provider, routes, notes], { user, service }) => {
      await service.at(NOW);
      const account = user.account(provider, notes[0]);
      const connectionId = await user.connect(provider, account);
      const beside = await user.connect(provider, user.account(provider, notes[1]));
      const window = windowOf(90, 0);
      const read = async (id: string) =>
        (await user.ask('content', { connectionId: id, window: { ...window, first: 50 } })).items;
      const before = [await read(connectionId), await read(beside)];
      const lies = theirs(before[0][0].providerContentId);
      for (const route of routes) {
        const what = { kind: 'answer', status: 200, body: lies[route] } as const;
        service.control.addFault({ provider, route, account, what, times: null });
      }
      expect(await user.refresh(connectionId, { window })).toMatchObject(failed('ACCOUNT_MISMATCH'));
      service.control.clearFaults();
      expect([await read(connectionId), await read(beside)]).toEqual(before);
      expect(await user.refresh(beside)).toMatchObject({ status: 'SUCCEEDED' });
    },
  );

  test('D job errorCode: AUTHORIZATION_SUSPENDED during a pause, then it continues', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    away(service);
    const { id } = await user.ask('requestRefresh', { connectionId });
    await user.waiting(connectionId, id);
    const registrationId = user.seeded.registrations.PROVIDER_B;
    await service.operate(`pauseRegistration(id: "${registrationId}")`);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(id));
    await until(async () => (await user.job(connectionId, id)).errorCode === 'AUTHORIZATION_SUSPENDED');
    expect(await user.outcome('connection', { id: connectionId })).toBe('AUTHORIZATION_SUSPENDED');
    expect(await user.job(connectionId, id)).toMatchObject({ status: 'RUNNING', nextRetryAt: expect.any(String) });
    await service.operate(`resumeRegistration(id: "${registrationId}")`);
    await service.retryNow(scanWorkflow(id));
    expect(await user.ended(connectionId, id)).toMatchObject({ status: 'SUCCEEDED', errorCode: null });
  });

  test('D job errorCode + 2 field rule 9: CONTENT_NOT_FOUND for a post that is gone', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const { id: added } = service.control.addPost(booksOf(user), { publishedAt: NOW - SECOND });
    await user.refresh(connectionId);
    service.control.deletePost(added);
    await service.at(NOW + HOUR);
    const read = { connectionId, providerContentId: added };
    expect(await user.refresh(connectionId, { providerContentId: added })).toMatchObject(failed('CONTENT_NOT_FOUND'));
    expect(await user.ask('contentItem', read)).toMatchObject({ availability: 'AVAILABLE' });
    await service.at(NOW + 2 * HOUR);
    expect(await user.refresh(connectionId, { providerContentId: added })).toMatchObject(failed('CONTENT_NOT_FOUND'));
    const gone = { availability: 'UNAVAILABLE', reason: 'CONTENT_NOT_FOUND', observedAt: iso(NOW) };
    expect(await user.ask('contentItem', read)).toMatchObject(gone);
    expect(await user.lookUp(connectionId, urlOf(UNKNOWN))).toMatchObject(failed('CONTENT_NOT_FOUND'));
    expect(await user.ask('contentItem', { connectionId, providerContentId: UNKNOWN })).toBeNull();
  });

  test('D job errorCode: UNSUPPORTED_URL for a URL that is not a post there', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    for (const url of ['https://example.com/video/1', 'https://www.tiktok.com/tag/boats'])
      expect(await user.lookUp(connectionId, url)).toMatchObject(failed('UNSUPPORTED_URL'));
  });

  test('D job errorCode + D disconnect cancels: CONNECTION_DISCONNECTED and CANCELED when the connection is disconnected', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const { providerContentId } = await newestPost(user, connectionId);
    const sibling = await user.connect('PROVIDER_B', kitchenOf(user));
    const ended = await user.refresh(connectionId);
    away(service);
    const open = [
      await user.ask('requestRefresh', { connectionId, window: WINDOW }),
      await user.ask('requestRefresh', { connectionId, providerContentId }),
      await user.ask('requestContentLookup', { connectionId, url: urlOf(UNKNOWN) }),
    ];
    for (const { id } of open) await user.waiting(connectionId, id);
    service.control.addFault({ provider: 'PROVIDER_B', route: 'revoke', what: DOWN, times: null });
    await user.ask('disconnectConnection', { connectionId });
    // Siblings are on hold only in production.
    expect(await user.connection(sibling)).toMatchObject({ status: 'CONNECTED' });
    for (const { id } of open) {
      expect(await user.job(connectionId, id)).toMatchObject({
        ...failed('CONNECTION_DISCONNECTED'),
        status: 'CANCELED',
      });
    }
    expect(await user.job(connectionId, ended.id)).toMatchObject({ status: 'SUCCEEDED', errorCode: null });
    for (const [index, workflow] of [scanWorkflow, metricsWorkflow, lookupWorkflow].entries())
      await service.retryNow(workflow(open[index]?.id ?? ''));
    const [one, two, three] = open.map(({ id }) => id) as [string, string, string];
    await service.closed(scanWorkflow(one), metricsWorkflow(two), lookupWorkflow(three));
    for (const { id } of open) expect(await user.job(connectionId, id)).toMatchObject({ status: 'CANCELED' });
  });

  test('D job errorCode: PROVIDER_CONTRACT for an unknown answer, at the third try', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    away(service, {
      kind: 'answer',
      status: 200,
      body: { data: { videos: 'x' }, error: { code: 'ok', message: '', log_id: 'x' } },
    });
    const { id } = await user.ask('requestRefresh', { connectionId });
    expect(await user.waiting(connectionId, id)).toMatchObject({ status: 'RUNNING', errorCode: 'PROVIDER_CONTRACT' });
    for (const seconds of [5, 15]) {
      await service.at(NOW + seconds * SECOND);
      const { nextRetryAt } = await user.job(connectionId, id);
      await service.retryNow(scanWorkflow(id));
      await until(async () => {
        const job = await user.job(connectionId, id);
        return job.status === 'FAILED' || (job.nextRetryAt !== null && job.nextRetryAt !== nextRetryAt);
      });
    }
    expect(await user.job(connectionId, id)).toMatchObject({
      ...failed('PROVIDER_CONTRACT'),
      completeForWindow: false,
    });
  });

  test('D job errorCode: INTERNAL once reconciliation notices a terminated workflow', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    away(service);
    const { id } = await user.ask('requestRefresh', { connectionId });
    await user.waiting(connectionId, id);
    await service.terminate(scanWorkflow(id));
    await service.at(NOW + MINUTE);
    await service.sweep('reconcile');
    expect(await user.job(connectionId, id)).toMatchObject({ status: 'RUNNING' });
    await service.at(NOW + 3 * MINUTE);
    await service.sweep('reconcile');
    expect(await user.job(connectionId, id)).toMatchObject(failed('INTERNAL'));
  });
});

test('8 finished jobs: a finished job can be read for exactly 7 days, before and after housekeeping; an open one always', async ({
  user,
  service,
}) => {
  const connectionId = await connected(user, service);
  const ended = await user.lookUp(connectionId, urlOf(UNKNOWN));
  away(service);
  const { connectionId: other } = await user.attempt('PROVIDER_B', kitchenOf(user));
  const [own] = await service.sql`select job_id from read_job where connection_id = ${other}`;
  const outcomes = async () => [
    await user.outcome('syncJob', { connectionId, id: ended.id }),
    await user.outcome('syncJob', { connectionId: other, id: own?.jobId }),
  ];
  await service.at(NOW + 7 * DAY - 1);
  await service.sweep('retention');
  expect(await outcomes()).toEqual(['answered', 'answered']);
  await service.at(NOW + 7 * DAY);
  expect(await outcomes()).toEqual(['NOT_FOUND', 'answered']);
  await service.sweep('retention');
  expect(await outcomes()).toEqual(['NOT_FOUND', 'answered']);
  expect(await service.sql`select from read_job where job_id = ${ended.id}`).toHaveLength(0);
});

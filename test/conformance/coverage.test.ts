import { describe, expect } from 'vitest';
import { type Service, scanWorkflow, type User, workTest } from '../kit/at-work.ts';
import { DAY, HOUR, iso, MINUTE } from '../kit/conformance.ts';
import { connectAt, DOWN, LATER, takeNow } from './usual.ts';

const test = workTest();

const NOW = takeNow();
/** Days before NOW; a range of publication time, from the older to the newer end. */
type Days = readonly [from: number, to: number];
const windowOf = ([from, to]: Days) => ({
  publishedAfter: iso(NOW - from * DAY),
  publishedBefore: iso(NOW - to * DAY),
});
const MS = 1 / DAY;

const connected = (user: User, service: Service, note = /^No posts/) =>
  connectAt(NOW)(user, service, { account: user.account('PROVIDER_B', note) });

/** Scans a range from its beginning to its end. */
async function scan(user: User, connectionId: string, range: Days): Promise<void> {
  const job = await user.refresh(connectionId, { window: windowOf(range) });
  expect(job).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true, incompleteReason: null });
}

/** The state of a page of the window: `complete`, or the reason why not. */
async function verdict(user: User, connectionId: string, range: Days): Promise<string> {
  const { pageInfo } = await user.ask('content', { connectionId, window: { ...windowOf(range), first: 1 } });
  expect(pageInfo.completeForWindow).toBe(pageInfo.incompleteReason === null);
  return pageInfo.incompleteReason ?? 'complete';
}

// The model of `test/store/coverage.test.ts` has all other unions.
test('2 field rule 11 + D coverage union: several ranges cover a window together, without a gap of a millisecond', async ({
  user,
  service,
}) => {
  const connectionId = await connected(user, service);
  for (const range of [
    [26, 25],
    [30, 28],
    [28.5, 26 + MS],
    [40, 30],
  ] as const)
    await scan(user, connectionId, range);
  expect(await verdict(user, connectionId, [30, 25])).toBe('PARTLY_SCANNED');
  expect(await verdict(user, connectionId, [40, 28])).toBe('complete');
  await scan(user, connectionId, [27, 26]);
  expect(await verdict(user, connectionId, [30, 25])).toBe('complete');
  expect(await verdict(user, connectionId, [30, 25 - MS])).toBe('PARTLY_SCANNED');
});

describe('ranges and time', () => {
  test('D coverage ages: a range counts for less than 24 hours, then it is stale', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    await scan(user, connectionId, [30, 25]);
    await service.at(NOW + DAY - 1);
    expect(await verdict(user, connectionId, [30, 25])).toBe('complete');
    await service.at(NOW + DAY);
    expect(await verdict(user, connectionId, [30, 25])).toBe('SCAN_STALE');
  });

  test('D coverage end: a scan covers a window up to its first request, to the millisecond', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    expect(await verdict(user, connectionId, [7, 0])).toBe('complete');
    expect(await verdict(user, connectionId, [7, -MS])).toBe('PARTLY_SCANNED');
    await user.refresh(connectionId, { window: windowOf([3, -1]) });
    expect(await verdict(user, connectionId, [3, 0])).toBe('complete');
    expect(await verdict(user, connectionId, [3, -MS])).toBe('PARTLY_SCANNED');
    await service.at(NOW + HOUR);
    expect(await verdict(user, connectionId, [7, 0])).toBe('complete');
    expect(await verdict(user, connectionId, [7, -HOUR / DAY])).toBe('PARTLY_SCANNED');
  });

  test('D coverage end + 4 requestRefresh continuationCursor: a continued scan covers up to the first request of its first part', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service, /^40 posts, written from right/);
    await service.at(NOW + HOUR);
    const window = windowOf([30, -1]);
    const first = await user.refresh(connectionId, { window: { ...window, maxItems: 3 } });
    expect(first).toMatchObject({ completeForWindow: false, incompleteReason: 'MAX_ITEMS' });
    await service.at(NOW + 3 * HOUR);
    const { continuationCursor } = first;
    const last = await user.refresh(connectionId, { continuationCursor, window: { ...window, maxItems: 100 } });
    expect(last).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true, continuationCursor: null });
    expect(await verdict(user, connectionId, [30, -HOUR / DAY])).toBe('complete');
    expect(await verdict(user, connectionId, [30, -HOUR / DAY - MS])).toBe('PARTLY_SCANNED');
    expect((await user.connection(connectionId)).lastSuccessfulSyncAt).toBe(iso(NOW + HOUR));
  });
});

describe('reasons of an incomplete window', () => {
  const WINDOW = [30, 25] as const;

  test('D coverage reasons: NEVER_SCANNED, then SCAN_RUNNING for the first window', async ({ user, service }) => {
    service.control.addFault({ provider: 'PROVIDER_B', route: 'videoList', what: DOWN, times: null });
    await service.at(NOW);
    const { connectionId } = await user.attempt('PROVIDER_B', user.account('PROVIDER_B', /^No posts/));
    expect(await verdict(user, connectionId, WINDOW)).toBe('NEVER_SCANNED');
    expect(await verdict(user, connectionId, [8, 6])).toBe('SCAN_RUNNING');
    expect(await verdict(user, connectionId, [9, 7])).toBe('NEVER_SCANNED');
  });

  test('D coverage reasons: SCAN_RUNNING while a scan of a part of the window is in flight', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    await scan(user, connectionId, [50, 40]);
    service.control.addFault({ provider: 'PROVIDER_B', route: 'videoList', what: DOWN, times: null });
    const { id } = await user.ask('requestRefresh', { connectionId, window: windowOf(WINDOW) });
    expect(await verdict(user, connectionId, WINDOW)).toBe('SCAN_RUNNING');
    expect(await verdict(user, connectionId, [41, 29])).toBe('SCAN_RUNNING');
    expect(await verdict(user, connectionId, [25, 24])).toBe('PARTLY_SCANNED');
    expect(await verdict(user, connectionId, [50, 40])).toBe('complete');
    await user.waiting(connectionId, id);
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(id));
    await user.ended(connectionId, id);
    expect(await verdict(user, connectionId, WINDOW)).toBe('complete');
  });

  test('D coverage reasons: SCAN_FAILED if the last scan of a part failed, until a success', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    service.control.addFault({ provider: 'PROVIDER_B', route: 'videoList', what: LATER });
    await service.at(NOW + MINUTE);
    expect(await user.refresh(connectionId, { window: windowOf(WINDOW) })).toMatchObject({ status: 'FAILED' });
    expect(await verdict(user, connectionId, WINDOW)).toBe('SCAN_FAILED');
    expect(await verdict(user, connectionId, [7, 0])).toBe('complete');
    await service.at(NOW + 2 * MINUTE);
    expect(await verdict(user, connectionId, [60, 50])).toBe('PARTLY_SCANNED');
    await scan(user, connectionId, [50, 45]);
    expect(await verdict(user, connectionId, WINDOW)).toBe('SCAN_FAILED');
    await scan(user, connectionId, [27, 25]);
    expect(await verdict(user, connectionId, WINDOW)).toBe('PARTLY_SCANNED');
  });

  const STOPPED = [
    ['MAX_ITEMS', {}, { maxItems: 3 }],
    ['PROVIDER_UNAVAILABLE', { skip: 1, what: LATER }, {}],
    [
      'PROVIDER_LIMIT',
      {
        what: {
          kind: 'answer',
          status: 200,
          body: { data: { videos: [], cursor: 9e12, has_more: true }, error: { code: 'ok', message: '', log_id: 'x' } },
        },
      },
      {},
    ],
  ] as const;
  for (const [incompleteReason, fault, asked] of STOPPED) {
    test(`D coverage reasons + 2 field rule 13: a scan stopped by ${incompleteReason} covers nothing`, async ({
      user,
      service,
    }) => {
      const connectionId = await connected(user, service, /^250 posts/);
      if ('what' in fault) service.control.addFault({ provider: 'PROVIDER_B', route: 'videoList', ...fault });
      const job = await user.refresh(connectionId, { window: { ...windowOf([40, 25]), ...asked } });
      expect(job).toMatchObject({ status: 'SUCCEEDED', completeForWindow: false, incompleteReason, errorCode: null });
      expect(job.continuationCursor === null).toBe(incompleteReason === 'PROVIDER_LIMIT');
      for (const range of [
        [40, 25],
        [40, 39],
        [26, 25],
        [25 + MS, 25],
      ] as const) {
        expect(await verdict(user, connectionId, range)).toBe('PARTLY_SCANNED');
      }
      expect((await user.connection(connectionId)).syncStatus).toBe('PARTIAL');
    });
  }

  test('D scan recheck + D coverage reasons: a scan with a failed recheck by id is incomplete, and its continuation repeats the recheck', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service, /^40 posts, written from right/);
    const account = user.account('PROVIDER_B', /^40 posts, written from right/);
    const [gone] = (await user.ask('content', { connectionId, window: { ...windowOf([7, 0]), first: 1 } })).items;
    service.control.deletePost(gone.providerContentId);
    service.control.addFault({ provider: 'PROVIDER_B', route: 'videoQuery', what: LATER });
    await service.at(NOW + DAY + HOUR);
    const job = await user.refresh(connectionId, { window: windowOf([7, 0]) });
    expect(job).toMatchObject({
      status: 'SUCCEEDED',
      completeForWindow: false,
      incompleteReason: 'PROVIDER_UNAVAILABLE',
      continuationCursor: expect.any(String),
    });
    expect(await verdict(user, connectionId, [7, 0])).not.toBe('complete');
    const read = () => user.ask('contentItem', { connectionId, providerContentId: gone.providerContentId });
    expect(await read()).toMatchObject({ availability: 'AVAILABLE' });
    const listed = service.control.calls({ account, route: 'videoList' }).length;
    const { continuationCursor } = job;
    expect(await user.refresh(connectionId, { continuationCursor })).toMatchObject({ completeForWindow: true });
    expect(service.control.calls({ account, route: 'videoList' })).toHaveLength(listed);
  });
});

import { describe, expect, test } from 'vitest';
import { call, failureOf, idsOf, listPosts, type Seen, useAdapters } from '../../kit/fake-platform.ts';
import { access, answer, daysAgo, type Upload, upload, week } from './uploads.ts';

const adapters = useAdapters();
const patient = useAdapters({ PROVIDER_A_UPLOAD_MARGIN_DAYS: 90 });

const serve = (uploads: readonly Upload[]) =>
  adapters.platform.script((request) => ({ body: answer(uploads, request) }));

const scan = (withMetrics = true) => listPosts(adapters.providers.PROVIDER_A, access, week, withMetrics);

describe('listing', () => {
  /** Every value of the reference, and one that it does not have. */
  const states: [boolean, Partial<Upload>][] = [
    [true, { privacyStatus: 'public' }],
    [true, { privacyStatus: 'unlisted' }],
    [false, { privacyStatus: 'private' }],
    [false, { privacyStatus: 'private', status: { publishAt: daysAgo(-1).toISOString() } }],
    [false, { privacyStatus: 'other' }],
    [true, { status: { uploadStatus: 'processed' } }],
    [false, { status: { uploadStatus: 'uploaded' } }],
    [false, { status: { uploadStatus: 'failed', failureReason: 'codec' } }],
    [false, { status: { uploadStatus: 'rejected', rejectionReason: 'copyright' } }],
    [false, { status: { uploadStatus: 'deleted' } }],
    [false, { status: { uploadStatus: 'other' } }],
    [true, { liveBroadcastContent: 'none' }],
    [true, { liveBroadcastContent: 'live', status: { uploadStatus: 'uploaded' } }],
    [false, { liveBroadcastContent: 'live', status: { uploadStatus: 'uploaded' }, privacyStatus: 'private' }],
    [false, { liveBroadcastContent: 'upcoming' }],
    [false, { liveBroadcastContent: 'upcoming', status: { uploadStatus: 'uploaded' } }],
  ];
  test.each(states)(
    'is %s that a video is published with %j: listed, read and looked up alike',
    async (isPublished, state) => {
      serve([upload(0, state), upload(1)]);
      const expected = isPublished ? ['video-00000', 'video-00001'] : ['video-00001'];
      for (const withMetrics of [true, false]) expect(idsOf((await scan(withMetrics)).items)).toEqual(expected);
      const read = { providerContentIds: ['video-00000', 'video-00001'], withMetrics: true };
      expect(idsOf(await adapters.providers.PROVIDER_A.readContent(access, read, call()))).toEqual(expected);
      const input = { url: 'https://youtu.be/video-00000', cursor: null, withMetrics: true };
      const { kind } = await adapters.providers.PROVIDER_A.lookUp(access, input, call());
      expect(kind).toBe(isPublished ? 'found' : 'absent');
    },
  );

  describe('without a list of uploads', () => {
    const missing = { status: 404, body: { error: { code: 404, errors: [{ reason: 'playlistNotFound' }] } } };
    const channels = (request: Seen, videoCount?: string) => {
      const body = answer([], request);
      const [channel] = 'items' in body ? (body.items as object[]) : [];
      return { body: { ...body, items: [{ ...channel, ...(videoCount && { statistics: { videoCount } }) }] } };
    };

    test.each([undefined, '0'])('treats a channel with %s videos as empty', async (videoCount) => {
      adapters.platform.script((request) =>
        request.path.endsWith('/channels') ? channels(request, videoCount) : missing,
      );
      expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
    });

    test('tries again later if the channel has videos', async () => {
      adapters.platform.script((request) => (request.path.endsWith('/channels') ? channels(request, '87') : missing));
      expect(await failureOf(scan())).toMatchObject({ type: 'RetryLater' });
    });

    test('tries again later if only a further page has none', async () => {
      const uploads = Array.from({ length: 120 }, (_, index) => upload(index));
      adapters.platform.script((request) =>
        request.query.pageToken === undefined ? { body: answer(uploads, request) } : missing,
      );
      expect(await failureOf(scan())).toMatchObject({ type: 'RetryLater' });
    });
  });

  test('goes as far back as its setting says for a video that was published long after its upload', async () => {
    const older = Array.from({ length: 60 }, (_, at) => upload(at, { publishedDaysAgo: 60, uploadedDaysAgo: 60 }));
    const late = upload(60, { publishedDaysAgo: 1, uploadedDaysAgo: 80 });
    patient.platform.script((request) => ({ body: answer([...older, late], request) }));
    const input = { window: week, cursor: null, limit: 100, withMetrics: false };
    const { items } = await patient.providers.PROVIDER_A.listContent(access, input, call());
    expect(idsOf(items)).toEqual([late.id]);
  });

  test('reports when it reached the provider’s own limit and not the end', async () => {
    serve(Array.from({ length: 19_950 }, (_, index) => upload(index, { publishedDaysAgo: 1, uploadedDaysAgo: 1 })));
    const place = {
      uploads: 'UU1',
      token: '19925',
      isHalf: false,
      following: '19950',
      seen: ['video-19930'],
      overlaps: true,
      passed: 19_925,
      stalled: 0,
      restarts: 0,
    };
    const input = { window: week, cursor: JSON.stringify(place), limit: 100, withMetrics: false };
    const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
    expect(page).toMatchObject({ cursor: null, reachedEnd: false });
  });
});

const metricsOf = async (statistics: object) => {
  serve([upload(0, { statistics })]);
  const [item] = await adapters.providers.PROVIDER_A.readContent(
    access,
    { providerContentIds: ['video-00000'], withMetrics: true },
    call(),
  );
  return item?.metrics;
};

test('metrics are unavailable, not zero, if the count is missing', async () => {
  expect(await metricsOf({})).toMatchObject([
    { name: 'VIEWS', value: null, availability: 'UNAVAILABLE', reason: 'NOT_SHOWN' },
    { name: 'LIKES', value: null, availability: 'UNAVAILABLE', reason: 'HIDDEN_BY_OWNER' },
    { name: 'COMMENTS', value: null, availability: 'UNAVAILABLE', reason: 'COMMENTS_OFF' },
    { name: 'SHARES', value: null, availability: 'UNSUPPORTED' },
  ]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, failureOf, openAdapters } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';
import { access, answer, type Upload, upload } from './uploads.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const serve = (uploads: readonly Upload[]) =>
  adapters.platform.script((request) => ({ body: answer(uploads, request) }));

const lookUp = async (url: string) =>
  await adapters.providers.PROVIDER_A.lookUp(access, { url, cursor: null, withMetrics: true }, call());

test.each([
  'https://www.youtube.com/watch?v=video-00000&t=12s&list=PL1&si=x&feature=share',
  'https://youtube.com/watch?v=video-00000',
  'https://m.youtube.com/watch?v=video-00000',
  'https://music.youtube.com/watch?v=video-00000',
  'https://www.youtube.com/shorts/video-00000',
  'https://www.youtube.com/live/video-00000?si=x',
  'https://www.youtube.com/embed/video-00000',
  'https://www.youtube.com/v/video-00000',
  'https://youtu.be/video-00000?si=x',
  'https://www.youtube-nocookie.com/embed/video-00000',
])('finds %s in one call', async (url) => {
  proves('Every form');
  serve([upload(0)]);
  const step = await lookUp(url);
  expect(step).toMatchObject({
    kind: 'found',
    content: { providerContentId: 'video-00000', canonicalUrl: 'https://www.youtube.com/watch?v=video-00000' },
  });
  expect(adapters.platform.seen).toHaveLength(1);
});

test.each([
  'http://www.youtube.com/watch?v=video-00000',
  'https://www.youtube.com/playlist?list=PL1',
  'https://www.youtube.com/@handle',
  'https://www.youtube.com/channel/UCq7R1xTn0aVb3kLmZ9pYwEg',
  'https://www.youtube.com/clip/abc',
  'https://www.youtube.com/post/abc',
  'https://www.youtube.com/redirect?q=https://youtu.be/video-00000',
  'https://www.youtube.com/attribution_link?u=/watch?v=video-00000',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch',
  'https://youtube.com.example/watch?v=video-00000',
  'https://example.com/watch?v=video-00000',
  'not a url',
])('refuses %s without a call', async (url) => {
  proves('URLs of no post');
  serve([upload(0)]);
  expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(0);
});

test('does not find deleted, private or foreign posts', async () => {
  proves('A foreign post, or a deleted one');
  const url = 'https://youtu.be/video-00000';
  serve([]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
  serve([upload(0, { privacyStatus: 'private' })]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
  serve([upload(0, { channelId: 'UCsomebodyelse0000000000' })]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
});

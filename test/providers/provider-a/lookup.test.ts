import { expect, test } from 'vitest';
import { call, failureOf, useAdapters } from '../../kit/fake-platform.ts';
import { access, answer, type Upload, upload } from './uploads.ts';

const adapters = useAdapters();

const serve = (uploads: readonly Upload[]) =>
  adapters.platform.script((request) => ({ body: answer(uploads, request) }));

const lookUp = async (url: string) =>
  await adapters.providers.PROVIDER_A.lookUp(access, { url, cursor: null, withMetrics: true }, call());

test.each([
  'https://www.youtube.com/watch?v=video-00000&t=12s&list=PL1&si=x&feature=share',
  'https://music.youtube.com/watch?v=video-00000',
  'https://www.youtube.com/shorts/video-00000',
  'https://www.youtube.com/live/video-00000?si=x',
  'https://www.youtube.com/embed/video-00000',
  'https://youtu.be/video-00000?si=x',
  'https://youtube-nocookie.com/embed/video-00000',
  'https://WWW.YouTube.com./WATCH?V=video-00000',
  'https://www.youtube.com/watch/?feature=share&amp;v=video-00000',
  'https://www.youtube.com/watch%3Fv%3Dvideo-00000',
  'https://www.youtube.com/playlist?list=UU0&v=video-00000',
  'https://www.facebook.com/flx/warn/?u=https%3A%2F%2Fyoutu.be%2Fvideo-00000',
  'https://www.youtubekids.com/watch?v=video-00000',
  'https://youtu.be/video-00000).',
  '\ufeff\u00a0<https://youtu.be/video-\u00ad00000>\u00a0',
  '“https://youtu.be/video-00000”,',
  'https://studio.youtube.com/video/video-00000/analytics/tab-overview/period-default',
  'https://studio.youtube.com/channel/UCq7R1xTn0aVb3kLmZ9pYwEg/videos/upload?d=ud&udvid=video-00000',
  'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Dvideo-00000%26feature%3Dshare',
  'https://www.youtube.com/redirect?q=https%3A%2F%2Fyoutu.be%2Fvideo-00000&v=video-99999',
  'https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dvideo-00000%26cbrd%3D1&gl=DE',
])('finds %s in one call', async (url) => {
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
  'https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com%2Fwatch%3Fv%3Dvideo-00000&v=video-00000',
  'https://www.youtube.com/embed/videoseries?list=PL1',
  'https://www.youtube.com/watch?v=video-000001',
  'https://consent.youtube.com/m?continue=https%3A%2F%2Fevil.example%2Fwatch%3Fv%3Dvideo-00000',
  'https://youtube.com.example/watch?v=video-00000',
  'https://example.com/watch?v=video-00000',
])('refuses %s without a call', async (url) => {
  serve([upload(0)]);
  expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(0);
});

test('does not find deleted, private or foreign posts', async () => {
  const url = 'https://youtu.be/video-00000';
  serve([]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
  serve([upload(0, { privacyStatus: 'private' })]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
  serve([upload(0, { channelId: 'UCsomebodyelse0000000000' })]);
  expect(await lookUp(url)).toEqual({ kind: 'absent', providerContentId: 'video-00000' });
});

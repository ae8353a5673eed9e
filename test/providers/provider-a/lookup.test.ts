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
  'https://youtube.com/watch?v=video-00000',
  'https://m.youtube.com/watch?v=video-00000',
  'https://music.youtube.com/watch?v=video-00000',
  'https://www.youtube.com/shorts/video-00000',
  'https://www.youtube.com/live/video-00000?si=x',
  'https://www.youtube.com/embed/video-00000',
  'https://www.youtube.com/v/video-00000',
  'https://youtu.be/video-00000?si=x',
  'https://www.youtube-nocookie.com/embed/video-00000',
  'https://youtube-nocookie.com/embed/video-00000',
  'https://WWW.YouTube.com./WATCH?V=video-00000',
  'https://www.youtube.com//watch?v=video-00000',
  'https://www.youtube.com/watch/?feature=share&amp;v=video-00000',
  'https://www.youtube.com/watch%3Fv%3Dvideo-00000',
  'https://www.youtube.com/?v=video-00000',
  'https://www.youtube.com/watch_popup?v=video-00000',
  'https://www.youtube.com/live_chat?is_popout=1&v=video-00000',
  'https://www.youtube.com/e/video-00000',
  'https://www.youtube.com/video/video-00000',
  'https://www.youtube.com/playlist?list=UU0&v=video-00000',
  'https://www.youtube.com/shared?ci=video-00000',
  'https://www.facebook.com/flx/warn/?u=https%3A%2F%2Fyoutu.be%2Fvideo-00000',
  'https://www.youtube.com/watch/video-00000',
  'https://gaming.youtube.com/watch?v=video-00000',
  'https://www.youtubekids.com/watch?v=video-00000',
  'https://www.youtu.be/video-00000',
  'https://youtu.be//video-00000&feature=share',
  'https://youtu.be/video-00000).',
  'https://youtu.be/video-00000\u200b',
  'https://youtu.be/video-00000%E2%80%8B',
  '\ufeff\u00a0<https://youtu.be/video-\u00ad00000>\u00a0',
  '“https://youtu.be/video-00000”,',
  'https://studio.youtube.com/video/video-00000/edit',
  'https://studio.youtube.com/video/video-00000/analytics/tab-overview/period-default',
  'https://studio.youtube.com/channel/UCq7R1xTn0aVb3kLmZ9pYwEg/videos/upload?d=ud&udvid=video-00000',
  'https://img.youtube.com/vi/video-00000/hqdefault.jpg',
  'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Dvideo-00000%26feature%3Dshare',
  'https://www.youtube.com/redirect?q=https%3A%2F%2Fyoutu.be%2Fvideo-00000&v=video-99999',
  'https://www.youtube.com/oembed?url=http%3A//www.youtube.com/watch?v%3Dvideo-00000&format=json',
  'https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dvideo-00000%26cbrd%3D1&gl=DE',
  'https://accounts.google.com/ServiceLogin?service=youtube&continue=https%3A%2F%2Fwww.youtube.com%2Fsignin%3Fapp%3Ddesktop%26next%3D%252Fshorts%252Fvideo-00000',
  'https://l.instagram.com/?u=https%3A%2F%2Fyoutu.be%2Fvideo-00000&e=AT0',
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
  'https://www.youtube.com/clip/abc',
  'https://www.youtube.com/post/abc',
  'https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com%2Fwatch%3Fv%3Dvideo-00000&v=video-00000',
  'https://www.youtube.com/embed/videoseries?list=PL1',
  'https://www.youtube.com/embed/live_stream?channel=UCq7R1xTn0aVb3kLmZ9pYwEg',
  'https://www.youtube.com/watch?v=video-000001',
  'https://evil.example/?u=https%3A%2F%2Fyoutu.be%2Fvideo-00000',
  'https://consent.youtube.com/m?continue=https%3A%2F%2Fevil.example%2Fwatch%3Fv%3Dvideo-00000',
  `https://www.youtube.com/signin?next=${'/signin?next='.repeat(4)}/watch?v=video-00000`,
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch',
  'https://youtube.com.example/watch?v=video-00000',
  'https://example.com/watch?v=video-00000',
  'not a url',
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

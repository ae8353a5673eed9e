import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, failureOf, openAdapters } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';
import { access, CHANNEL } from './uploads.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

test('is the channel, with its largest picture and a URL that survives a new handle', async () => {
  proves('Profile');
  adapters.platform.script({
    body: {
      kind: 'youtube#channelListResponse',
      items: [
        {
          id: CHANNEL,
          snippet: {
            title: 'Harbour Kitchen',
            description: '',
            thumbnails: {
              high: { url: 'https://yt3.example/800', width: 800 },
              default: { url: 'https://yt3.example/88', width: 88 },
            },
          },
        },
      ],
    },
  });
  expect(await adapters.providers.PROVIDER_A.readAccount(access, call())).toEqual({
    providerAccountId: CHANNEL,
    aliasIds: [],
    profile: {
      displayName: 'Harbour Kitchen',
      handle: null,
      avatarUrl: 'https://yt3.example/800',
      profileUrl: `https://www.youtube.com/channel/${CHANNEL}`,
      description: null,
    },
  });
});

test('is unusable without a channel: the list then has no items field', async () => {
  proves('An unusable account');
  adapters.platform.script({ body: { kind: 'youtube#channelListResponse', pageInfo: { totalResults: 0 } } });
  expect(await failureOf(adapters.providers.PROVIDER_A.readAccount(access, call()))).toMatchObject({
    type: 'AccountUnusable',
  });
});

import type { Recording } from './recording.ts';

const OWN = 'UCq7R1xTn0aVb3kLmZ9pYwEg';
const UPLOADS = 'UUq7R1xTn0aVb3kLmZ9pYwEg';

const picture = (name: string, width: number, height: number) => ({
  url: `https://i.ytimg.com/vi/k3Jx_9aQ-Lw/${name}.jpg`,
  width,
  height,
});
const thumbnails = {
  default: picture('default', 120, 90),
  medium: picture('mqdefault', 320, 180),
  high: picture('hqdefault', 480, 360),
  standard: picture('sddefault', 640, 480),
  maxres: picture('maxresdefault', 1280, 720),
};
const avatar = (size: number) => ({
  url: `https://yt3.ggpht.com/ytc/invented=s${size}-c-k-c0x00ffffff-no-rj`,
  width: size,
  height: size,
});

const uploadsOf = {
  kind: 'youtube#channelListResponse',
  etag: 'vxTZ0_invented',
  pageInfo: { totalResults: 1, resultsPerPage: 5 },
  items: [
    {
      kind: 'youtube#channel',
      etag: 'g6iIf_invented',
      id: OWN,
      contentDetails: { relatedPlaylists: { likes: 'LL', uploads: UPLOADS } },
    },
  ],
};

const item = (videoId: string, position: number, title: string, publishedAt: string) => ({
  kind: 'youtube#playlistItem',
  etag: 'qwSJb_invented',
  id: `VVVxN1IxLmszSng${position}`,
  snippet: {
    publishedAt,
    channelId: OWN,
    title,
    description: '',
    thumbnails,
    channelTitle: 'Harbour Kitchen',
    playlistId: UPLOADS,
    position,
    resourceId: { kind: 'youtube#video', videoId },
    videoOwnerChannelTitle: 'Harbour Kitchen',
    videoOwnerChannelId: OWN,
  },
  contentDetails: { videoId, videoPublishedAt: publishedAt },
  status: { privacyStatus: 'public' },
});

/** A private video of a playlist: other texts, no pictures, no owner, no instant of publication. */
const privateItem = (videoId: string, position: number) => ({
  kind: 'youtube#playlistItem',
  etag: 'LQfyf_invented',
  id: `VVVxN1IxLmszSng${position}`,
  snippet: {
    publishedAt: '2026-11-02T04:52:44Z',
    channelId: OWN,
    title: 'Private video',
    description: 'This video is private.',
    thumbnails: {},
    channelTitle: 'Harbour Kitchen',
    playlistId: UPLOADS,
    position,
    resourceId: { kind: 'youtube#video', videoId },
  },
  contentDetails: { videoId },
  status: { privacyStatus: 'private' },
});

/** The answer of `videos` for an item of the list. */
const video = (id: string, title: string, publishedAt: string) => ({
  kind: 'youtube#video',
  id,
  snippet: { publishedAt, channelId: OWN, title, description: '', liveBroadcastContent: 'none' },
  status: { uploadStatus: 'processed', privacyStatus: 'public' },
});

/** YouTube. */
export const PROVIDER_A_RECORDINGS: readonly Recording[] = [
  {
    source: 'NangoHQ/integration-templates, integrations/youtube/tests/channels.test.json, 30 April 2026',
    call: 'account',
    answers: [
      {
        kind: 'youtube#channelListResponse',
        etag: 'vXO-Z_invented',
        pageInfo: { totalResults: 1, resultsPerPage: 5 },
        items: [
          {
            kind: 'youtube#channel',
            etag: '90m6j_invented',
            id: OWN,
            snippet: {
              title: 'Harbour Kitchen',
              description: '',
              customUrl: '@harbourkitchen',
              publishedAt: '2025-09-08T18:49:42.012416Z',
              thumbnails: { default: avatar(88), medium: avatar(240), high: avatar(800) },
              localized: { title: 'Harbour Kitchen', description: '' },
            },
            contentDetails: { relatedPlaylists: { likes: 'LL', uploads: UPLOADS } },
            statistics: { viewCount: '104', subscriberCount: '1', hiddenSubscriberCount: false, videoCount: '1' },
            brandingSettings: { channel: { title: 'Harbour Kitchen' } },
          },
        ],
      },
    ],
    expected: {
      providerAccountId: OWN,
      aliasIds: [],
      profile: {
        displayName: 'Harbour Kitchen',
        handle: '@harbourkitchen',
        avatarUrl: avatar(800).url,
        profileUrl: `https://www.youtube.com/channel/${OWN}`,
        description: null,
      },
    },
  },
  {
    source:
      'NangoHQ/integration-templates, integrations/youtube/tests/list-uploaded-videos.test.json and list-playlist-items.test.json, 30 April 2026',
    call: 'list',
    answers: [
      uploadsOf,
      {
        kind: 'youtube#playlistItemListResponse',
        etag: 'uzUAn_invented',
        items: [
          item('k3Jx_9aQ-Lw', 0, 'Mussels at dawn', '2026-11-10T14:19:36Z'),
          privateItem('fIc_VEQ7Vo0', 1),
          item('LijjDdhd4SI', 2, 'Nets and knots', '2026-11-08T19:14:32Z'),
        ],
        pageInfo: { totalResults: 3, resultsPerPage: 50 },
      },
      {
        kind: 'youtube#videoListResponse',
        items: [
          video('k3Jx_9aQ-Lw', 'Mussels at dawn', '2026-11-10T14:19:36Z'),
          video('LijjDdhd4SI', 'Nets and knots', '2026-11-08T19:14:32Z'),
        ],
      },
    ],
    expected: {
      items: [
        {
          providerContentId: 'k3Jx_9aQ-Lw',
          kind: 'VIDEO',
          canonicalUrl: 'https://www.youtube.com/watch?v=k3Jx_9aQ-Lw',
          title: 'Mussels at dawn',
          description: null,
          publishedAt: new Date('2026-11-10T14:19:36Z'),
        },
        { providerContentId: 'LijjDdhd4SI', title: 'Nets and knots', publishedAt: new Date('2026-11-08T19:14:32Z') },
      ],
      cursor: null,
      reachedEnd: true,
    },
  },
];

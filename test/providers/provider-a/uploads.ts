import { access as accessOf, DAY_MS, NOW, type Seen } from '../../kit/fake-platform.ts';

const CHANNEL = 'UCq7R1xTn0aVb3kLmZ9pYwEg';
export const access = accessOf([], CHANNEL);
export const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
export const week = { publishedAfter: daysAgo(7), publishedBefore: NOW };

export interface Upload {
  readonly id: string;
  readonly uploadedDaysAgo: number;
  readonly publishedDaysAgo: number | null;
  readonly privacyStatus: string;
  /** The fields of it that only `videos` returns. */
  readonly status?: object;
  readonly liveBroadcastContent?: string;
  readonly channelId: string;
  readonly statistics: object;
}
export const upload = (number: number, changes: Partial<Upload> = {}): Upload => ({
  id: `video-${String(number).padStart(5, '0')}`,
  uploadedDaysAgo: (number + 1) / 100,
  publishedDaysAgo: (number + 1) / 100,
  privacyStatus: 'public',
  channelId: CHANNEL,
  statistics: { viewCount: '15230', likeCount: '811', commentCount: '64' },
  ...changes,
});

/** Answers as the API does for a channel with these uploads. Page tokens are offsets. */
export function answer(uploads: readonly Upload[], { path, query }: Seen): object {
  if (path.endsWith('/channels')) {
    return {
      kind: 'youtube#channelListResponse',
      items: [
        {
          id: CHANNEL,
          contentDetails: { relatedPlaylists: { uploads: 'UU1' } },
          statistics: { videoCount: String(uploads.length) },
        },
      ],
    };
  }
  if (path.endsWith('/playlistItems')) {
    const start = Number(query.pageToken ?? 0);
    const end = start + Number(query.maxResults);
    return {
      kind: 'youtube#playlistItemListResponse',
      ...(end < uploads.length ? { nextPageToken: String(end) } : {}),
      items: uploads.slice(start, end).map((one) => ({
        snippet: { publishedAt: daysAgo(one.uploadedDaysAgo).toISOString(), title: one.id, description: '' },
        contentDetails: {
          videoId: one.id,
          ...(one.publishedDaysAgo === null ? {} : { videoPublishedAt: daysAgo(one.publishedDaysAgo).toISOString() }),
        },
        status: { privacyStatus: one.privacyStatus },
      })),
    };
  }
  const ids = (query.id ?? '').split(',');
  const found = uploads.filter(({ id }) => ids.includes(id)).toReversed();
  return {
    kind: 'youtube#videoListResponse',
    ...(found.length === 0
      ? {}
      : {
          items: found.map((one) => ({
            id: one.id,
            snippet: {
              channelId: one.channelId,
              liveBroadcastContent: one.liveBroadcastContent ?? 'none',
              title: one.id,
              description: 'Three pots, one burner.',
              publishedAt: daysAgo(one.publishedDaysAgo ?? one.uploadedDaysAgo).toISOString(),
            },
            status: { privacyStatus: one.privacyStatus, uploadStatus: 'processed', ...one.status },
            statistics: one.statistics,
          })),
        }),
  };
}

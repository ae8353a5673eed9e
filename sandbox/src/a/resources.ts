import { createHash } from 'node:crypto';
import { omitMissing } from '../json.ts';
import type { Post, SandboxAccount } from '../model.ts';

const etag = (text: string): string => createHash('sha1').update(text).digest('base64url');

/** With the second precision the platform has. */
const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');

export const buildUploadsId = (account: SandboxAccount): string => `UU${account.id.slice(2)}`;

/** A resource with the parts that were asked for; ids and kinds are always there. */
function resource(kind: string, id: string, parts: Readonly<Record<string, object>>, asked: readonly string[]) {
  const chosen = Object.fromEntries(Object.entries(parts).filter(([name]) => asked.includes(name)));
  return { kind: `youtube#${kind}`, etag: etag(`${kind} ${id}`), id, ...chosen };
}

export const CHANNEL_PARTS: readonly string[] = ['id', 'snippet', 'contentDetails', 'statistics', 'status'];

export function createChannelResource(
  account: SandboxAccount,
  posts: readonly Post[],
  url: string,
  asked: readonly string[],
) {
  const { name: title, bio: description } = account;
  const views = posts.reduce((sum, post) => sum + BigInt(post.views ?? 0), 0n);
  const avatar = (size: number) => ({
    url: `${url}/pictures/avatar/${account.id}.svg?s=${size}`,
    width: size,
    height: size,
  });
  const parts = {
    snippet: omitMissing({
      title,
      description,
      customUrl: account.traits.includes('sparse') ? null : `@${account.handle}`,
      publishedAt: '2019-04-02T08:15:30.120Z',
      thumbnails: { default: avatar(88), medium: avatar(240), high: avatar(800) },
      localized: { title, description },
    }),
    contentDetails: { relatedPlaylists: { likes: 'LL', uploads: buildUploadsId(account) } },
    statistics: {
      viewCount: String(views),
      subscriberCount: String(posts.length * 37),
      hiddenSubscriberCount: false,
      videoCount: String(posts.length),
    },
    status: { privacyStatus: 'public', isLinked: true, longUploadsStatus: 'allowed' },
  };
  return resource('channel', account.id, parts, asked);
}

export const PLAYLIST_ITEM_PARTS: readonly string[] = ['id', 'snippet', 'contentDetails', 'status'];

export function createPlaylistItemResource(
  account: SandboxAccount,
  post: Post,
  position: number,
  url: string,
  asked: readonly string[],
) {
  const parts = {
    snippet: {
      // When it joined the playlist, which is not when it was published.
      publishedAt: instant(post.uploadedAt),
      channelId: account.id,
      title: post.title,
      description: post.caption,
      thumbnails: thumbnails(post, url),
      channelTitle: account.name,
      playlistId: buildUploadsId(account),
      position,
      resourceId: { kind: 'youtube#video', videoId: post.id },
      videoOwnerChannelTitle: account.name,
      videoOwnerChannelId: account.id,
    },
    contentDetails: omitMissing({
      videoId: post.id,
      videoPublishedAt: post.publishedAt === null ? null : instant(post.publishedAt),
    }),
    status: { privacyStatus: post.isPublic ? 'public' : 'private' },
  };
  return resource(
    'playlistItem',
    Buffer.from(`${buildUploadsId(account)}.${post.id}`).toString('base64url'),
    parts,
    asked,
  );
}

export const VIDEO_PARTS: readonly string[] = ['id', 'snippet', 'contentDetails', 'statistics', 'status'];

export function createVideoResource(account: SandboxAccount, post: Post, url: string, asked: readonly string[]) {
  const { title, caption: description } = post;
  const parts = {
    snippet: omitMissing({
      publishedAt: instant(post.publishedAt ?? post.uploadedAt),
      channelId: account.id,
      title,
      description,
      thumbnails: thumbnails(post, url),
      channelTitle: account.name,
      categoryId: '26',
      liveBroadcastContent: 'none',
      localized: { title, description },
    }),
    contentDetails: {
      duration: `PT${Math.floor(post.seconds / 60)}M${post.seconds % 60}S`,
      dimension: '2d',
      definition: 'hd',
      caption: 'false',
      licensedContent: false,
      projection: 'rectangular',
    },
    status: omitMissing({
      uploadStatus: 'processed',
      privacyStatus: post.isPublic ? 'public' : 'private',
      publishAt: post.publishedAt === null ? instant(post.uploadedAt + 30 * 86_400_000) : null,
      license: 'youtube',
      embeddable: true,
      publicStatsViewable: true,
      madeForKids: false,
    }),
    // A count that is hidden is missing; all that are there are strings.
    statistics: omitMissing({
      viewCount: post.views,
      likeCount: post.likes,
      favoriteCount: '0',
      commentCount: post.comments,
    }),
  };
  return resource('video', post.id, parts, asked);
}

function thumbnails(post: Post, url: string) {
  const sizes = { default: [120, 90], medium: [320, 180], high: [480, 360], standard: [640, 480] } as const;
  const picture = ([width, height]: readonly [number, number]) => ({
    url: `${url}/pictures/cover/${post.id}-${width}x${height}.svg`,
    width,
    height,
  });
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, picture(size)]));
}

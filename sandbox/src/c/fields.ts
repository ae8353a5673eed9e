import { omitMissing } from '../json.ts';
import type { Post, SandboxAccount } from '../model.ts';
import { buildPostUrl } from './urls.ts';

const MEDIA_TYPES = { video: 'VIDEO', image: 'IMAGE', carousel: 'CAROUSEL_ALBUM' } as const;

export const ME_FIELDS: readonly string[] = [
  'user_id',
  'id',
  'username',
  'name',
  'account_type',
  'profile_picture_url',
  'biography',
  'website',
  'followers_count',
  'follows_count',
  'media_count',
];

export function createMeObject(account: SandboxAccount, posts: readonly Post[], url: string) {
  const isSparse = account.traits.includes('sparse');
  return omitMissing({
    user_id: account.id,
    id: account.principal,
    username: account.handle,
    name: isSparse ? null : account.name,
    account_type: account.traits.includes('creator') ? 'MEDIA_CREATOR' : 'BUSINESS',
    profile_picture_url: isSparse ? null : `${url}/pictures/avatar/${account.id}.svg?oe=1`,
    biography: isSparse ? null : account.bio,
    followers_count: posts.length * 37,
    follows_count: 12,
    media_count: posts.length,
  });
}

export const MEDIA_FIELDS: readonly string[] = [
  'id',
  'caption',
  'media_type',
  'media_product_type',
  'permalink',
  'shortcode',
  'thumbnail_url',
  'media_url',
  'timestamp',
  'username',
  'like_count',
  'comments_count',
  'is_comment_enabled',
  'owner',
];

/** Absent, not null: hidden likes, copyrighted media's `media_url`, and `thumbnail_url` of all but videos. */
export function createMediaObject(account: SandboxAccount, post: Post, url: string) {
  const isVideo = post.kind === 'video';
  const picture = `${url}/pictures/cover/${post.id}-${isVideo ? '540x960' : '720x900'}.svg?oe=1`;
  const isCopyrighted = post.id.endsWith('7');
  const mediaUrl = isVideo ? 'https://scontent.sandbox.example/reel.mp4?oe=1' : picture;
  return omitMissing({
    id: post.id,
    caption: post.caption === '' ? null : post.caption,
    media_type: MEDIA_TYPES[post.kind],
    media_product_type: isVideo ? 'REELS' : 'FEED',
    permalink: buildPostUrl(account, post),
    shortcode: post.code,
    thumbnail_url: isVideo ? picture : null,
    media_url: isCopyrighted ? null : mediaUrl,
    timestamp: new Date(post.publishedAt ?? 0).toISOString().replace(/\.\d{3}Z$/, '+0000'),
    username: account.handle,
    like_count: post.likes === null ? null : BigInt(post.likes),
    comments_count: BigInt(post.comments ?? 0),
    is_comment_enabled: post.comments !== null,
    owner: { id: account.id },
  });
}

/** The chosen fields; the id is always there. */
export const pickMediaFields = (
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(['id', ...fields].filter((field) => field in object).map((field) => [field, object[field]]));

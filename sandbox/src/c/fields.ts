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

interface ShownMedia {
  readonly account: SandboxAccount;
  readonly post: Post;
  readonly url: string;
}

const isVideo = ({ post }: ShownMedia) => post.kind === 'video';
const isCopyrighted = ({ post }: ShownMedia) => post.id.endsWith('7');
const buildPictureUrl = (shown: ShownMedia) =>
  `${shown.url}/pictures/cover/${shown.post.id}-${isVideo(shown) ? '540x960' : '720x900'}.svg?oe=1`;
const buildMediaUrl = (shown: ShownMedia) =>
  isVideo(shown) ? 'https://scontent.sandbox.example/reel.mp4?oe=1' : buildPictureUrl(shown);

/** Each field of a post. Absent, not null: hidden likes, copyrighted media's `media_url`, and `thumbnail_url` of all but videos. */
const MEDIA: Readonly<Record<string, (shown: ShownMedia) => unknown>> = {
  id: ({ post }) => post.id,
  caption: ({ post }) => (post.caption === '' ? null : post.caption),
  media_type: ({ post }) => MEDIA_TYPES[post.kind],
  media_product_type: (shown) => (isVideo(shown) ? 'REELS' : 'FEED'),
  permalink: ({ account, post }) => buildPostUrl(account, post),
  shortcode: ({ post }) => post.code,
  thumbnail_url: (shown) => (isVideo(shown) ? buildPictureUrl(shown) : null),
  media_url: (shown) => (isCopyrighted(shown) ? null : buildMediaUrl(shown)),
  timestamp: ({ post }) => new Date(post.publishedAt ?? 0).toISOString().replace(/\.\d{3}Z$/, '+0000'),
  username: ({ account }) => account.handle,
  like_count: ({ post }) => (post.likes === null ? null : BigInt(post.likes)),
  comments_count: ({ post }) => BigInt(post.comments ?? 0),
  is_comment_enabled: ({ post }) => post.comments !== null,
  owner: ({ account }) => ({ id: account.id }),
};
export const MEDIA_FIELDS: readonly string[] = Object.keys(MEDIA);

/** The fields of a post that it has. */
export const createMediaObject = (shown: ShownMedia) =>
  omitMissing(Object.fromEntries(Object.entries(MEDIA).map(([field, of]) => [field, of(shown)])));

/** The chosen fields; the id is always there. */
export const pickMediaFields = (
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(['id', ...fields].filter((field) => field in object).map((field) => [field, object[field]]));

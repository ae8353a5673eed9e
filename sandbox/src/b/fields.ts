import { omitMissing } from '../json.ts';
import type { Post, SandboxAccount } from '../model.ts';
import { buildPostUrl, buildProfileLink } from './urls.ts';

const SIX_HOURS = 6 * 3600;

/** Each field of a user and the scope it takes. */
export const USER_FIELD_SCOPES: Readonly<Record<string, string>> = {
  open_id: 'user.info.basic',
  union_id: 'user.info.basic',
  avatar_url: 'user.info.basic',
  avatar_url_100: 'user.info.basic',
  avatar_large_url: 'user.info.basic',
  display_name: 'user.info.basic',
  username: 'user.info.profile',
  bio_description: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  is_verified: 'user.info.profile',
  follower_count: 'user.info.stats',
  following_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
};

export const VIDEO_FIELDS: readonly string[] = [
  'id',
  'create_time',
  'cover_image_url',
  'share_url',
  'video_description',
  'duration',
  'height',
  'width',
  'title',
  'embed_html',
  'embed_link',
  'like_count',
  'comment_count',
  'share_count',
  'view_count',
];

export function createUserObject(
  account: SandboxAccount,
  posts: readonly Post[],
  url: string,
  now: number,
): Record<string, unknown> {
  const avatar = `${url}/pictures/avatar/${encodeURIComponent(account.id)}.svg?x-expires=${expiry(now)}`;
  return {
    open_id: account.id,
    union_id: `u-${account.id.slice(5, 25)}`,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: account.name,
    username: account.handle,
    bio_description: account.bio,
    profile_deep_link: buildProfileLink(account.id),
    is_verified: posts.length > 100,
    follower_count: posts.length * 37,
    following_count: 12,
    likes_count: posts.length * 811,
    video_count: posts.length,
  };
}

export function createVideoObject(account: SandboxAccount, post: Post, url: string, now: number, clientKey: string) {
  const count = (digits: string | null) => (digits === null ? null : BigInt(digits));
  return omitMissing({
    id: post.id,
    create_time: Math.floor((post.publishedAt ?? 0) / 1000),
    cover_image_url: `${url}/pictures/cover/${post.id}-540x960.svg?x-expires=${expiry(now)}`,
    share_url: `${buildPostUrl(account, post)}?utm_campaign=tt4d_open_api&utm_source=${clientKey}`,
    video_description: post.caption,
    duration: post.kind === 'video' ? post.seconds : 0,
    height: 960,
    width: 540,
    title: post.title.slice(0, 150),
    embed_html: `<blockquote class="tiktok-embed" data-video-id="${post.id}"></blockquote>`,
    embed_link: `https://www.tiktok.com/player/v1/${post.id}`,
    like_count: count(post.likes),
    comment_count: count(post.comments),
    share_count: count(post.shares),
    view_count: count(post.views),
  });
}

export const pickFields = (
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => field in object).map((field) => [field, object[field]]));

const expiry = (now: number): number => Math.floor(now / 1000) + SIX_HOURS;

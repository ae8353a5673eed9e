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

interface ShownVideo {
  readonly account: SandboxAccount;
  readonly post: Post;
  readonly url: string;
  readonly now: number;
  readonly clientKey: string;
}

const count = (digits: string | null) => (digits === null ? null : BigInt(digits));

/** Each field of a video. */
const VIDEO: Readonly<Record<string, (shown: ShownVideo) => unknown>> = {
  id: ({ post }) => post.id,
  create_time: ({ post }) => Math.floor((post.publishedAt ?? 0) / 1000),
  cover_image_url: ({ post, url, now }) => `${url}/pictures/cover/${post.id}-540x960.svg?x-expires=${expiry(now)}`,
  share_url: ({ account, post, clientKey }) =>
    `${buildPostUrl(account, post)}?utm_campaign=tt4d_open_api&utm_source=${clientKey}`,
  video_description: ({ post }) => post.caption,
  duration: ({ post }) => (post.kind === 'video' ? post.seconds : 0),
  height: () => 960,
  width: () => 540,
  title: ({ post }) => post.title.slice(0, 150),
  embed_html: ({ post }) => `<blockquote class="tiktok-embed" data-video-id="${post.id}"></blockquote>`,
  embed_link: ({ post }) => `https://www.tiktok.com/player/v1/${post.id}`,
  like_count: ({ post }) => count(post.likes),
  comment_count: ({ post }) => count(post.comments),
  share_count: ({ post }) => count(post.shares),
  view_count: ({ post }) => count(post.views),
};
export const VIDEO_FIELDS: readonly string[] = Object.keys(VIDEO);

/** The fields of a video that it has. */
export const createVideoObject = (shown: ShownVideo) =>
  omitMissing(Object.fromEntries(Object.entries(VIDEO).map(([field, of]) => [field, of(shown)])));

export const pickFields = (
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => field in object).map((field) => [field, object[field]]));

const expiry = (now: number): number => Math.floor(now / 1000) + SIX_HOURS;

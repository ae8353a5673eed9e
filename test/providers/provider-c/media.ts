import { access as accessOf, DAY_MS, NOW, type Seen } from '../../kit/fake-platform.ts';

export const access = accessOf(['instagram_business_basic', 'instagram_business_manage_insights']);
export const week = { publishedAfter: new Date(NOW.getTime() - 7 * DAY_MS), publishedBefore: NOW };

export interface Post {
  readonly id: string;
  readonly shortcode: string;
  readonly at: Date;
}
export const post = (number: number, ageMs = (number + 1) * 60_000): Post => ({
  id: String(17900000000000001n + BigInt(number)),
  shortcode: `DExAmP${String(number).padStart(5, '0')}`,
  at: new Date(NOW.getTime() - ageMs),
});
export const range = (count: number) => Array.from({ length: count }, (_, index) => post(index));
export const wire = ({ id, shortcode, at }: Post) => ({
  id,
  caption: `caption of ${shortcode}`,
  media_type: 'CAROUSEL_ALBUM',
  permalink: `https://www.instagram.com/p/${shortcode}/`,
  media_url: 'https://scontent.example/1.jpg?oe=1',
  timestamp: at.toISOString().replace('.000Z', '+0000'),
  like_count: 811,
  comments_count: 64,
});

export const refusal = (code: number, more: object = {}) => ({
  status: 400,
  body: { error: { message: '', type: 'OAuthException', code, ...more } },
});
export const insights = (views: number | null, shares: number | null) => ({
  body: {
    data: [
      ...(views === null ? [] : [{ name: 'views', period: 'lifetime', values: [{ value: views }] }]),
      ...(shares === null ? [] : [{ name: 'shares', period: 'lifetime', values: [{ value: shares }] }]),
    ],
  },
});

/** Answers as the API does for an account with these posts. Cursors are offsets. */
export function list(posts: readonly Post[], { query }: Seen) {
  const start = Number(query.after ?? 0);
  const end = start + Number(query.limit);
  const next = `https://graph.instagram.com/v25.0/1/media?access_token=SECRETMARK&after=${end}`;
  const paging = { cursors: { before: 'x', after: String(end) }, ...(end < posts.length ? { next } : {}) };
  return { body: { data: posts.slice(start, end).map(wire), ...(posts.length > 0 ? { paging } : {}) } };
}

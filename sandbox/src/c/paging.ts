import type { EndpointCall } from '../endpoint.ts';
import type { Post, SandboxAccount } from '../model.ts';

export const DEFAULT_LIMIT = 25;
const MOST = 10_000;

/** Cuts a page of the media edge, newest first after a pinned post. @returns null for an unknown cursor */
export function cutPage(posts: readonly Post[], account: SandboxAccount, call: EndpointCall) {
  const { limit = String(DEFAULT_LIMIT), after, before, since, until } = call.query;
  const isWithin = ({ publishedAt }: Post) =>
    (publishedAt ?? 0) >= bound(since, 0) && (publishedAt ?? 0) <= bound(until, Number.POSITIVE_INFINITY);
  const ordered = posts
    .filter(isWithin)
    .toSorted((one, other) => Number(other.isPinned) - Number(one.isPinned))
    .slice(0, MOST);
  let start = 0;
  if (after !== undefined) {
    const index = ordered.findIndex((post) => cursorOf(post) === after);
    if (index < 0) return null;
    start = index + 1;
  } else if (before !== undefined) {
    const index = ordered.findIndex((post) => cursorOf(post) === before);
    if (index < 0) return null;
    start = Math.max(0, index - Number(limit));
  }
  const page = ordered.slice(start, start + Number(limit));
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return { posts: page, paging: null };

  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const hasNext = start + page.length < ordered.length;
  // An absolute URL on the real host with the token in it: not one to be followed.
  const next = new URL(`https://graph.instagram.com/${call.path.version}/${account.id}/media`);
  next.search = new URLSearchParams({
    access_token: call.accessToken ?? '',
    ...(call.query.fields !== undefined && { fields: call.query.fields }),
    limit,
    after: cursors.after,
  }).toString();
  return { posts: page, paging: { cursors, ...(hasNext && { next: next.href }) } };
}

const cursorOf = (post: Post): string => Buffer.from(`QVF${post.id}`).toString('base64url');

/** Unix seconds or a date string. */
function bound(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

import { classifyStatus, createFailure, LIMIT_STATUS, readRetryAfter } from './answers.ts';
import type { DepsWith } from './deps.ts';
import type { HttpAnswer } from './http.ts';
import type { Call } from './provider.ts';
import { parseUrl } from './text.ts';

const MAX_HOPS = 5;
const TIMEOUT_MS = 5_000;

/** A platform's public website. */
export interface WebSide {
  /** The configured base URL. */
  readonly baseUrl: string;
  /** The platform's host names, the main one first. Requests go only to these hosts and to the configured base. */
  readonly hosts: readonly [string, ...string[]];
  /** Whether only a redirect reveals the post behind a URL on these hosts. */
  isShortLink(url: URL): boolean;
  /** The URL's path on a sandbox, which serves all these hosts below one base. */
  sandboxPath(url: URL): string;
}

/**
 * Follows a short link until `read` recognises a URL: at most 5 hops of 5 s each, on the platform's own hosts, and only
 * from one short link to the next. It never opens the page behind a link. It sends the service's own User-Agent and nothing of a
 * browser's, and asks no further where the platform answers with a page or refuses.
 * @returns the result of `read`, or null if the platform reports a dead link
 * @throws ProviderError `UnsupportedUrl` if the redirects leave those hosts or end at a page that is not a post
 */
export async function followShortLink<Target>(
  { http, now }: Pick<DepsWith<unknown>, 'http' | 'now'>,
  web: WebSide,
  input: { url: URL; where: string; read: (url: string) => Target | undefined },
  call: Call,
): Promise<Target | null> {
  const { where, read } = input;
  let url = input.url;
  for (let hop = 0; hop < MAX_HOPS && isShortLinkOf(web, url); hop++) {
    const answer = await http.request({
      where,
      method: 'GET',
      url: toConfiguredUrl(web, url),
      headers: { accept: '*/*' },
      call,
      timeoutMs: TIMEOUT_MS,
      withoutBody: true,
    });
    if (answer.status === 404 || answer.status === 410) return null;
    url = toPublicUrl(web, getRedirectTarget(answer, url, where, now()));
    const target = isOwn(web, url) ? read(url.href) : undefined;
    if (target !== undefined) return target;
  }
  throw createFailure('UnsupportedUrl', where);
}

function getRedirectTarget(answer: HttpAnswer, from: URL, where: string, now: Date): URL {
  const { status, headers } = answer;
  if (status === LIMIT_STATUS || status >= 500)
    throw createFailure(classifyStatus(status), where, { status, ...readRetryAfter(answer, now) });
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  const target = location === undefined ? undefined : parseUrl(location, from);
  if (target === undefined) throw createFailure('UnsupportedUrl', where, { status });
  return target;
}

/** Whether only a request shows which post is behind a URL. */
export const isShortLinkOf = (web: WebSide, url: URL): boolean => isOwn(web, url) && web.isShortLink(url);

const isOwn = (web: WebSide, url: URL) =>
  url.protocol === 'https:' && url.port === '' && url.username === '' && web.hosts.includes(url.hostname);

/** Maps a public URL to the one to request: itself, or its path below the configured base of a sandbox. */
export function toConfiguredUrl(web: WebSide, url: URL): string {
  if (!isSandbox(web)) return url.href;
  return `${web.baseUrl}${web.sandboxPath(url)}${url.search}`;
}

/** Maps a URL below a sandbox's base back to the public URL. */
function toPublicUrl(web: WebSide, url: URL): URL {
  const prefix = `${web.baseUrl}/`;
  if (!isSandbox(web) || !url.href.startsWith(prefix)) return url;
  return new URL(url.href.slice(prefix.length - 1), `https://${web.hosts[0]}`);
}

const isSandbox = (web: WebSide) => !web.hosts.includes(new URL(web.baseUrl).hostname);

import { createFailure, readRetryAfter } from './answers.ts';
import type { AdapterDeps } from './deps.ts';
import type { HttpAnswer } from './http.ts';
import type { Call } from './provider.ts';

const MAX_HOPS = 5;
const TIMEOUT_MS = 5_000;

/** The pages a platform shows to people. */
export interface WebSide {
  /** Where they are, as configured. */
  readonly baseUrl: string;
  /** The platform's own host names, its main one first. Nothing but these and the configured base is ever asked. */
  readonly hosts: readonly [string, ...string[]];
  /** Whether a URL on these hosts has to be followed to know the post. */
  isShortLink(url: URL): boolean;
  /** The path of a URL on a stand-in, which has all those hosts below its one base. */
  standInPath(url: URL): string;
}

/**
 * Follows a short link by hand until `read` knows a URL, at most 5 hops of 5 s each, over the platform's own hosts only
 * and from one short link to the next: no page behind them is ever opened.
 * @returns what `read` made of the URL it knew, or null where the platform says the link leads nowhere.
 * @throws ProviderError `UnsupportedUrl` when the way leaves those hosts, or leads to something that is not a post.
 */
export async function followShortLink<Target>(
  { http, now }: AdapterDeps,
  web: WebSide,
  input: { url: URL; where: string; read: (url: URL) => Target | undefined },
  call: Call,
): Promise<Target | null> {
  const { where, read } = input;
  let url = input.url;
  for (let hop = 0; hop < MAX_HOPS && isOwn(web, url) && web.isShortLink(url); hop++) {
    const answer = await http.request({
      where,
      method: 'GET',
      url: asConfigured(web, url),
      headers: { accept: 'text/html' },
      call,
      timeoutMs: TIMEOUT_MS,
      withoutBody: true,
    });
    if (answer.status === 404 || answer.status === 410) return null;
    url = asPublic(web, redirectTarget(answer, url, where, now()));
    const target = isOwn(web, url) ? read(url) : undefined;
    if (target !== undefined) return target;
  }
  throw createFailure('UnsupportedUrl', where);
}

function redirectTarget(answer: HttpAnswer, from: URL, where: string, now: Date): URL {
  const { status, headers } = answer;
  if (status === 429 || status >= 500)
    throw createFailure('RetryLater', where, { status, ...readRetryAfter(answer, now) });
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  if (location === undefined || !URL.canParse(location, from)) throw createFailure('UnsupportedUrl', where, { status });
  return new URL(location, from);
}

const isOwn = (web: WebSide, url: URL) =>
  url.protocol === 'https:' && url.port === '' && url.username === '' && web.hosts.includes(url.hostname);

/** Where to ask for a URL: there, or below the configured base if that is a stand-in for the platform. */
function asConfigured(web: WebSide, url: URL): string {
  if (!isStandIn(web)) return url.href;
  return `${web.baseUrl}${web.standInPath(url)}${url.search}`;
}

/** The other way round: a URL below a stand-in's base as people know it. */
function asPublic(web: WebSide, url: URL): URL {
  const prefix = `${web.baseUrl}/`;
  if (!isStandIn(web) || !url.href.startsWith(prefix)) return url;
  return new URL(url.href.slice(prefix.length - 1), `https://${web.hosts[0]}`);
}

const isStandIn = (web: WebSide) => !web.hosts.includes(new URL(web.baseUrl).hostname);

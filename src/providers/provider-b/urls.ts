import type { WebSide } from '../short-link.ts';
import { parseUrl } from '../text.ts';

const HOSTS = ['www.tiktok.com', 'tiktok.com', 'm.tiktok.com', 'vm.tiktok.com', 'vt.tiktok.com'] as const;
const SHORT_HOSTS: readonly string[] = ['vm.tiktok.com', 'vt.tiktok.com'];

/** Ids have 19 digits today. They exceed 2^53 and stay text. */
const POST_PATHS = [
  /^\/@[^/]*\/(?:video|photo)\/(\d{10,25})\/?$/,
  /^\/v\/(\d{10,25})(?:\.html)?\/?$/,
  /^\/embed\/(?:v2\/)?(\d{10,25})\/?$/,
  /^\/player\/v1\/(\d{10,25})\/?$/,
];

/** Reads the id from a post's URL. */
export function findPostId(url: URL): string | undefined {
  if (!isOurs(url) || SHORT_HOSTS.includes(url.hostname)) return undefined;
  for (const path of POST_PATHS) {
    const found = path.exec(url.pathname)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

const SHORT_PATH = /^\/[A-Za-z0-9_-]{4,32}\/?$/;
const SHORT_PATH_ON_MAIN_HOST = /^\/t\/[A-Za-z0-9_-]{4,32}\/?$/;

const isOurs = (url: URL) => url.protocol === 'https:' && HOSTS.some((host) => host === url.hostname);

export const createProviderBWebSide = (baseUrl: string): WebSide => ({
  baseUrl,
  hosts: HOSTS,
  isShortLink: ({ hostname, pathname }) =>
    (SHORT_HOSTS.includes(hostname) ? SHORT_PATH : SHORT_PATH_ON_MAIN_HOST).test(pathname),
  sandboxPath: ({ hostname, pathname }) => (SHORT_HOSTS.includes(hostname) ? `/t${pathname}` : pathname),
});

/** Removes the `utm_` parameters, which name our app, from a share URL. */
export function removeTracking(shareUrl: string): string | null {
  const url = parseUrl(shareUrl);
  if (url === undefined) return null;
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('utm_')) url.searchParams.delete(name);
  return url.href;
}

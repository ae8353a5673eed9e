import type { WebSide } from '../short-link.ts';

const HOSTS = ['www.instagram.com', 'instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'] as const;

/** Optionally prefixed by the owner's name. */
const POST_PATH = /^(?:\/[A-Za-z0-9._]{1,30})?\/(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,64})\/?$/;
const SHARE_PATH = /^\/share\/(?:(?:p|reel)\/)?[A-Za-z0-9_-]{5,64}\/?$/;

/** Reads the short code from a post's URL. It is not the API's media id, and no API call accepts it. */
export function findPostCode(url: URL): string | undefined {
  if (url.protocol !== 'https:' || !HOSTS.some((host) => host === url.hostname)) return undefined;
  return SHARE_PATH.test(url.pathname) ? undefined : POST_PATH.exec(url.pathname)?.[1];
}

export const createProviderCWebSide = (baseUrl: string): WebSide => ({
  baseUrl,
  hosts: HOSTS,
  isShortLink: ({ pathname }) => SHARE_PATH.test(pathname),
  sandboxPath: ({ pathname }) => pathname,
});

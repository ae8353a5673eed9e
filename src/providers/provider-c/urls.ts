import { findInPostUrl, inPath, onHosts, type UrlForms } from '../post-urls.ts';
import type { WebSide } from '../short-link.ts';

const SITE = new URL('https://www.instagram.com');
const HOSTS = ['www.instagram.com', 'instagram.com', 'm.instagram.com', 'instagr.am', 'www.instagr.am'] as const;

const CODE = '[A-Za-z0-9_-]{5,64}(?![A-Za-z0-9_-])';
const SHARE_PATH = new RegExp(`^/share/(?:(?:p|reels?|tv)/)?${CODE}`, 'i');

const FORMS: UrlForms = onHosts(HOSTS, [
  // Optionally prefixed by the owner's name. `/share/p/` has a code of its own, and a sound's page looks like a reel's.
  inPath(
    new RegExp(`^(?:/(?!share/)[A-Za-z0-9._]{1,30})?/(?:p|reel|reels|tv)/(?!(?:audio|videos)(?:/|$))(${CODE})`, 'i'),
  ),
  ({ pathname }) => toCode(/^\/insights\/media\/(\d{10,25})(?!\d)/i.exec(pathname)?.[1]),
]);

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The website's own number of a post, of which the code is the form to the base of 64. The API has another id. */
function toCode(number: string | undefined): string | undefined {
  if (number === undefined) return undefined;
  let code = '';
  for (let rest = BigInt(number); rest > 0n; rest /= 64n) code = DIGITS.charAt(Number(rest % 64n)) + code;
  return code;
}

/** Reads the short code from a post's URL, without a request. It is not the API's media id, and no API call accepts it. */
export const findPostCode = (text: string): string | undefined => findInPostUrl(FORMS, text, SITE);

export const createProviderCWebSide = (baseUrl: string): WebSide => ({
  baseUrl,
  hosts: HOSTS,
  isShortLink: ({ pathname }) => SHARE_PATH.test(pathname),
  sandboxPath: ({ pathname }) => pathname,
});

import { cleanPastedUrl } from '../basics/pasted-url.ts';
import { findEntry } from './answers.ts';
import { LONGEST, parseUrl } from './text.ts';

/** One form of a post's URL on a host: finds the post's id in it, in the platform's own form. */
export type UrlForm = (url: URL) => string | undefined;

/** The forms of a platform's URLs by host. A host that is not in the table has no posts. */
export type UrlForms = Readonly<Record<string, readonly UrlForm[]>>;

/** The id is the first group of `path`. */
export const inPath =
  (path: RegExp): UrlForm =>
  ({ pathname }) =>
    path.exec(pathname)?.[1];

/** The id is the first group of `id` in one of these query parameters. */
export const inQuery =
  (path: RegExp, names: readonly string[], id: RegExp): UrlForm =>
  (url) =>
    path.test(url.pathname) ? listParameters(url, names).flatMap((value) => id.exec(value)?.[1] ?? [])[0] : undefined;

/** Makes a table of hosts that have the same forms. */
export const onHosts = (hosts: readonly string[], forms: readonly UrlForm[]): UrlForms =>
  Object.fromEntries(hosts.map((host) => [host, forms]));

/** Pages for consent, sign-in and outgoing links, which carry the requested URL. */
const WRAPPERS = [
  'consent.youtube.com',
  'consent.google.com',
  'accounts.google.com',
  'accounts.youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'www.google.com',
  'google.com',
  'www.tiktok.com',
  'www.instagram.com',
  'l.instagram.com',
  'lm.instagram.com',
  'www.facebook.com',
  'm.facebook.com',
  'l.facebook.com',
  'lm.facebook.com',
  'l.threads.com',
];
const WRAPPED = ['continue', 'next', 'next_url', 'redirect_url', 'redirect_uri', 'redirect', 'target', 'u', 'url', 'q'];

/** How many URLs may be within one another: a sign-in page within a consent page is usual. */
const DEEPEST = 4;

/**
 * Reads the id from a post's URL, without a request: from the URL itself, or from a URL in one of its parameters. It allows text
 * around a pasted URL, doubled slashes, and one more percent-encoding.
 * @param base the platform's own address, to which a URL within a URL can be relative
 */
export function findInPostUrl(forms: UrlForms, text: string, base: URL): string | undefined {
  const url = parsePastedUrl(text);
  return url?.protocol === 'https:' ? findWithin(forms, url, base, DEEPEST) : undefined;
}

function findWithin(forms: UrlForms, url: URL, base: URL, depth: number): string | undefined {
  if (depth === 0 || !isPlain(url)) return undefined;
  const own = findEntry(forms, url.hostname);
  if (own === undefined && !WRAPPERS.includes(url.hostname)) return undefined;
  for (const form of own ?? []) {
    const found = form(url);
    if (found !== undefined) return found;
  }
  // A URL whose `?` and `=` are encoded, then those in its parameters. The latter are usually copies of one.
  const inner = [decode(url.href), ...listParameters(url, WRAPPED).flatMap((value) => [value, decode(value)])];
  for (const text of inner) {
    const target = text === undefined ? undefined : parsePastedUrl(text, base);
    if (target === undefined || target.href === url.href) continue;
    const found = findWithin(forms, target, base, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isPlain = ({ protocol, port, username, password }: URL) =>
  /^https?:$/.test(protocol) && port === '' && username === '' && password === '';

/** Parses a pasted URL of at most 4,096 characters. The result has no doubled slashes in its path, and no dot at the end of its host. */
export function parsePastedUrl(text: string, base?: URL): URL | undefined {
  const url = text.length > LONGEST.url ? undefined : parseUrl(cleanPastedUrl(text).replaceAll('&amp;', '&'), base);
  if (url === undefined) return undefined;
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = url.pathname.replace(/\/{2,}/g, '/');
  return url;
}

/** The values of these parameters, in the order of `names`. */
const listParameters = ({ searchParams }: URL, names: readonly string[]): string[] =>
  names.flatMap((name) => [...searchParams].filter(([key]) => key.toLowerCase() === name).map(([, value]) => value));

/** @returns undefined for a text without percent-encoding, or with a broken one */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? undefined : decoded;
  } catch {
    return undefined;
  }
}

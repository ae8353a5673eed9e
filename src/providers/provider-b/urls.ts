import { findInPostUrl, inPath, inQuery, onHosts, type UrlForms } from '../post-urls.ts';
import type { WebSide } from '../short-link.ts';

const SITE = new URL('https://www.tiktok.com');

/** Ids have 19 digits today. They exceed 2^53 and stay text. */
const ID = '(\\d{10,25})(?!\\d)';

const PAGES = [
  inPath(new RegExp(`^(?:/[a-z]{2}(?:-[a-z]{2,4})?)?/@[^/]*/(?:video|photo)/${ID}`, 'i')),
  inPath(new RegExp(`^/(?:video|photo|analytics|v|embed|embed/v\\d|player/v\\d)/${ID}`, 'i')),
  inPath(new RegExp(`^/(?:i18n/|node/)?share/(?:video|photo|item)/(?:@[^/]*/)?${ID}`, 'i')),
  // Their other numbers are ids of accounts and sounds.
  inPath(
    new RegExp(`^/(?:tiktokstudio|creator-center)/(?:analytics|content|comments?|video|post)/(?:[a-z-]+/)*${ID}`, 'i'),
  ),
  inQuery(/^/, ['share_item_id', 'item_id', 'aweme_id'], new RegExp(`^${ID}`)),
];

/** Pages of posts, most of which redirect `/t/` links, too. */
const PAGE_HOSTS = [
  'www.tiktok.com',
  'tiktok.com',
  'm.tiktok.com',
  'us.tiktok.com',
  'lite.tiktok.com',
  't.tiktok.com',
] as const;
const SHORT_HOSTS = ['vm.tiktok.com', 'vt.tiktok.com'] as const;
const isShortHost = (hostname: string) => SHORT_HOSTS.some((host) => host === hostname);

const FORMS: UrlForms = {
  ...onHosts(PAGE_HOSTS, PAGES),
  // The links of a person's own data export.
  ...onHosts(['tiktokv.com', 'www.tiktokv.com', 'm.tiktokv.com'], PAGES),
};

/** Reads the id from a post's URL, without a request. */
export const findPostId = (text: string): string | undefined => findInPostUrl(FORMS, text, SITE);

const SHORT_PATH = /^\/(?:t\/)?[A-Za-z0-9_-]{4,32}\/?$/i;
const SHORT_PATH_ON_PAGE_HOST = /^\/t\/[A-Za-z0-9_-]{4,32}\/?$/i;

export const createProviderBWebSide = (baseUrl: string): WebSide => ({
  baseUrl,
  hosts: [...PAGE_HOSTS, ...SHORT_HOSTS],
  isShortLink: ({ hostname, pathname }) =>
    (isShortHost(hostname) ? SHORT_PATH : SHORT_PATH_ON_PAGE_HOST).test(pathname),
  sandboxPath: ({ hostname, pathname }) =>
    isShortHost(hostname) && !pathname.startsWith('/t/') ? `/t${pathname}` : pathname,
});

import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PageLanguage } from '../../basics/codes.ts';
import type { Look } from './layout.tsx';
import { buildContentSecurityPolicy } from './page-style.ts';

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  // Hides path and query. Unlike with `no-referrer`, forms still send their `Origin`.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
};

const PLAIN_POLICY = buildContentSecurityPolicy({ color: null, hasLogo: false });

/** Sets the headers of every page that a person can reach. A page in its app's look sets its own policy. */
export const setPageHeaders = createMiddleware(async (c, next) => {
  await next();
  if (!c.res.headers.has('content-security-policy')) c.header('content-security-policy', PLAIN_POLICY);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
});

/** Allows the look of an app on its page, and frames around it. */
export const setLookHeaders = (c: Context, { color, logo }: Look, mayBeFramed = false): void =>
  c.header('content-security-policy', buildContentSecurityPolicy({ color, hasLogo: logo !== null, mayBeFramed }));

/** Sets the language of a page, and that it varies by browser. */
export function setLanguageHeaders(c: Context, language: PageLanguage): void {
  c.header('content-language', language);
  c.header('vary', 'Accept-Language', { append: true });
}

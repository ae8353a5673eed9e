import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PageLanguage } from './page-language.ts';
import { PAGE_CONTENT_SECURITY_POLICY } from './page-style.ts';

const PAGE_HEADERS = {
  'content-security-policy': PAGE_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  // Hides path and query. Unlike with `no-referrer`, forms still send their `Origin`.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
};

/** Sets the headers of every page that a person can reach. */
export const setPageHeaders = createMiddleware(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
});

/** Says which language a page is in, and that another browser may get another one. */
export function setLanguageHeaders(c: Context, language: PageLanguage): void {
  c.header('content-language', language);
  c.header('vary', 'Accept-Language', { append: true });
}

import { createMiddleware } from 'hono/factory';
import { PAGE_CONTENT_SECURITY_POLICY } from './page-style.ts';

const PAGE_HEADERS = {
  'content-security-policy': PAGE_CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  // Says no path and no query to anyone. Unlike `no-referrer` it lets a form on the way still send its `Origin`.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
};

/** For every page a person can land on. */
export const setPageHeaders = createMiddleware(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
});

import { createMiddleware } from 'hono/factory';
import type { Config } from './config.ts';

const buildContentSecurityPolicy = (config: Config): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' ${config.imageSources.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Sets the security headers of every response. It keeps a policy that a page has set itself. */
export const setSecurityHeaders = (config: Config) =>
  createMiddleware(async (c, next) => {
    await next();
    const headers = {
      'content-security-policy': buildContentSecurityPolicy(config),
      'cache-control': 'no-store',
      // The service's launch requires the `Origin` header of the form. Under `no-referrer`, browsers would send `null`.
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });

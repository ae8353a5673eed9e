import { createMiddleware } from 'hono/factory';
import type { Config } from './config.ts';

/** What a page of ours may do. `formTargets`: where its forms may lead besides here, redirects included. */
export const buildContentSecurityPolicy = (config: Config, formTargets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' ${config.imageSources.join(' ')}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** For every answer; a page that may do more has set its own policy already. */
export const setSecurityHeaders = (config: Config) =>
  createMiddleware(async (c, next) => {
    await next();
    const headers = {
      'content-security-policy': buildContentSecurityPolicy(config),
      'cache-control': 'no-store',
      // The service's launch asks for the `Origin` of the form's page; under `no-referrer` browsers would send `null`.
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    for (const [name, value] of Object.entries(headers)) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });

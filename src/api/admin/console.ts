import { randomBytes } from 'node:crypto';
import { promises as files } from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { HttpEnv } from '../http/exchange.ts';

/** Where the build puts it, seen from this file as source and as build. */
export const BUILT_CONSOLE = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'console');

/** What the build leaves in the page wherever its nonce is to stand. */
const NONCE = /\bNONCE\b/g;
const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Everything from this host, nothing inline but the style elements that the widgets make while they run, which carry
 * the page's nonce. No form is ever submitted: the page asks by script.
 */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The console: one page under `/admin` whatever comes behind it, so that each of its places has an address, and its
 * files, which are named after their content.
 * @param folder of the built console, as it is at the moment; where there is none, nothing is served.
 */
export function createConsoleRoutes(folder: string): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const page = path.join(folder, 'index.html');

  routes.get(
    '/admin/assets/*',
    async (c, next) => {
      await next();
      if (c.res.ok) c.header('cache-control', A_YEAR);
    },
    serveStatic({
      root: folder,
      precompressed: true,
      rewriteRequestPath: (asked) => asked.slice('/admin'.length),
    }),
    (c) => c.notFound(),
  );
  routes.on('GET', ['/admin', '/admin/*'], async (c) => {
    // Each time: it is small and seldom asked for, and a page from before another build would name files that are gone.
    const html = await files.readFile(page, 'utf8').catch(unlessMissing);
    if (html === undefined) return c.notFound();
    const nonce = randomBytes(16).toString('base64');
    return c.html(html.replaceAll(NONCE, nonce), 200, {
      'cache-control': 'no-store',
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    });
  });
  return routes;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

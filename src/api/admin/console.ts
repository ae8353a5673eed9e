import { randomBytes } from 'node:crypto';
import { promises as files } from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { InstallationColor } from '../../basics/codes.ts';
import type { HttpEnv } from '../http/exchange.ts';

/** The operators' name of this installation. */
export interface Installation {
  readonly name: string | undefined;
  readonly color: InstallationColor;
}

/** Where the build puts it, seen from this file as source and as build. */
export const BUILT_CONSOLE = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'console');

/** The build's placeholders. */
const PLACEHOLDER = /\b(?:NONCE|INSTALLATION_NAME|INSTALLATION_COLOR)\b/g;
const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Allows files of this host only. Inline styles need the page's nonce, because widgets create style elements at run
 * time. Allows no forms, because the page sends its requests by script.
 */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' blob:", // The preview of a picture that is not uploaded yet.
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Creates the routes of the console: one page for every path under `/admin`, so that each view has a URL, and its files,
 * named by their hash.
 * @param folder the built console. If it does not exist, the routes answer 404.
 * @param installation is in the page, so that also the sign-in shows it.
 */
export function createConsoleRoutes(folder: string, { name, color }: Installation): Hono<HttpEnv> {
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
    // Read for each request: it is small, and a cached page could name files of an earlier build.
    const html = await files.readFile(page, 'utf8').catch(unlessMissing);
    if (html === undefined) return c.notFound();
    const nonce = randomBytes(16).toString('base64');
    const values: Readonly<Record<string, string>> = {
      NONCE: nonce,
      INSTALLATION_NAME: escapeHtml(name ?? ''),
      INSTALLATION_COLOR: color,
    };
    return c.html(
      html.replaceAll(PLACEHOLDER, (word) => values[word] ?? word),
      200,
      {
        'cache-control': 'no-store',
        'content-security-policy': policyWith(nonce),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
      },
    );
  });
  return routes;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

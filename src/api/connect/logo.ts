import { Hono } from 'hono';
import { LOGO_PATH } from '../../domain/connecting/redirect-uris.ts';
import { findLogo } from '../../store/apps/branding.ts';
import type { Database } from '../../store/driver/sql.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

const SHA256 = /^[0-9a-f]{64}$/;
/** The rate of one address. A page shows one logo, and a browser keeps it. */
const RATE = { perSecond: 50, burst: 300 };

const HEADERS = {
  // The URL contains the hash of the image, so its content never changes.
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** Creates the route of apps' logos. Only who knows the hash of an image finds it; any other path is unknown. */
export function createLogoRoutes({ sql }: { readonly sql: Database }): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const visits = new TokenBuckets();
  routes.get(`${LOGO_PATH}/:sha256`, async (c) => {
    if (!visits.take(c.get('exchange').address, RATE)) {
      c.header('retry-after', '60');
      return c.text('Too many requests from your network in a short time.', 429);
    }
    const sha256 = c.req.param('sha256');
    const logo = SHA256.test(sha256) ? await findLogo(sql, sha256) : undefined;
    if (logo === undefined) return c.notFound();
    const etag = `"${sha256}"`;
    const headers = { ...HEADERS, etag };
    if (listEtags(c.req.header('if-none-match')).includes(etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(logo), 200, { ...headers, 'content-type': 'image/png' });
  });
  return routes;
}

/** The comparison ignores that a tag is weak (RFC 9110, section 13.1.2). */
const listEtags = (header = ''): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

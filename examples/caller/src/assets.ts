import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';

const publicFile = (name: string) => path.join(import.meta.dirname, '..', 'public', name);
const packageFile = createRequire(import.meta.url).resolve;

/** The URL contains a hash of the content, so browsers may cache it permanently. */
function load(file: string) {
  const body = readFileSync(file, 'utf8');
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const type = getMimeType(file) ?? 'application/octet-stream';
  const policy = "default-src 'none'; style-src 'unsafe-inline'"; // The sketch has a style sheet of its own.
  const cache = 'public, max-age=31536000, immutable';
  const headers = { 'content-type': type, 'cache-control': cache, 'content-security-policy': policy };
  return { url: `/assets/${version}/${path.basename(file)}`, headers, body };
}

export const ASSETS = {
  pico: load(packageFile('@picocss/pico/css/pico.min.css')),
  style: load(publicFile('studio.css')),
  script: load(publicFile('studio.js')),
  icon: load(publicFile('icon.svg')),
  sketch: load(publicFile('sketch.svg')),
  /** The element `<connect-accounts>`. */
  connectAccounts: load(packageFile('social-account-connection-client/connect-accounts')),
} as const;

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const publicFile = (name: string) => path.join(import.meta.dirname, '..', 'public', name);
const packageFile = createRequire(import.meta.url).resolve;

/** The URL contains a hash of the content, so browsers may cache it permanently. */
function load(type: string, file: string) {
  const body = readFileSync(file, 'utf8');
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { url: `/assets/${version}/${path.basename(file)}`, type, body };
}

export const ASSETS = {
  pico: load('text/css; charset=utf-8', packageFile('@picocss/pico/css/pico.min.css')),
  style: load('text/css; charset=utf-8', publicFile('studio.css')),
  script: load('text/javascript; charset=utf-8', publicFile('studio.js')),
  icon: load('image/svg+xml', publicFile('icon.svg')),
  /** The element `<connect-accounts>`. */
  connectAccounts: load(
    'text/javascript; charset=utf-8',
    packageFile('social-account-connection-client/connect-accounts'),
  ),
} as const;

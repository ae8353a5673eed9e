import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '..', 'public');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Asset {
  /** Contains a hash of the content, so browsers may cache it permanently. */
  readonly url: string;
  readonly type: string;
  readonly body: string;
}

function load(file: string): Asset {
  const name = path.basename(file);
  const body = readFileSync(file, 'utf8');
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { url: `/assets/${version}/${name}`, type: TYPES[path.extname(name)] ?? 'text/plain', body };
}

export const ASSETS = {
  style: load(path.join(FOLDER, 'studio.css')),
  script: load(path.join(FOLDER, 'studio.js')),
  icon: load(path.join(FOLDER, 'icon.svg')),
  /** The element `<connect-accounts>`. */
  connectAccounts: load(createRequire(import.meta.url).resolve('social-account-connection-client/connect-accounts')),
} as const;

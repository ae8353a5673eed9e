import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

function load(name: string): Asset {
  const body = readFileSync(path.join(FOLDER, name), 'utf8');
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { url: `/assets/${version}/${name}`, type: TYPES[path.extname(name)] ?? 'text/plain', body };
}

export const ASSETS = { style: load('studio.css'), script: load('studio.js'), icon: load('icon.svg') } as const;

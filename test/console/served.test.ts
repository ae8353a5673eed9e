import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BUILT_CONSOLE, createConsoleRoutes, type Installation } from '../../src/api/admin/console.ts';
import { createHttpApp } from '../../src/api/http/server.ts';
import { createLog } from '../../src/basics/log.ts';

/** The size limits of the first download, compressed with Brotli, which nearly every browser accepts. */
const MAX_SCRIPT_BYTES = 210_000;
const MAX_FIRST_BYTES = 250_000;

const serve = (folder: string, installation: Installation = { name: undefined, color: 'gray' }) =>
  createHttpApp({
    log: createLog('silent'),
    trustedProxies: 0,
    graphql: {},
    schemas: {},
    unready: async () => [],
    pages: [createConsoleRoutes(folder, installation)],
  });
const app = serve(BUILT_CONSOLE);

const get = async (place: string, headers: Record<string, string> = {}, from = app) =>
  await from.fetch(new Request(`http://admin.test${place}`, { headers }), { incoming: { socket: {} } } as never);

const html = readFileSync(path.join(BUILT_CONSOLE, 'index.html'), 'utf8');
const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);

describe('the page of the console', () => {
  test.each(['/admin', '/admin/', '/admin/jobs?stuck=true', '/admin/connections/0189'])(
    'is served at %s',
    async (place) => {
      const response = await get(place);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  test('allows only its own scripts, and only styles with its nonce', async () => {
    const response = await get('/admin');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      expect.stringMatching(/^style-src 'self' 'nonce-[\w+/]{22}=='$/),
      "connect-src 'self'",
      "img-src 'self' blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(await response.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
  });

  test('names the installation, for a name of any characters', async () => {
    const named = serve(BUILT_CONSOLE, { name: 'EU "live" <b> $& INSTALLATION_COLOR', color: 'red' });
    const text = await (await get('/admin', {}, named)).text();
    expect(text).toContain(
      '<meta name="installation" content="EU &#34;live&#34; &#60;b&#62; $&#38; INSTALLATION_COLOR" data-color="red"',
    );
    expect(await (await get('/admin')).text()).toContain('<meta name="installation" content="" data-color="gray"');
  });

  test('links only to files on this host and has no inline script or style', () => {
    expect(linked.length).toBeGreaterThanOrEqual(3);
    for (const url of linked) expect(url).toMatch(/^\/admin\/assets\/[\w.-]+$/);
    expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=/);
  });
});

describe('the files of the console', () => {
  test('are named after their content, cached permanently and compressed', async () => {
    for (const url of linked) {
      expect(path.basename(url)).toMatch(/-[\w-]{8}\.\w+$/);
      const response = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      const plain = await (await get(url)).text();
      expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toBe(plain);
    }
  });

  test('of the first download, with the overview, are small', () => {
    const sizeOf = (urls: readonly string[]) =>
      urls
        .map((url) => statSync(path.join(BUILT_CONSOLE, `${url.replace('/admin/', '')}.br`)).size)
        .reduce((sum, size) => sum + size, 0);
    expect(sizeOf(linked.filter((url) => url.endsWith('.js')))).toBeLessThan(MAX_SCRIPT_BYTES);
    expect(sizeOf(linked)).toBeLessThan(MAX_FIRST_BYTES);
  });

  test.each([
    '/admin/assets/gone-12345678.js',
    '/admin/assets/',
    '/admin/assets/..%2findex.html',
    '/admin/assets/%2e%2e/%2e%2e/package.json',
  ])('do not include %s', async (place) => {
    const response = await get(place);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBeNull();
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PAGE_TEXTS } from '../../../src/api/connect/page-texts.ts';
import { PAGE_LANGUAGES } from '../../../src/basics/codes.ts';
import { makePng } from '../../kit/images.ts';
import { seedApp } from '../../kit/seed.ts';
import { CONNECT_URL } from './browser.ts';
import { useStage } from './stage.ts';

const stage = useStage();

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const hashOf = (style: string) => createHash('sha256').update(style).digest('base64');

/** Opens the page that refuses a launch from a foreign origin. It spends nothing. */
async function openPage(flow: 'connect' | 'identity', headers: Record<string, string> = {}) {
  const { launchToken } = await (flow === 'connect' ? stage.connectAttempt() : stage.identityAttempt());
  const response = await stage.browser().launch(flow, launchToken, { origin: 'null', ...headers });
  return { html: await response.text(), headers: response.headers };
}

const load = (path: string, headers: Record<string, string> = {}) => stage.browser().send(path, { headers });

describe('the page of an app', () => {
  test.each(['connect', 'identity'] as const)('shows its name, color and logo in the %s flow', async (flow) => {
    const image = makePng(40, 20);
    await stage.brand('#ffee00', null, image);
    const { html, headers } = await openPage(flow);
    expect(html).toContain('Rowan &amp; &lt;Friends&gt;');
    expect(html).toContain(
      `<img src="${CONNECT_URL}/api/connect/logo/${sha256(image)}" width="40" height="20" alt=""/>`,
    );
    expect(html).toContain('--button: #ffee00; --on-button: #000000;');
    // Exactly the styles of this page, and pictures of this host.
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => `'sha256-${hashOf(style)}'`);
    expect(styles).toHaveLength(2);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${styles.join(' ')}; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each(PAGE_LANGUAGES)('uses %s if the app sets it, not the browser’s language', async (language) => {
    await stage.brand('#123456', language, makePng(16, 16));
    const { html, headers } = await openPage('connect', { 'accept-language': language === 'en' ? 'de' : 'en' });
    expect(html).toContain(`<html lang="${language}">`);
    expect(headers.get('content-language')).toBe(language);
    expect(html).toContain(PAGE_TEXTS[language].refusals.wrongOrigin.title);
    expect(html).toContain('<img ');
  });

  test('shows nothing of an app that is unknown, or to an address that guesses', async () => {
    await stage.brand('#ffee00', 'de', makePng(40, 20));
    const browser = stage.browser();
    const { launchToken } = await stage.connectAttempt();
    for (let i = 0; i < 40; i += 1) await browser.launch('connect', randomBytes(32).toString('hex'));
    for (const token of [launchToken, randomBytes(32).toString('hex')]) {
      const response = await browser.launch('connect', token, { origin: 'null' });
      const html = await response.text();
      expect(html).not.toMatch(/<img|#ffee00|Rowan/);
      expect(html).toContain('<html lang="en">');
      expect(response.headers.get('content-security-policy')).not.toContain('img-src');
    }
  });
});

describe('a logo', () => {
  test('is served with its type, forever, to this host’s pages only', async () => {
    const image = makePng(40, 20);
    await stage.brand(null, null, image);
    const response = await load(`/api/connect/logo/${sha256(image)}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(image);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${sha256(image)}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('is that of its app only, and a removed, replaced or unknown one is not found', async () => {
    const [own, next, foreign] = [makePng(40, 20), makePng(41, 20), makePng(20, 40)];
    const other = (await seedApp(stage.sql, { name: 'Another app' })).app.appId;
    await stage.brand(null, null, foreign, other);
    await stage.brand(null, null, own);
    await stage.brand(null, null, next);
    const { html } = await openPage('connect');
    expect(html).toContain(sha256(next));
    expect(html).not.toContain(sha256(foreign));

    const unknown = [sha256(own), sha256(Buffer.from('nothing')), 'x'];
    for (const hash of unknown) {
      const response = await load(`/api/connect/logo/${hash}`);
      expect([response.status, await response.text()], hash).toEqual([404, 'Not found.']);
      expect(response.headers.get('cache-control')).toBeNull();
    }
    expect((await load(`/api/connect/logo/${sha256(foreign)}`)).status).toBe(200);
    await stage.brand(null, null, null);
    expect((await load(`/api/connect/logo/${sha256(next)}`)).status).toBe(404);
  });
});

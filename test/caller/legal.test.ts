import { describe, expect, test } from 'vitest';
import { openSignedIn, openStudio } from './visitor.ts';

const YOUTUBE_TERMS = 'https://www.youtube.com/t/terms';
const GOOGLE_PRIVACY = 'https://policies.google.com/privacy';
const linksOf = (html: string) =>
  [...html.matchAll(/<a[^>]* href="([^"]+)"|<a href="([^"]+)"/g)].map(([, a, b]) => a ?? b);

describe('requirements of the platforms’ reviews', () => {
  test('every page has a footer with four links, also for a visitor', async () => {
    const { visitor } = openStudio();
    for (const path of ['/', '/privacy', '/terms', '/nowhere']) {
      const { text } = await visitor().get(path);
      const [, footer = ''] = /<footer>([\s\S]*?)<\/footer>/.exec(text) ?? [];
      expect(linksOf(footer), path).toEqual(['/privacy', '/terms', YOUTUBE_TERMS, GOOGLE_PRIVACY]);
    }
  });

  test('the consent stands before each button that connects, and names YouTube only where it is one of them', async () => {
    const { rowan } = await openSignedIn();
    for (const [path, hasYouTube, button] of [
      ['/', true, '<connect-accounts'],
      ['/connect/a', true, 'Continue to YouTube'],
      ['/connect/b', false, 'Continue to TikTok'],
      ['/connect/c', false, 'Continue to Instagram'],
    ] as const) {
      const { text } = await rowan.get(path);
      const [main = ''] = text.split('<footer>');
      const consent = main.indexOf('By connecting you agree');
      expect(consent, path).toBeGreaterThan(0);
      expect(main.indexOf(button), path).toBeGreaterThan(consent);
      expect(main.includes(YOUTUBE_TERMS), path).toBe(hasYouTube);
    }
  });

  test('a page before a disconnect links to the removal at the platform, and a revoked account gets a true text', async () => {
    const { service, rowan } = await openSignedIn();
    const openPage = async (changes: object, path = '') => {
      const one = { id: 'one', provider: 'PROVIDER_A', status: 'CONNECTED', syncStatus: 'READY', capabilities: [] };
      service.answers.connection = () => ({ ...one, ...changes });
      return (await rowan.get(`/connections/one${path}`)).text;
    };
    const youTube = await openPage({}, '/disconnect');
    expect(youTube).toContain('We revoke our access at YouTube.');
    expect(youTube).toContain('https://security.google.com/settings/security/permissions');
    expect(await openPage({ status: 'RECONNECT_REQUIRED' })).toContain('we erase its data within 30 days.');
    const instagram = await openPage({ provider: 'PROVIDER_C' }, '/disconnect');
    expect(instagram).toContain('Only you can end our access at Instagram');
    expect(instagram).not.toContain('We revoke');
  });
});

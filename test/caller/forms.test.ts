import { expect, test } from 'vitest';
import { KEY, openSignedIn, openStudio, PUBLIC_URL } from './visitor.ts';

const studio = openStudio();
const forms = studio.app.routes.filter(({ method }) => method === 'POST').map(({ path }) => path);

const FOREIGN = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['an unknown page', {}],
] as const;

test.each(forms.flatMap((path) => FOREIGN.map(([where, headers]) => ({ path, where, headers }))))(
  'the form of $path is refused from $where, even with a valid session',
  async ({ path, headers }) => {
    const { service, rowan } = await openSignedIn();
    const asked = service.calls.length;
    const url = path.replace(/:slug\{[^}]*\}/, 'b').replace(/:\w+/g, 'c0ffee00-0000-4000-8000-000000000001');
    const { status, text } = await rowan.post(url, { capability: 'PROFILE', url: 'https://x.example' }, headers);
    expect(status).toBe(403);
    expect(text).toContain('The request did not come from one of our pages.');
    expect(service.calls).toHaveLength(asked);
    expect((await rowan.get('/connect/b')).status).toBe(200); // Still signed in.
  },
);

test('no response can be framed, cached, sniffed or run foreign scripts', async () => {
  const { rowan } = await openSignedIn();
  for (const path of ['/', '/connect/b', '/nothing']) {
    const { headers } = await rowan.get(path);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin');
  }
});

test('the session cookie is hidden from scripts, other hosts and forms of other sites', async () => {
  const { visitor } = openStudio();
  const { headers } = await visitor().post('/sign-in');
  expect(headers.get('set-cookie')).toMatch(/^__Host-studio=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('the key is sent to the service and never to a browser', async () => {
  const { service, rowan } = await openSignedIn();
  await rowan.get(`/connect/launch/${await rowan.begin()}`);
  await rowan.get('/');
  expect(new Set(service.calls.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  expect(rowan.received).not.toContain(KEY);
  expect(rowan.received).not.toContain(KEY.split('.')[1]);
});

test('no page of an account opens without a sign-in', async () => {
  const { service, visitor } = openStudio();
  const stranger = visitor();
  for (const path of [
    '/connections/x',
    '/connections/x/disconnect',
    '/receipts/x',
    '/connections/x/posts/y',
    '/connect/a',
  ]) {
    expect((await stranger.get(path)).location).toBe('/');
  }
  const same = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' };
  for (const path of ['/connections/x/refresh', '/connections/x/disconnect', '/connections/x/lookups']) {
    expect((await stranger.post(path, {}, same)).location).toBe('/');
  }
  expect(service.calls).toEqual([]);
});

import { describe, expect, test, vi } from 'vitest';
import { refusal } from './fake-service.ts';
import { openStudio, ROWAN } from './visitor.ts';

const begun = (service: ReturnType<typeof openStudio>['service']) => service.callsOf('createIdpIdentitySession').length;

describe('unfinished sign-ins of one network', () => {
  test('are limited, so that one person cannot use up the 20 of the app', async () => {
    const { service, visitor } = openStudio();
    const attacker = '203.0.113.7';
    const answers = [];
    for (let i = 0; i < 30; i += 1) answers.push(await visitor(attacker).post('/sign-in'));
    expect(begun(service)).toBe(5);
    const refused = answers.at(-1);
    expect(refused?.status).toBe(429);
    expect(refused?.text).toContain('Your network has too many unfinished sign-ins.');
    expect(refused?.text).toContain('Try again in 10 minutes.');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(590);
    expect((await visitor('203.0.113.8').post('/sign-in')).location).toBe('/sign-in/launch');
  });

  test('count before the service has answered', async () => {
    const { service, visitor } = openStudio();
    await Promise.all(Array.from({ length: 30 }, () => visitor('203.0.113.7').post('/sign-in')));
    expect(begun(service)).toBe(5);
  });

  test('stop counting when they end, with any result', async () => {
    const { service, visitor } = openStudio();
    for (let i = 0; i < 12; i += 1) {
      const someone = visitor('203.0.113.7');
      service.answers.redeemIdpIdentityResult = () => ({ status: i % 2 === 0 ? 'DENIED' : 'EXPIRED' });
      await someone.post('/sign-in');
      await someone.get(`/sign-in/return?ss_session_id=${service.lastIds.get('identity')}`);
      expect((await someone.get('/sign-in/finish')).location).toBe('/');
    }
    await visitor('203.0.113.7').signIn(ROWAN);
    expect(begun(service)).toBe(13);
  });

  test('do not count if the service refuses them', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { service, visitor } = openStudio();
    const create = service.answers.createIdpIdentitySession;
    service.answers.createIdpIdentitySession = () => {
      throw refusal('RATE_LIMITED', { retryAfterSeconds: 240 });
    };
    for (let i = 0; i < 8; i += 1) {
      const { status, text } = await visitor('203.0.113.7').post('/sign-in');
      expect([status, text]).toEqual([429, expect.stringContaining('Try again in 4 minutes.')]);
    }
    service.answers.createIdpIdentitySession = create as NonNullable<typeof create>;
    expect((await visitor('203.0.113.7').post('/sign-in')).location).toBe('/sign-in/launch');
  });

  test('count together for an IPv6 network of 64 bits', async () => {
    const { service, visitor } = openStudio();
    for (let i = 0; i < 30; i += 1) await visitor(`2001:db8:1:2::${i.toString(16)}`).post('/sign-in');
    expect(begun(service)).toBe(5);
    expect((await visitor('2001:db8:1:3::1').post('/sign-in')).location).toBe('/sign-in/launch');
    for (let i = 0; i < 30; i += 1) await visitor('::ffff:203.0.113.9').post('/sign-in');
    expect((await visitor('::ffff:203.0.113.10').post('/sign-in')).location).toBe('/sign-in/launch');
  });

  test('count for the address that our proxy appends, and a client cannot forge it', async () => {
    const { service, visitor } = openStudio({ TRUSTED_PROXIES: '1' });
    const form = { origin: 'https://studio.example', 'sec-fetch-site': 'same-origin' };
    for (let i = 0; i < 30; i += 1) {
      await visitor('10.0.0.1').post('/sign-in', {}, { ...form, 'x-forwarded-for': `198.51.100.${i}, 203.0.113.7` });
    }
    expect(begun(service)).toBe(5);
    const other = await visitor('10.0.0.1').post('/sign-in', {}, { ...form, 'x-forwarded-for': '203.0.113.8' });
    expect(other.location).toBe('/sign-in/launch');
  });
});

describe('an attempt whose form was not served', () => {
  test('to sign in is reused by the same browser only', async () => {
    const { service, visitor } = openStudio();
    const [rowan, other] = [visitor(), visitor()];
    for (let i = 0; i < 10; i += 1) expect((await rowan.post('/sign-in')).location).toBe('/sign-in/launch');
    expect(begun(service)).toBe(1);
    await other.post('/sign-in');
    expect(begun(service)).toBe(2);
    expect((await rowan.get('/sign-in/launch')).text).toContain(service.launchTokens[0]);
    await rowan.post('/sign-in'); // The browser has the token and may have spent it.
    expect(begun(service)).toBe(3);
  });

  test('to connect is reused for the same choice only', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await rowan.signIn(ROWAN);
    const first = await rowan.begin({ capability: 'PROFILE' });
    expect(await rowan.begin({ capability: 'PROFILE' })).toBe(first);
    const others = [
      await rowan.begin({ capability: 'CONTENT_LIST' }),
      await rowan.begin({ capability: 'PROFILE', reconnect: 'connection-1' }),
      await rowan.begin({ capability: 'PROFILE' }, 'a'),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    await rowan.get(`/connect/launch/${first}`);
    expect(await rowan.begin({ capability: 'PROFILE' })).not.toBe(first);
    expect(service.callsOf('createConnectSession')).toHaveLength(5);
  });

  test('is not reused after it has expired', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    const expired = { expiresAt: new Date(Date.now() - 1).toISOString() };
    service.answers.createIdpIdentitySession = () => ({
      ...service.newLaunch('identity'),
      resultProof: 'proof',
      ...expired,
    });
    await rowan.post('/sign-in');
    await rowan.post('/sign-in');
    expect(begun(service)).toBe(2);
  });
});

test('a RATE_LIMITED page shows how long to wait, as the service says', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { service, visitor } = openStudio();
  const rowan = visitor();
  await rowan.signIn(ROWAN);
  const pageText = async (retryAfterSeconds?: number) => {
    service.answers.createConnectSession = () => {
      throw refusal('RATE_LIMITED', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    };
    return (await rowan.post('/connect/b', { capability: 'PROFILE' })).text;
  };
  expect(await pageText(600)).toContain('Try again in 10 minutes.');
  expect(await pageText(541)).toContain('Try again in 10 minutes.');
  expect(await pageText(60)).toContain('Try again in a minute.');
  expect(await pageText(7)).toContain('Try again in 7 seconds.');
  expect(await pageText()).toContain('Try again in a minute.');
  // The service counts unfinished attempts. A person with five of them in other tabs must learn the reason.
  expect(await pageText(600)).toContain('Each one counts for ten minutes.');
});

describe('an anonymous visitor', () => {
  test('causes one call to the service in 5 seconds, even with many requests of the first page', async () => {
    const { service, visitor } = openStudio();
    const pages = await Promise.all(Array.from({ length: 50 }, () => visitor().get('/')));
    expect(pages.every(({ text }) => text.includes('Sign in to begin'))).toBe(true);
    expect(service.callsOf('integrationReadiness')).toHaveLength(1);
  });

  test('cannot send a form larger than any of ours', async () => {
    const { visitor } = openStudio();
    const { status } = await visitor().post('/sign-in', { filler: 'x'.repeat(40_000) });
    expect(status).toBe(413);
  });
});

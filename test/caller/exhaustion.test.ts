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

test('a RATE_LIMITED page shows the wait that the service requires', async () => {
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
  // The service counts unfinished attempts. A person with five of them in other tabs must see the reason.
  expect(await pageText(600)).toContain('Each one counts for ten minutes.');
});

describe('an anonymous visitor', () => {
  test('causes one call to the service in 5 seconds, even with many requests of the first page', async () => {
    const { service, visitor } = openStudio();
    const pages = await Promise.all(Array.from({ length: 50 }, () => visitor().get('/')));
    expect(pages.every(({ text }) => text.includes('Sign in to begin'))).toBe(true);
    expect(service.callsOf('integrationReadiness')).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { configFor } from '../kit/fake-platform.ts';

const facts = createCatalog(configFor('https://far.side'));
const YOUTUBE = 'https://www.googleapis.com/auth/youtube.readonly';
const INSIGHTS = 'instagram_business_manage_insights';

const urlOf = (provider: (typeof PROVIDER_NAMES)[number], codeChallenge: string | null, config = facts) =>
  new URL(
    config[provider].buildAuthorizationRequest({
      clientId: 'client 1',
      redirectUri: 'https://connect.example/api/connect/callback/x',
      permissions: config[provider].permissionsFor(CAPABILITIES),
      state: 'state+1',
      codeChallenge,
    }),
  );

const CHALLENGE = { code_challenge: 'challenge', code_challenge_method: 'S256' };

describe('the authorize URL', () => {
  const expectUrl = (url: URL, address: string, own: object) => {
    expect(`${url.origin}${url.pathname}`).toBe(address);
    const redirect_uri = 'https://connect.example/api/connect/callback/x';
    expect(Object.fromEntries(url.searchParams)).toEqual({
      redirect_uri,
      response_type: 'code',
      state: 'state+1',
      ...own,
    });
  };

  test('of PROVIDER_A asks for a refresh token every time', () => {
    expectUrl(urlOf('PROVIDER_A', 'challenge'), 'https://far.side/a/accounts/o/oauth2/v2/auth', {
      client_id: 'client 1',
      scope: `openid ${YOUTUBE}`,
      access_type: 'offline',
      prompt: 'consent select_account',
      ...CHALLENGE,
    });
  });

  test('of PROVIDER_B has a client_key, commas, and a trailing slash', () => {
    expectUrl(urlOf('PROVIDER_B', 'challenge'), 'https://far.side/b/www/v2/auth/authorize/', {
      client_key: 'client 1',
      scope: 'user.info.basic,user.info.profile,video.list',
      disable_auto_auth: '1',
      ...CHALLENGE,
    });
  });

  test('of PROVIDER_C has no challenge, because the platform documents none', () => {
    expectUrl(urlOf('PROVIDER_C', null), 'https://far.side/c/www/oauth/authorize', {
      client_id: 'client 1',
      scope: `instagram_business_basic,${INSIGHTS}`,
      force_reauth: 'true',
    });
  });
});

describe('permissions', () => {
  test('are requested only as far as the capabilities need them', () => {
    expect(facts.PROVIDER_B.permissionsFor(['PROFILE'])).toEqual(['user.info.basic', 'user.info.profile']);
    expect(facts.PROVIDER_B.permissionsFor(['CONTENT_LOOKUP'])).toEqual(['user.info.basic', 'video.list']);
    expect(facts.PROVIDER_C.permissionsFor(['CONTENT_LIST'])).toEqual(['instagram_business_basic']);
    expect(facts.PROVIDER_A.permissionsFor(['PROFILE'])).toEqual(['openid', YOUTUBE]);
  });

  test('serve the capabilities they cover if some are granted', () => {
    const granted = (name: (typeof PROVIDER_NAMES)[number], ...permissions: string[]) =>
      CAPABILITIES.filter((capability) => facts[name].isGranted(capability, permissions));
    expect(granted('PROVIDER_A', 'openid')).toEqual([]);
    expect(granted('PROVIDER_B', 'user.info.basic')).toEqual(['PROFILE']);
    expect(granted('PROVIDER_B', 'video.list')).toEqual(['CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS']);
    expect(granted('PROVIDER_C', 'instagram_business_basic')).toEqual(CAPABILITIES);
    expect(granted('PROVIDER_C', INSIGHTS)).toEqual([]);
  });
});

describe('a callback', () => {
  test.each([
    ['code=c&state=s', { kind: 'code', code: 'c', issuer: null }],
    ['code=a%2Ab%210&scopes=x&state=s', { kind: 'code', code: 'a*b!0', issuer: null }],
    [
      'code=c&iss=https%3A%2F%2Faccounts.google.com',
      { kind: 'code', code: 'c', issuer: 'https://accounts.google.com' },
    ],
    ['error=access_denied&error_description=no&state=s', { kind: 'refused', by: 'PERSON', issuer: null }],
    ['error=server_error&state=s', { kind: 'refused', by: 'PLATFORM', refusal: { isKnown: true } }],
    ['error=never_heard_of&state=s', { kind: 'refused', by: 'PLATFORM', refusal: { isKnown: false } }],
    ['error=Access%20Denied&state=s', { kind: 'refused', by: 'PERSON', refusal: { isKnown: true } }],
    ['state=s', { kind: 'malformed' }],
    ['code=', { kind: 'malformed' }],
    [`code=${'c'.repeat(4_097)}`, { kind: 'malformed' }],
    ['code=a&code=b', { kind: 'malformed' }],
  ])('reads %s', (query, answer) => {
    for (const name of PROVIDER_NAMES)
      expect(facts[name].readAuthorizationResponse(new URLSearchParams(query))).toMatchObject(answer);
  });

  test('of PROVIDER_C loses the suffix of its redirects', () => {
    expect(facts.PROVIDER_C.readAuthorizationResponse(new URLSearchParams('code=abc%23_'))).toMatchObject({
      code: 'abc',
    });
  });
});

import { afterEach, describe, expect, test, vi } from 'vitest';
import { IssuerUnavailable } from '../../src/identity/discovery.ts';
import { createOidc } from '../../src/identity/oidc.ts';

const ISSUER = 'https://issuer.example/realm';
const named = { issuer: ISSUER, clientId: 'client-1' };
const request = { redirectUri: 'https://connect.example/back', state: 's', nonce: 'n', codeChallenge: 'c' };
const document = {
  issuer: ISSUER,
  authorization_endpoint: 'https://issuer.example/authorize?realm=1',
  token_endpoint: 'https://issuer.example/token',
  jwks_uri: 'https://issuer.example/keys',
};

let nowMs = 0;
const answer = vi.fn(async (_url: string) => Response.json(document));
const open = (allowHttp = false) => createOidc({ fetch: answer, allowHttp, nowMs: () => nowMs });
const minutes = (count: number) => count * 60_000;

afterEach(() => {
  nowMs = 0;
  answer.mockReset().mockImplementation(async () => Response.json(document));
});

describe('the authorization URL', () => {
  test('requests a code at the issuer’s endpoint, with every parameter that binds the answer', async () => {
    const url = new URL(await open().buildAuthorizationUrl(named, request));
    expect(answer.mock.lastCall?.[0]).toBe(`${ISSUER}/.well-known/openid-configuration`);
    expect(url.origin + url.pathname).toBe('https://issuer.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      realm: '1',
      client_id: 'client-1',
      response_type: 'code',
      redirect_uri: request.redirectUri,
      scope: 'openid email profile',
      state: 's',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      prompt: 'select_account',
    });
  });

  test.each([
    [['none', 'login', 'select_account'], 'select_account'],
    [['none', 'login'], 'login'],
    [['none', 'consent'], null],
    [[], null],
  ])('of an issuer that takes the prompts %j asks for %j', async (listed, prompt) => {
    answer.mockImplementation(async () => Response.json({ ...document, prompt_values_supported: listed }));
    expect(new URL(await open().buildAuthorizationUrl(named, request)).searchParams.get('prompt')).toBe(prompt);
  });

  test.each([
    ['login', 'login'],
    ['omit', null],
  ] as const)('of an issuer that lists no prompts follows the setting %s', async (unlistedPrompt, prompt) => {
    const oidc = createOidc({ fetch: answer, allowHttp: false, unlistedPrompt });
    expect(new URL(await oidc.buildAuthorizationUrl(named, request)).searchParams.get('prompt')).toBe(prompt);
  });
});

describe('discovery', () => {
  test.each([
    ['another issuer', { ...document, issuer: 'https://attacker.example' }],
    ['an extra slash', { ...document, issuer: `${ISSUER}/` }],
    ['no issuer', { ...document, issuer: undefined }],
  ])('refuses a document of %s', async (_, body) => {
    answer.mockImplementation(async () => Response.json(body));
    await expect(open().buildAuthorizationUrl(named, request)).rejects.toThrow(IssuerUnavailable);
  });

  test('is repeated after an hour, and its last good copy is used for a day while the issuer is down', async () => {
    const oidc = open();
    await oidc.buildAuthorizationUrl(named, request);
    nowMs = minutes(60) - 1;
    await oidc.buildAuthorizationUrl(named, request);
    expect(answer).toHaveBeenCalledTimes(1);

    answer.mockImplementation(async () => new Response('down', { status: 502 }));
    nowMs = minutes(60);
    await oidc.buildAuthorizationUrl(named, request);
    await oidc.buildAuthorizationUrl(named, request);
    expect(answer).toHaveBeenCalledTimes(2); // The pause of a minute saves each caller a failing call.
    nowMs = minutes(24 * 60) + 1;
    await expect(oidc.buildAuthorizationUrl(named, request)).rejects.toThrow(IssuerUnavailable);
  });

  test('that failed is not repeated for five seconds, even if a page is loaded again', async () => {
    const oidc = open();
    answer.mockImplementation(async () => new Response('down', { status: 502 }));
    for (let loads = 0; loads < 10; loads += 1) {
      await expect(oidc.buildAuthorizationUrl(named, request)).rejects.toThrow(IssuerUnavailable);
    }
    expect(answer).toHaveBeenCalledTimes(1);
    answer.mockImplementation(async () => Response.json(document));
    nowMs = 5_000;
    expect(await oidc.buildAuthorizationUrl(named, request)).toContain('https://issuer.example/authorize');
  });
});

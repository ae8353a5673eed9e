import * as oidc from 'openid-client';
import { describe, expect } from 'vitest';
import type { IdpLie } from '../../sandbox/src/faults.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { allow, Browser, type Page } from '../kit/browser.ts';
import { test } from './kit.ts';

const REDIRECT = 'http://127.0.0.1:1/api/identity/callback/idp';
const ALL = ['openid', 'email', 'profile'];

const discover = (sandbox: Sandbox, clientId = 'sandbox-idp-client') => {
  const authentication = clientId.endsWith('-basic')
    ? oidc.ClientSecretBasic('sandbox-idp-secret')
    : oidc.ClientSecretPost('sandbox-idp-secret');
  const options = { execute: [oidc.allowInsecureRequests] };
  return oidc.discovery(new URL(`${sandbox.url}/idp`), clientId, undefined, authentication, options);
};

const personLike = (sandbox: Sandbox, note: RegExp) => {
  const found = sandbox.control.people().find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`Nobody like ${note}`);
  return found;
};

/** Signs a person in up to the callback. */
async function signIn(config: oidc.Configuration, answer: readonly (readonly [string, string])[]) {
  const browser = new Browser(REDIRECT);
  const [verifier, nonce, state] = [oidc.randomPKCECodeVerifier(), oidc.randomNonce(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: ALL.join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'select_account',
  });
  const back: Page = await browser.submit(await browser.open(url.href), answer);
  const exchange = () =>
    oidc.authorizationCodeGrant(config, new URL(back.url), {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
    });
  return { callback: new URL(back.url).searchParams, exchange };
}

describe('the OpenID provider in the sandbox', () => {
  test('signs a person in, with both methods of client authentication', async ({ sandbox }) => {
    const person = personLike(sandbox, /^E-mail address verified$/);
    for (const clientId of ['sandbox-idp-client', 'sandbox-idp-client-basic']) {
      const config = await discover(sandbox, clientId);
      const { callback, exchange } = await signIn(config, allow(person.sub, ALL));
      expect(callback.get('iss')).toBe(`${sandbox.url}/idp`);
      const tokens = await exchange();
      expect(tokens.claims()).toMatchObject({ sub: person.sub, ...person.claims });
      const userinfo = await oidc.fetchUserInfo(config, tokens.access_token, person.sub);
      expect(userinfo).toMatchObject({ sub: person.sub, email_verified: true });
      await expect(exchange()).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('still signs people in after a key rotation', async ({ sandbox }) => {
    const config = await discover(sandbox);
    const { sub } = personLike(sandbox, /^E-mail address verified$/);
    const keys = async () =>
      ((await (await fetch(`${sandbox.url}/idp/jwks`)).json()) as { keys: { kid: string }[] }).keys;
    const [before] = await keys();
    const { exchange } = await signIn(config, allow(sub, ALL));
    await sandbox.control.rotateIdpKeys();
    const after = await keys();
    expect(after.map(({ kid }) => kid)).toEqual([expect.not.stringContaining(before?.kid ?? ''), before?.kid]);
    expect((await exchange()).claims()?.sub).toBe(sub);
  });

  const refused: readonly IdpLie[] = ['wrongNonce', 'wrongAudience', 'wrongIssuer', 'expired', 'unknownKey', 'algNone'];
  test.for(refused)('can send false tokens that a careful client refuses: %s', async (lie, { sandbox }) => {
    const config = await discover(sandbox);
    oidc.enableNonRepudiationChecks(config);
    sandbox.control.addFault({ provider: 'IDP', what: { kind: 'idp', lie } });
    const { sub } = personLike(sandbox, /^E-mail address verified$/);
    const { exchange } = await signIn(config, allow(sub, ALL));
    await expect(exchange()).rejects.toThrow();
    expect(sandbox.control.faults()).toEqual([]);
    expect((await (await signIn(config, allow(sub, ALL))).exchange()).claims()?.sub).toBe(sub);
  });
});

import { type JWTPayload, SignJWT } from 'jose';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { FORGED, inSeconds } from './forged-claims.ts';
import { AT_HASH, atHashFor, CLIENT, ISSUER, Issuer, newKey, signInAt } from './issuer.ts';

const key = await newKey();
let issuer: Issuer;
beforeEach(() => {
  issuer = new Issuer(key);
});

const failureOf = async (signingIn: Promise<unknown>) =>
  await signingIn.then(
    () => expect.fail('It was taken.'),
    (error: unknown) => (error instanceof ProviderError ? error.type : String(error)),
  );

describe('an id_token', () => {
  test('identifies the person', async () => {
    await issuer.issue({ at_hash: AT_HASH });
    expect(await signInAt(issuer).redeem()).toEqual({
      issuer: ISSUER,
      idpSub: 'rowan-1',
      email: 'rowan@example.org',
      emailVerified: true,
      name: 'Rowan',
      pictureUrl: 'https://i.example/r',
    });
    expect(issuer.asked).not.toContain('/userinfo');
  });

  const taken: readonly (readonly [string, () => JWTPayload])[] = [
    [
      'several audiences, and our client as the authorized party',
      () => ({ aud: ['other', CLIENT.clientId], azp: CLIENT.clientId }),
    ],
    ['an expiry less than a minute ago', () => ({ exp: inSeconds(-50) })],
    ['the longest possible sub', () => ({ sub: 's'.repeat(255) })],
  ];
  test.each(taken)('is accepted with %s', async (_name, changes) => {
    await issuer.issue(changes());
    expect((await signInAt(issuer).redeem()).issuer).toBe(ISSUER);
  });

  test.each(['PS256', 'ES256', 'ES384', 'ES512', 'PS384', 'PS512', 'EdDSA'])(
    'is accepted when signed by %s',
    async (alg) => {
      issuer.keys = [await newKey(alg)];
      await issuer.issue({ at_hash: atHashFor(alg) });
      expect((await signInAt(issuer).redeem()).idpSub).toBe('rowan-1');
    },
  );

  test.each(FORGED)('is refused with %s', async (_name, changes) => {
    await issuer.issue(changes());
    expect(await failureOf(signInAt(issuer).redeem())).toBe('ContractBroken');
  });

  test('is refused without a signature, or signed with our own secret', async () => {
    const claims = issuer.claims();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    issuer.idToken = `${part({ alg: 'none' })}.${part(claims)}.`;
    expect(await failureOf(signInAt(issuer).redeem())).toBe('ContractBroken');
    const secret = Buffer.from(CLIENT.clientSecret.reveal());
    issuer.idToken = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    expect(await failureOf(signInAt(issuer).redeem())).toBe('ContractBroken');
  });

  test('is refused when altered, or signed by a key that is not the issuer’s', async () => {
    await issuer.issue();
    const [header, , signature] = issuer.idToken.split('.');
    const changed = Buffer.from(JSON.stringify(issuer.claims({ sub: 'mallory' }))).toString('base64url');
    issuer.idToken = `${header}.${changed}.${signature}`;
    expect(await failureOf(signInAt(issuer).redeem())).toBe('ContractBroken');
    issuer.keys = [{ ...(await newKey()), kid: key.kid }];
    await issuer.issue();
    issuer.keys = [key];
    expect(await failureOf(signInAt(issuer).redeem())).toBe('ContractBroken');
  });
});

describe('a key that its issuer has just made', () => {
  const countReads = () => issuer.asked.filter((path) => path === '/jwks').length;
  const rotate = async () => {
    issuer.keys = [await newKey(), ...issuer.keys];
    await issuer.issue();
  };

  test('is taken at once, although the keys were read a moment before', async () => {
    const channel = signInAt(issuer);
    await issuer.issue();
    await channel.redeem();
    await rotate();
    expect((await channel.redeem()).idpSub).toBe('rowan-1');
    expect((await channel.redeem()).idpSub).toBe('rowan-1');
    expect(countReads()).toBe(2);
  });

  test('is read once in ten seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const channel = signInAt(issuer);
    await issuer.issue();
    await channel.redeem();
    await rotate();
    await channel.redeem();
    await rotate();
    expect(await failureOf(channel.redeem())).toBe('ContractBroken');
    vi.setSystemTime(Date.now() + 9_000);
    await issuer.issue();
    expect(await failureOf(channel.redeem())).toBe('ContractBroken');
    expect(countReads()).toBe(2);
    vi.setSystemTime(Date.now() + 1_000);
    await issuer.issue();
    expect((await channel.redeem()).idpSub).toBe('rowan-1');
    expect(countReads()).toBe(3);
  });

  test('is read again after five minutes, so that a withdrawn key stops working', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const channel = signInAt(issuer);
    await issuer.issue();
    await channel.redeem();
    const withdrawn = issuer.keys;
    issuer.keys = [await newKey()];
    vi.setSystemTime(Date.now() + 301_000);
    const { keys } = issuer;
    issuer.keys = withdrawn;
    await issuer.issue();
    issuer.keys = keys;
    expect(await failureOf(channel.redeem())).toBe('ContractBroken');
  });
});

describe('optional claims', () => {
  const bare = { email: undefined, email_verified: undefined, name: undefined, picture: undefined };

  test('missing from the id_token are read from userinfo, which overrides nothing', async () => {
    await issuer.issue({ email: undefined, email_verified: undefined });
    issuer.userinfo = () =>
      Response.json({ sub: 'rowan-1', email: 'rowan@example.org', email_verified: 'true', name: 'Somebody else' });
    expect(await signInAt(issuer).redeem()).toMatchObject({
      email: 'rowan@example.org',
      emailVerified: true,
      name: 'Rowan',
    });
  });

  test('include the verification of an address only from the source of that address', async () => {
    await issuer.issue({ email: 'victim@example.org', email_verified: undefined, name: undefined });
    issuer.userinfo = () =>
      Response.json({ sub: 'rowan-1', email: 'rowan@example.org', email_verified: true, name: 'Rowan' });
    expect(await signInAt(issuer).redeem()).toMatchObject({ email: 'victim@example.org', emailVerified: null });

    await issuer.issue({ email: undefined, email_verified: true });
    issuer.userinfo = () => Response.json({ sub: 'rowan-1', email: 'victim@example.org' });
    expect(await signInAt(issuer).redeem()).toMatchObject({ email: 'victim@example.org', emailVerified: null });

    issuer.userinfo = () => Response.json({ sub: 'rowan-1' });
    expect(await signInAt(issuer).redeem()).toMatchObject({ email: null, emailVerified: null });
  });

  test.each<readonly [string, () => Response]>([
    ['describes another person', () => Response.json({ sub: 'mallory', email: 'mallory@example.org' })],
    ['fails', () => Response.json({}, { status: 503 })],
    ['is a signed JWT', () => new Response('e30.e30.e30', { headers: { 'content-type': 'application/jwt' } })],
  ])('are null if userinfo %s, and the sign-in continues', async (_name, userinfo) => {
    await issuer.issue(bare);
    issuer.userinfo = userinfo;
    expect(await signInAt(issuer).redeem()).toEqual({
      issuer: ISSUER,
      idpSub: 'rowan-1',
      email: null,
      emailVerified: null,
      name: null,
      pictureUrl: null,
    });
  });
});

test.each([
  ['a line break', 'a@b.example\r\nBcc: x@y.example'],
  ['NUL', 'row\0an@example.org'],
  ['half a character', 'rowan\ud83d@example.org'],
])('an e-mail address with %s is null, and so is its verification', async (_name, email) => {
  await issuer.issue({ email });
  issuer.userinfo = () => Response.json({ sub: 'rowan-1', email, email_verified: true });
  expect(await signInAt(issuer).redeem()).toMatchObject({ idpSub: 'rowan-1', email: null, emailVerified: null });
});

test('claims can be stored and shown: no NUL, no half characters, no endless name, pictures by https only', async () => {
  await issuer.issue({
    name: `\ud83d${'R'.repeat(10_000)}`,
    picture: 'https://i.example/ü',
  });
  expect(await signInAt(issuer).redeem()).toMatchObject({
    name: `\ufffd${'R'.repeat(499)}`,
    pictureUrl: 'https://i.example/%C3%BC',
  });
  for (const picture of [
    'http://i.example/r',
    'https://rowan:secret@i.example/',
    `https://i.example/${'r'.repeat(9_000)}`,
  ]) {
    await issuer.issue({ picture });
    expect(await signInAt(issuer).redeem()).toMatchObject({ name: 'Rowan', pictureUrl: null });
  }
});

describe('an issuer', () => {
  test.each([
    [undefined, 'client_secret_post', false],
    [['client_secret_basic'], 'client_secret_post', true],
    [['private_key_jwt'], 'client_secret_basic', true],
  ] as const)(
    'that publishes %j as ways to authenticate, where %s is set up, gets the secret in the header: %s',
    async (listed, set, inHeader) => {
      issuer.metadata = { ...issuer.metadata, token_endpoint_auth_methods_supported: listed };
      await issuer.issue();
      await signInAt(issuer, { ...CLIENT, tokenAuthMethod: set }).redeem();
      const { authorization, form } = issuer.tokenRequest;
      expect([authorization !== null, form.has('client_secret')]).toEqual([inHeader, !inHeader]);
    },
  );

  test.each<readonly [string, () => Response | Error, string]>([
    ['refuses the code', () => Response.json({ error: 'invalid_grant' }, { status: 400 }), 'ContractBroken'],
    ['refuses our client', () => Response.json({ error: 'invalid_client' }, { status: 401 }), 'ClientRejected'],
    [
      'refuses our client by another code',
      () => Response.json({ error: 'unauthorized_client' }, { status: 401 }),
      'ClientRejected',
    ],
    ['is unavailable', () => new Response('<html>', { status: 503 }), 'RetryLater'],
    ['cannot be reached', () => new ProviderError('RetryLater', 'No answer.', { outcomeUnknown: false }), 'RetryLater'],
  ])('that %s at the token endpoint gets the matching error', async (_name, refusal, type) => {
    issuer.refusal = refusal();
    expect(await failureOf(signInAt(issuer).redeem())).toBe(type);
  });

  test('whose keys cannot be read after the exchange does not receive the code again', async () => {
    await issuer.issue();
    issuer.keysRefusal = new ProviderError('RetryLater', 'No connection.', { outcomeUnknown: false });
    const error = await signInAt(issuer)
      .redeem()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    expect(issuer.asked.filter((path) => path === '/token')).toHaveLength(1);
  });

  test('receives our client’s credentials by the configured method, with any characters', async () => {
    const clientSecret = new Secret('a b+c/d%e:f');
    await issuer.issue();
    await signInAt(issuer, { ...CLIENT, clientSecret }).redeem();
    expect(issuer.tokenRequest.authorization).toBeNull();
    expect(Object.fromEntries(issuer.tokenRequest.form)).toMatchObject({
      grant_type: 'authorization_code',
      client_id: CLIENT.clientId,
      client_secret: 'a b+c/d%e:f',
      code_verifier: 'v'.repeat(64),
    });

    await signInAt(issuer, { ...CLIENT, clientSecret, tokenAuthMethod: 'client_secret_basic' }).redeem();
    const [scheme, credentials = ''] = issuer.tokenRequest.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    // Form-urlencoded, each, before they are joined (RFC 6749, 2.3.1).
    expect(Buffer.from(credentials, 'base64').toString()).toMatch(/^client(-|%2D)1:a\+b%2Bc%2Fd%25e%3Af$/);
    expect(issuer.tokenRequest.form.has('client_secret')).toBe(false);
  });
});

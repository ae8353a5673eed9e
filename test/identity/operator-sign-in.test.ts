import { type JWTPayload, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOperatorSignIn } from '../../src/identity/operator-sign-in.ts';
import { FORGED, inSeconds } from './forged-claims.ts';
import { AT_HASH, CLIENT, ISSUER, Issuer, newKey } from './issuer.ts';

const REDIRECT_URI = 'https://console.example/api/admin/sign-in/callback';

const key = await newKey();
let issuer: Issuer;
beforeEach(() => {
  issuer = new Issuer(key);
});

const openChannel = () =>
  createOperatorSignIn(
    CLIENT,
    { scopes: 'openid', groupClaim: 'groups' },
    { fetch: issuer.fetch, allowHttp: false, now: () => new Date() },
  );

/** Signs an operator in. @param issue lets the issuer make its id_token. */
async function signIn(issue: () => Promise<void>, again = false) {
  const channel = openChannel();
  const { secrets } = await channel.begin(REDIRECT_URI, again);
  issuer.nonce = secrets.nonce;
  await issue();
  const answer = new URLSearchParams({ code: 'code', state: secrets.state, iss: ISSUER });
  return await channel.finish(new URL(`${REDIRECT_URI}?${answer}`), secrets, again);
}

const claims = (changes: JWTPayload) => () => issuer.issue({ groups: ['sre'], ...changes });
const failureOf = async (signingIn: Promise<unknown>) =>
  await signingIn.then(
    () => expect.fail('It was taken.'),
    (error: unknown) => error,
  );

describe('an id_token of an operator', () => {
  test('identifies them and their groups', async () => {
    const operator = await signIn(claims({ at_hash: AT_HASH, azp: CLIENT.clientId }));
    expect(operator).toEqual({ sub: 'rowan-1', groups: ['sre'], groupsLeftOut: false });
  });

  test.each([{ _claim_names: { groups: 'src1' } }, { hasgroups: true }])(
    'reports that the issuer has left the groups out, by %j',
    async (sign) => {
      issuer.userinfo = () => Response.json({ sub: 'rowan-1' });
      expect(await signIn(claims({ groups: undefined, ...sign }))).toMatchObject({ groups: [], groupsLeftOut: true });
      expect(await signIn(claims(sign))).toMatchObject({ groups: ['sre'], groupsLeftOut: false });
    },
  );

  test.each(FORGED)('is refused with %s', async (_name, changes) => {
    expect(await failureOf(signIn(claims(changes())))).toBeInstanceOf(Error);
  });

  test('is refused without a signature, with our own secret, or by a key that is not the issuer’s', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forgeries = [
      async () => {
        issuer.idToken = `${part({ alg: 'none' })}.${part(issuer.claims({ groups: ['sre'] }))}.`;
      },
      async () => {
        const secret = Buffer.from(CLIENT.clientSecret.reveal());
        issuer.idToken = await new SignJWT(issuer.claims({ groups: ['sre'] }))
          .setProtectedHeader({ alg: 'HS256' })
          .sign(secret);
      },
      async () => {
        issuer.keys = [{ ...(await newKey()), kid: key.kid }];
        await issuer.issue({ groups: ['sre'] });
        issuer.keys = [key];
      },
    ];
    for (const forge of forgeries) expect(await failureOf(signIn(forge))).toBeInstanceOf(Error);
  });
});

test('the groups of an operator are read at userinfo where the id_token has none', async () => {
  issuer.userinfo = () => Response.json({ sub: 'rowan-1', groups: ['support'] });
  expect(await signIn(() => issuer.issue())).toEqual({
    sub: 'rowan-1',
    groups: ['support'],
    groupsLeftOut: false,
  });
});

describe('a fresh sign-in of an operator', () => {
  test.each([
    [undefined, 'login'],
    [['none', 'login'], 'login'],
    [['none', 'select_account'], null],
  ])('at an issuer that publishes the prompts %j asks for %j', async (listed, prompt) => {
    issuer.metadata = { ...issuer.metadata, prompt_values_supported: listed };
    const { url } = await openChannel().begin(REDIRECT_URI, true);
    const asked = new URL(url).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual([prompt, '300']);
  });

  test('takes an auth_time within five minutes', async () => {
    expect(await signIn(claims({ auth_time: inSeconds(-10) }), true)).toMatchObject({ sub: 'rowan-1' });
  });

  test.each<readonly [string, JWTPayload]>([
    ['without auth_time', {}],
    ['with one over five minutes ago', { auth_time: inSeconds(-400) }],
    ['with one a day from now', { auth_time: inSeconds(86_400) }],
    ['with one that is a text', { auth_time: 'now' }],
  ])('is refused %s', async (_name, changes) => {
    expect(await failureOf(signIn(claims(changes), true))).toBeInstanceOf(Error);
  });
});

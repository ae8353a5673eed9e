import { describe, expect, test as plainTest } from 'vitest';
import { Browser } from '../kit/browser.ts';
import { perFile } from '../kit/per-file.ts';
import { ADA, KIT, LEE, NOOR, type Person, startKeycloak } from './keycloak.ts';
import { openStage, type Stage } from './stage.ts';

/** `test` with one Keycloak, and one service in front of it. */
const test = plainTest.extend<{ $file: { stage: Stage } }>({
  stage: perFile(async () => await openStage(await startKeycloak(process.env.ISSUERS_KEYCLOAK ?? ''))),
});

describe('a person', () => {
  test('signs in to two apps, as themselves, by either way to authenticate our client', async ({ stage }) => {
    const subjects: string[] = [];
    for (const tokenAuthMethod of ['client_secret_basic', 'client_secret_post'] as const) {
      const app = await stage.newApp({ tokenAuthMethod });
      for (const person of [ADA, NOOR]) {
        const { email, givenName, familyName } = person;
        const { idpSub, ...result } = await stage.signIn(app, person);
        expect(result).toMatchObject({
          ...{ status: 'COMPLETED', issuer: stage.server.issuer, pictureUrl: null },
          ...{ email, emailVerified: true, name: `${givenName} ${familyName}` },
        });
        subjects.push(idpSub);
      }
    }
    const [ada, noor, ...again] = subjects;
    expect(ada).not.toBe(noor);
    expect(again).toEqual([ada, noor]);
  });

  test('is sent with the prompt that the server publishes', async ({ stage }) => {
    const { authorizationUrl } = await stage.begin(await stage.newApp());
    expect(authorizationUrl.searchParams.get('prompt')).toBe('login');
  });

  test('signs in with a key that the server made during the sign-in', async ({ stage }) => {
    const app = await stage.newApp();
    expect(await stage.signIn(app, ADA)).toMatchObject({ status: 'COMPLETED' });
    const { session, page, browser, finish } = await stage.begin(app);
    await stage.server.addKeys('rsa-generated', { algorithm: 'RS256', keySize: '2048' });
    const { url } = await stage.server.signIn(browser, page, ADA);
    await finish(url);
    expect(await stage.redeem(app, session)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('an operator', () => {
  const enter = async (stage: Stage, person: Person) => {
    const browser = new Browser(`${stage.url}/admin`);
    const page = await stage.openConsole(browser);
    return { browser, back: await stage.server.signIn(browser, page, person) };
  };

  test('gets the highest role of their groups, and without one no session', async ({ stage }) => {
    for (const [person, role] of [
      [ADA, 'OPERATOR'],
      [NOOR, 'VIEWER'],
    ] as const) {
      const { browser, back } = await enter(stage, person);
      expect(back.url).toBe(`${stage.url}/admin`);
      expect(await stage.me(browser)).toMatchObject({ role });
    }
    for (const person of [KIT, LEE]) {
      const { browser, back } = await enter(stage, person);
      expect(back).toMatchObject({ status: 403, html: 'None of your groups has a role here.' });
      expect(await stage.me(browser)).toBeNull();
    }
  });

  test('must sign in anew to prove who they are, although the server knows them', async ({ stage }) => {
    const { browser } = await enter(stage, ADA);
    const page = await stage.openConsole(browser, true);
    expect(new URL(page.url).origin).not.toBe(stage.url);
    const back = await stage.server.signIn(browser, page, ADA);
    const [last] = await stage.service.sql`
      select proven_at is not null as proven from admin_session order by created_at desc limit 1
    `;
    expect([back.status, last?.proven]).toEqual([303, true]);
  });
});

/** Signs Ada in at a client with these settings of Keycloak's. */
const signInWith = async (stage: Stage, settings: Readonly<Record<string, unknown>>) =>
  await stage.signIn(await stage.newApp({ settings }), ADA);

const RSA = ['RS256', 'RS384', 'RS512'];
const PSS = ['PS256', 'PS384', 'PS512'];
const CURVES = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

describe('Keycloak’s id_token', () => {
  test('is taken when it is signed by any algorithm with public keys', async ({ stage }) => {
    const { addKeys } = stage.server;
    for (const algorithm of [...RSA, ...PSS]) await addKeys('rsa-generated', { algorithm, keySize: '2048' });
    for (const curve of Object.values(CURVES)) await addKeys('ecdsa-generated', { ecdsaEllipticCurveKey: curve });
    await addKeys('eddsa-generated', { eddsaEllipticCurveKey: 'Ed25519' });
    for (const algorithm of [...RSA, ...PSS, ...Object.keys(CURVES), 'EdDSA']) {
      const { status, email } = await signInWith(stage, { attributes: { 'id.token.signed.response.alg': algorithm } });
      expect([algorithm, status, email]).toEqual([algorithm, 'COMPLETED', ADA.email]);
    }
  });

  test('is refused when it is encrypted', async ({ stage }) => {
    const attributes = { 'id.token.encrypted.response.alg': 'RSA-OAEP', 'id.token.encrypted.response.enc': 'A256GCM' };
    expect(await signInWith(stage, { attributes })).toMatchObject({ status: 'FAILED' });
  });
});

describe('a person who refuses at Keycloak', () => {
  test.for([false, true])('is DENIED, also if its client leaves the issuer out: %s', async (leavesOut, { stage }) => {
    const attributes = { 'exclude.issuer.from.auth.response': String(leavesOut) };
    const app = await stage.newApp({ settings: { consentRequired: true, attributes } });
    const { session, page, browser, finish } = await stage.begin(app);
    const consent = await stage.server.signIn(browser, page, KIT);
    expect(consent.html).toContain('name="cancel"');
    const { url } = await browser.submit(consent, [['cancel', 'No']]);
    const answer = new URL(url).searchParams;
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('iss')).toBe(leavesOut ? null : stage.server.issuer);
    await finish(url);
    expect(await stage.redeem(app, session)).toMatchObject({ status: 'DENIED' });
  });
});

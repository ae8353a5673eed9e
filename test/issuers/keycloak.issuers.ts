import { describe, expect } from 'vitest';
import { ADA, KIT, NOOR } from './issuer-server.ts';
import { type Keycloak, startKeycloak } from './keycloak.ts';
import { describeOperators, describePeople, issuerTest } from './sign-ins.ts';
import type { Stage } from './stage.ts';

const test = issuerTest(() => startKeycloak(process.env.ISSUERS_KEYCLOAK ?? ''));

describePeople(test, 300);
describeOperators(test);

const mapper = (protocolMapper: string, config: Readonly<Record<string, string>>) => ({
  protocolMappers: [{ name: protocolMapper, protocol: 'openid-connect', protocolMapper, config }],
});

/** Signs Ada in at a client with these settings of Keycloak's. */
const signInWith = async (stage: Stage, settings: Readonly<Record<string, unknown>>) =>
  await stage.signIn(await stage.newApp({ settings }), ADA);

const RSA = ['RS256', 'RS384', 'RS512'];
const PSS = ['PS256', 'PS384', 'PS512'];
const CURVES = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const keycloakOf = ({ server }: Stage) => server as Keycloak;

describe('Keycloak’s id_token', () => {
  test('is taken when it is signed by any algorithm with public keys', async ({ stage }) => {
    const { addKeys } = keycloakOf(stage);
    for (const algorithm of [...RSA, ...PSS]) await addKeys('rsa-generated', { algorithm, keySize: '2048' });
    for (const curve of Object.values(CURVES)) await addKeys('ecdsa-generated', { ecdsaEllipticCurveKey: curve });
    await addKeys('eddsa-generated', { eddsaEllipticCurveKey: 'Ed25519' });
    for (const algorithm of [...RSA, ...PSS, ...Object.keys(CURVES), 'EdDSA']) {
      const { status, email } = await signInWith(stage, { attributes: { 'id.token.signed.response.alg': algorithm } });
      expect([algorithm, status, email]).toEqual([algorithm, 'COMPLETED', ADA.email]);
    }
  });

  test.for(['HS256', 'HS512'])('is refused when it is signed by %s, with a secret', async (algorithm, { stage }) => {
    expect(await signInWith(stage, { attributes: { 'id.token.signed.response.alg': algorithm } })).toMatchObject({
      status: 'FAILED',
      idpSub: null,
    });
  });

  test('is refused when it is encrypted', async ({ stage }) => {
    const attributes = { 'id.token.encrypted.response.alg': 'RSA-OAEP', 'id.token.encrypted.response.enc': 'A256GCM' };
    expect(await signInWith(stage, { attributes })).toMatchObject({ status: 'FAILED' });
  });

  test('is taken for another audience besides ours, and refused for another party', async ({ stage }) => {
    const audience = { 'included.custom.audience': 'somebody-else', 'id.token.claim': 'true' };
    expect(await signInWith(stage, mapper('oidc-audience-mapper', audience))).toMatchObject({ status: 'COMPLETED' });
    const claim = { 'claim.value': 'somebody-else', 'jsonType.label': 'String', 'id.token.claim': 'true' };
    for (const name of ['azp', 'aud']) {
      const result = await signInWith(stage, mapper('oidc-hardcoded-claim-mapper', { 'claim.name': name, ...claim }));
      expect([name, result.status]).toEqual([name, 'FAILED']);
    }
  });
});

describe('a person who refuses at Keycloak', () => {
  const refuse = async (stage: Stage, settings: Readonly<Record<string, unknown>>) => {
    const app = await stage.newApp({ settings: { consentRequired: true, ...settings } });
    const { session, page, browser, finish } = await stage.begin(app);
    const consent = await stage.server.signIn(browser, page, KIT);
    expect(consent.html).toContain('name="cancel"');
    const { url } = await browser.submit(consent, [['cancel', 'No']]);
    const answer = new URL(url).searchParams;
    expect(answer.get('error')).toBe('access_denied');
    await finish(url);
    return { result: await stage.redeem(app, session), named: answer.get('iss') };
  };

  test('is DENIED, and another person of the app is not', async ({ stage }) => {
    const { result, named } = await refuse(stage, {});
    expect([result.status, named]).toEqual(['DENIED', stage.server.issuer]);
    expect(await stage.signIn(await stage.newApp(), NOOR)).toMatchObject({ status: 'COMPLETED' });
  });

  test('is DENIED also if a client is set up to leave the issuer out, which is refused with a code', async ({
    stage,
  }) => {
    const settings = { attributes: { 'exclude.issuer.from.auth.response': 'true' } };
    const { result, named } = await refuse(stage, settings);
    expect([result.status, named]).toEqual(['DENIED', null]);
    const app = await stage.newApp({ settings });
    const { page, browser, finish, session } = await stage.begin(app);
    const { url } = await stage.server.signIn(browser, page, ADA);
    expect(new URL(url).searchParams.has('code')).toBe(true);
    expect(await finish(url)).toMatchObject({ status: 400, location: null });
    const { tenantKey } = app.scope;
    const { id, resultProof } = session;
    expect(await app.ask('redeemIdpIdentityResult', { id, tenantKey, resultProof })).toMatchObject({
      status: 'PENDING',
    });
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Service, type User, until, workTest } from '../kit/at-work.ts';
import { iso, MINUTE, outcomeOf } from '../kit/conformance.ts';
import { type Answer, refusalOf } from '../kit/graphql.ts';
import { takeNow } from './usual.ts';

const test = workTest();

const NOW = takeNow();
const TOKEN = /^[0-9a-f]{64}$/;
const ALL = ['email', 'profile'];
const NOTHING = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null, pictureUrl: null };

const somebody = ({ control }: Service, note: RegExp) => {
  const found = control.people().find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`There is nobody like ${note}.`);
  return found;
};

const redeem = (user: User, { id, resultProof }: Answer, changes: object = {}) =>
  user.ask('redeemIdpIdentityResult', { id, tenantKey: user.scope.tenantKey, resultProof, ...changes });
const outcome = (user: User, session: Answer, changes: object = {}) => outcomeOf(redeem(user, session, changes));

/** Reads the row's status, because a redeem would spend the proof. */
const stored = async ({ sql }: Service, { id }: Answer): Promise<string> =>
  (await sql`select status from identity_attempt where attempt_id = ${id}`)[0]?.status;

/** Signs a person in, without the redeem. */
async function signedIn(user: User, service: Service, note = /^E-mail address verified$/): Promise<Answer> {
  const session = await user.createSignIn();
  await user.agree(await user.open(session), somebody(service, note).sub, ALL);
  await until(async () => (await stored(service, session)) !== 'PENDING');
  return session;
}

/** For each status, how a sign-in reaches it. */
const WAYS: Readonly<Record<string, (user: User, service: Service) => Promise<Answer>>> = {
  COMPLETED: signedIn,
  DENIED: async (user) => {
    const session = await user.createSignIn();
    await user.deny(await user.open(session));
    return session;
  },
  FAILED: async (user, service) => {
    service.control.addFault({ provider: 'IDP', what: { kind: 'idp', lie: 'wrongNonce' }, times: null });
    return await signedIn(user, service);
  },
  EXPIRED: async (user, service) => {
    const session = await user.createSignIn();
    await user.open(session);
    await service.at(Date.parse(session.expiresAt));
    return session;
  },
};

describe('createIdpIdentitySession', () => {
  test('4 createIdpIdentitySession tenantKey: a tenant that is not registered is FORBIDDEN', async ({ user }) => {
    expect(await outcomeOf(user.createSignIn())).toBe('answered');
    expect(await outcomeOf(user.createSignIn({ tenantKey: 'nobody-registered-this' }))).toBe('FORBIDDEN');
  });

  test("4 createIdpIdentitySession returnUrl: only the app's identity return URL, none for connecting", async ({
    user,
  }) => {
    const { identityReturnUrl, returnUrl } = user.seeded;
    for (const url of [returnUrl, `${identityReturnUrl}/`, identityReturnUrl.toUpperCase(), '']) {
      expect(await outcomeOf(user.createSignIn({ returnUrl: url })), url).toBe('BAD_USER_INPUT');
    }
  });

  test('4 createIdpIdentitySession result + 4 endpoint launch + 8 sign-in deadlines: id, URL, token, proof and both deadlines', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const session = await user.createSignIn();
    expect(session).toEqual({
      id: expect.any(String),
      launchUrl: `${user.urls[0]}/api/identity/redeem`,
      launchToken: expect.stringMatching(TOKEN),
      resultProof: expect.stringMatching(TOKEN),
      expiresAt: iso(NOW + 10 * MINUTE),
      resultExpiresAt: iso(NOW + 20 * MINUTE),
    });
    expect(session.launchToken).not.toBe(session.resultProof);
  });

  test('8 unfinished sign-ins + 7 code RATE_LIMITED: an app has at most 20; every end frees one', async ({
    user,
    service,
  }) => {
    await service.operate(`addTenant(appId: "${user.appId}", tenantKey: "second")`);
    await service.at(NOW);
    const sessions: Answer[] = [];
    for (let n = 0; n < 20; n += 1) sessions.push(await user.createSignIn(n % 2 === 0 ? {} : { tenantKey: 'second' }));
    const full = async () => expect(await outcomeOf(user.createSignIn())).toBe('RATE_LIMITED');
    expect(await refusalOf(user.createSignIn())).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 600 });
    await user.deny(await user.open(sessions[0]));
    await user.createSignIn();
    await full();
    await user.agree(await user.open(sessions[2]), somebody(service, /^E-mail address verified$/).sub, ALL);
    await until(async () => (await stored(service, sessions[2])) === 'COMPLETED');
    await user.createSignIn();
    await full();
    await service.at(NOW + 10 * MINUTE - 1);
    expect(await refusalOf(user.createSignIn())).toMatchObject({ retryAfterSeconds: 1 });
    await service.at(NOW + 10 * MINUTE);
    expect(await outcomeOf(user.createSignIn())).toBe('answered');
  });
});

describe('redeemIdpIdentityResult', () => {
  test('3 sign-in pending: a redeem of an unfinished sign-in spends nothing, also after its launch', async ({
    user,
    service,
  }) => {
    const session = await user.createSignIn();
    const pending = { status: 'PENDING', ...NOTHING };
    for (let times = 0; times < 3; times += 1) expect(await redeem(user, session)).toEqual(pending);
    const consent = await user.open(session);
    expect(await redeem(user, session)).toEqual(pending);
    const { sub } = somebody(service, /^E-mail address verified$/);
    await user.agree(consent, sub, ALL);
    await until(async () => (await stored(service, session)) === 'COMPLETED');
    expect(await redeem(user, session)).toMatchObject({ status: 'COMPLETED', idpSub: sub });
  });

  for (const [status, come] of Object.entries(WAYS)) {
    test(`3 sign-in ended + 4 redeemIdpIdentityResult + D transitions: ${status} is answered once, then NOT_FOUND`, async ({
      user,
      service,
    }) => {
      const session = await come(user, service);
      expect((await user.launch('identity', session.launchToken)).status).toBeGreaterThanOrEqual(400);
      const told = await redeem(user, session);
      expect(told).toMatchObject(status === 'COMPLETED' ? { status } : { status, ...NOTHING });
      expect(await outcome(user, session)).toBe('NOT_FOUND');
      const [kept] = await service.sql`select sealed_claims from identity_attempt where attempt_id = ${session.id}`;
      expect(kept?.sealedClaims).toBeNull();
    });
  }

  test('2 field rule 15: a completed sign-in has issuer, person and shared claims', async ({ user, service }) => {
    for (const note of [/^E-mail address verified$/, /^E-mail address not verified$/, /^Gives no e-mail/]) {
      const { sub, claims } = somebody(service, note);
      const person = await service.newUser(user);
      expect(await redeem(person, await signedIn(person, service, note))).toEqual({
        status: 'COMPLETED',
        issuer: service.issuer,
        idpSub: sub,
        email: claims.email ?? null,
        emailVerified: claims.email_verified ?? null,
        name: claims.name ?? null,
        pictureUrl: claims.picture ?? null,
      });
    }
  });

  test('8 sign-in deadlines + 3 sign-in ended: PENDING until 10 minutes, EXPIRED until 20', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const [first, second, third] = [await user.createSignIn(), await user.createSignIn(), await user.createSignIn()];
    await service.at(NOW + 10 * MINUTE - 1);
    expect(await redeem(user, first)).toMatchObject({ status: 'PENDING' });
    await service.at(NOW + 10 * MINUTE);
    expect(await redeem(user, first)).toEqual({ status: 'EXPIRED', ...NOTHING });
    expect(await outcome(user, first)).toBe('NOT_FOUND');
    await service.at(NOW + 20 * MINUTE - 1);
    expect(await redeem(user, second)).toMatchObject({ status: 'EXPIRED' });
    await service.at(NOW + 20 * MINUTE);
    expect(await outcome(user, third)).toBe('NOT_FOUND');
  });

  test('8 sign-in deadlines: a completed sign-in can be redeemed until a millisecond before 20 minutes, before and after housekeeping', async ({
    user,
    service,
  }) => {
    const [early, late] = [await signedIn(user, service), await signedIn(user, service)];
    await service.at(Date.parse(early.resultExpiresAt) - 1);
    await service.sweep('attempts');
    expect(await outcome(user, early)).toBe('answered');
    await service.at(Date.parse(late.resultExpiresAt));
    expect(await outcome(user, late)).toBe('NOT_FOUND');
    await service.sweep('attempts');
    expect(await service.sql`select from identity_attempt where attempt_id = ${late.id}`).toHaveLength(0);
  });

  test('4 redeemIdpIdentityResult: id, tenant and proof must belong to one sign-in of this app; otherwise nothing is spent', async ({
    user,
    service,
  }) => {
    const [mine, other] = [await signedIn(user, service), await signedIn(user, service)];
    const stranger = await service.newUser();
    await service.operate(`addTenant(appId: "${user.appId}", tenantKey: "second")`);
    await service.operate(`addTenant(appId: "${stranger.appId}", tenantKey: "${user.scope.tenantKey}")`);
    const wrong = [
      { resultProof: other.resultProof },
      { resultProof: mine.launchToken },
      { resultProof: mine.resultProof.toUpperCase() },
      { resultProof: '' },
      { id: other.id },
      { id: 'no-id' },
      { id: randomUUID() },
      { tenantKey: 'second' },
      { tenantKey: 'nobody-registered-this' },
    ];
    const refusals = wrong.map((changes) => refusalOf(redeem(user, mine, changes)));
    refusals.push(refusalOf(redeem(stranger, mine, { tenantKey: user.scope.tenantKey })));
    const answers = (await Promise.all(refusals)).map(({ code, message }) => `${code} ${message}`);
    expect([...new Set(answers)]).toEqual([expect.stringMatching(/^NOT_FOUND /)]);
    const tenant = `appId: "${user.appId}", tenantKey: "${user.scope.tenantKey}"`;
    await service.operate(`removeTenant(${tenant}, connections: KEEP)`);
    expect(await outcome(user, mine)).toBe('NOT_FOUND');
    await service.operate(`addTenant(${tenant})`);
    expect(await redeem(user, mine)).toMatchObject({ status: 'COMPLETED' });
  });
});

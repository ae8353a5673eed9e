import { describe, expect, test } from 'vitest';
import type { FakeService } from './fake-service.ts';
import { NOOR, openSignedIn, openStudio, type Person, ROWAN, scopesOf, type Visitor } from './visitor.ts';

const pendingId = (service: FakeService) => service.lastIds.get('identity');

async function returned(visitor: Visitor, service: FakeService): Promise<void> {
  await visitor.post('/sign-in');
  await visitor.get(`/sign-in/return?ss_session_id=${pendingId(service)}`);
}

/** The `externalSubjectId` of the user who is signed in with this browser. */
async function subjectOf(visitor: Visitor, service: FakeService): Promise<unknown> {
  await visitor.begin();
  return scopesOf(service).at(-1)?.externalSubjectId;
}

describe('a sign-in', () => {
  test('redeems with the proof, which no browser receives', async () => {
    const { service, rowan } = await openSignedIn();
    await rowan.get('/');
    expect(service.callsOf('redeemIdpIdentityResult').map(({ args }) => args)).toEqual([
      { id: pendingId(service), tenantKey: 'studio', resultProof: service.proofs[0] },
    ]);
    expect(rowan.received).not.toContain(service.proofs[0]);
  });

  test('refuses an id from another browser and does not redeem it', async () => {
    const { service, visitor } = openStudio();
    const [attacker, victim] = [visitor(), visitor()];
    await attacker.post('/sign-in');
    const foreign = pendingId(service);
    await victim.post('/sign-in');
    expect((await victim.get(`/sign-in/return?ss_session_id=${foreign}`)).status).toBe(403);
    expect((await victim.get('/sign-in/finish')).status).toBe(403);
    expect(service.callsOf('redeemIdpIdentityResult')).toEqual([]);
  });

  test('gives the session a new id, and the old id is useless', async () => {
    const { service, visitor } = openStudio();
    const rowan = visitor();
    await returned(rowan, service);
    const before = rowan.cookie;
    service.answers.redeemIdpIdentityResult = () => ({ status: 'COMPLETED', ...ROWAN });
    await rowan.get('/sign-in/finish');
    expect(rowan.cookie).not.toBe(before);
    expect((await rowan.get('/')).text).toContain('Your accounts');
    const planted = visitor();
    planted.cookie = before;
    expect((await planted.get('/')).text).toContain('Sign in to begin');
  });
});

describe('a user', () => {
  async function subjects(...people: readonly Person[]): Promise<unknown[]> {
    const { service, visitor } = openStudio();
    const found: unknown[] = [];
    for (const person of people) {
      const browser = visitor();
      await browser.signIn(person);
      found.push(await subjectOf(browser, service));
    }
    return found;
  }

  test('is the same for the same issuer and subject, even with another name or e-mail address', async () => {
    const [first, second] = await subjects(
      { ...ROWAN, email: 'rowan@one.example' },
      { ...ROWAN, name: 'R. Vale', email: 'rowan@two.example' },
    );
    expect(second).toBe(first);
  });

  test('is a different one for another subject or issuer, even with the same e-mail address', async () => {
    const email = 'shared@one.example';
    const found = await subjects(
      { ...ROWAN, email },
      { ...NOOR, email },
      { ...ROWAN, issuer: 'https://other-idp.example', email },
    );
    expect(new Set(found).size).toBe(3);
  });
});

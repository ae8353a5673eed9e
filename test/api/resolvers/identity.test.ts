import { createHash } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { moveIdentityAttemptToEnd } from '../../../src/store/attempts/identity-attempts.ts';
import type { Database } from '../../../src/store/driver/sql.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { CONNECT_URL, callerOf, createDeps, refusalOf, type TestDeps } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { freezeClock, releaseClock, seedApp } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const CLAIMS = {
  issuer: 'https://idp.example',
  idpSub: 'sub-1',
  email: 'ada@example.org',
  emailVerified: true,
  name: 'Ada',
  pictureUrl: null,
};
const NOTHING = { issuer: null, idpSub: null, email: null, emailVerified: null, name: null, pictureUrl: null };

async function start(sql: Database) {
  const seeded = await seedApp(sql);
  const kit = await createDeps(sql);
  const call = callerOf(kit, seeded);
  const { tenantKey } = seeded;
  const create = (changes: object = {}) =>
    call('createIdpIdentitySession', { input: { tenantKey, returnUrl: seeded.identityReturnUrl, ...changes } });
  const redeem = (session: { id: string; resultProof: string }, changes: object = {}) =>
    call('redeemIdpIdentityResult', { id: session.id, tenantKey, resultProof: session.resultProof, ...changes });
  return { seeded, kit, call, create, redeem };
}

/** Ends a successful sign-in as the worker does. */
async function complete(sql: Database, { sealEdge }: TestDeps, attemptId: AttemptId): Promise<void> {
  const sealedClaims = await sealEdge(JSON.stringify(CLAIMS), associatedData.identityClaims(attemptId));
  await moveIdentityAttemptToEnd(sql, attemptId, { status: 'COMPLETED', sealedClaims });
}

describe('createIdpIdentitySession', () => {
  test('stores only hashes, and its dispatch', async ({ sql }) => {
    const { create, seeded, kit } = await start(sql);
    const session = await create();
    expect(session.launchUrl).toBe(`${CONNECT_URL}/api/identity/redeem`);
    expect(session.launchToken).toMatch(/^[0-9a-f]{64}$/);
    expect(session.resultProof).toMatch(/^[0-9a-f]{64}$/);
    expect(session.resultProof).not.toBe(session.launchToken);
    const [row] = await sql`select * from identity_attempt where attempt_id = ${session.id}`;
    const hash = (text: string) => createHash('sha256').update(text).digest();
    expect(row).toMatchObject({
      status: 'PENDING',
      issuerId: seeded.issuerId,
      launchTokenSha256: hash(session.launchToken),
      resultProofSha256: hash(session.resultProof),
    });
    expect(Date.parse(session.expiresAt) - row?.createdAt.getTime()).toBe(10 * 60_000);
    expect(Date.parse(session.resultExpiresAt) - row?.createdAt.getTime()).toBe(20 * 60_000);
    expect(await sql`select from outbox where workflow_id = ${`identity/${session.id}`}`).toHaveLength(1);
    expect(kit.deliveryRequests()).toBe(1);
  });

  test('requires the enabled flow, a registered tenant, and an exact return URL', async ({ sql }) => {
    const { create, call, seeded } = await start(sql);
    expect((await refusalOf(create({ tenantKey: 'unregistered' }))).code).toBe('FORBIDDEN');
    expect((await refusalOf(create({ tenantKey: '' }))).code).toBe('BAD_USER_INPUT');
    expect((await refusalOf(create({ returnUrl: `${seeded.identityReturnUrl}/` }))).code).toBe('BAD_USER_INPUT');
    expect((await call('integrationReadiness')).idpIdentityAvailable).toBe(true);
    await sql`update app_identity set enabled = false where app_id = ${seeded.app.appId}`;
    expect((await refusalOf(create())).code).toBe('CAPABILITY_UNAVAILABLE');
    await sql`delete from app_identity where app_id = ${seeded.app.appId}`;
    expect((await refusalOf(create())).code).toBe('CAPABILITY_UNAVAILABLE');
    expect((await call('integrationReadiness')).idpIdentityAvailable).toBe(false);
  });

  test('accepts exactly 20 of 50 simultaneous requests as unfinished', async ({ sql }) => {
    const { create } = await start(sql);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => create()));
    const passed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(passed).toHaveLength(20);
    const refusal = await refusalOf(create());
    expect(refusal.code).toBe('RATE_LIMITED');
    expect(refusal.retryAfterSeconds).toBeGreaterThan(580);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(600);
    await moveIdentityAttemptToEnd(sql, passed[0].id, { status: 'DENIED' });
    await expect(create()).resolves.toBeDefined();
  });
});

describe('redeemIdpIdentityResult', () => {
  test('leaves the proof valid while PENDING, and returns the claims once', async ({ sql }) => {
    const { create, redeem, kit } = await start(sql);
    const session = await create();
    for (let i = 0; i < 2; i += 1) expect(await redeem(session)).toEqual({ status: 'PENDING', ...NOTHING });
    await complete(sql, kit, session.id);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(session)));
    const passed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(passed).toEqual([{ status: 'COMPLETED', ...CLAIMS }]);
    expect((await refusalOf(redeem(session))).code).toBe('NOT_FOUND');
    const [row] = await sql`select sealed_claims from identity_attempt where attempt_id = ${session.id}`;
    expect(row?.sealedClaims).toBeNull();
  });

  test('invalidates the proof after every other outcome too', async ({ sql }) => {
    const { create, redeem } = await start(sql);
    for (const status of ['DENIED', 'FAILED'] as const) {
      const session = await create();
      await moveIdentityAttemptToEnd(sql, session.id, { status });
      expect(await redeem(session)).toEqual({ status, ...NOTHING });
      expect((await refusalOf(redeem(session))).code).toBe('NOT_FOUND');
    }
  });

  test('is EXPIRED from the deadline on, and NOT_FOUND once the result is deleted', async ({ sql }) => {
    const { create, redeem } = await start(sql);
    const createdAt = Date.parse('2030-05-01T12:00:00.000Z');
    const at = (minutes: number, ms = 0) => freezeClock(sql, new Date(createdAt + minutes * 60_000 + ms));
    await at(0);
    const [session, late, lost] = [await create(), await create(), await create()];
    await at(10, -1);
    expect(await redeem(session)).toMatchObject({ status: 'PENDING' });
    await at(10);
    expect(await redeem(session)).toEqual({ status: 'EXPIRED', ...NOTHING });
    expect((await refusalOf(redeem(session))).code).toBe('NOT_FOUND');
    await at(20, -1);
    expect(await redeem(late)).toMatchObject({ status: 'EXPIRED' });
    await at(20);
    expect((await refusalOf(redeem(lost))).code).toBe('NOT_FOUND');
  });

  test('answers alike for a wrong proof, tenant, id or app, and leaves the proof valid', async ({ sql }) => {
    const { create, redeem, kit, seeded } = await start(sql);
    const session = await create();
    await complete(sql, kit, session.id);
    const stranger = await seedApp(sql);
    await sql`insert into tenant (app_id, tenant_key) values (${stranger.app.appId}, ${seeded.tenantKey})`;
    await sql`insert into tenant (app_id, tenant_key) values (${seeded.app.appId}, 'another')`;
    const { id, resultProof } = session;
    const refusals = await Promise.all(
      [
        redeem(session, { resultProof: session.launchToken }),
        redeem(session, { resultProof: '' }),
        redeem(session, { tenantKey: 'another' }),
        redeem(session, { tenantKey: 'unregistered' }),
        redeem(session, { id: 'nonsense' }),
        redeem(session, { id: '11111111-2222-4333-8444-555555555555' }),
        callerOf(kit, stranger)('redeemIdpIdentityResult', { id, tenantKey: seeded.tenantKey, resultProof }),
      ].map(refusalOf),
    );
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'NOT_FOUND'));
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    await sql`delete from tenant where app_id = ${seeded.app.appId} and tenant_key = ${seeded.tenantKey}`;
    expect((await refusalOf(redeem(session))).code).toBe('NOT_FOUND');
    await sql`insert into tenant (app_id, tenant_key) values (${seeded.app.appId}, ${seeded.tenantKey})`;
    expect(await redeem(session)).toMatchObject({ status: 'COMPLETED' });
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type GrantId, newId } from '../../src/basics/ids.ts';
import { type Attempt, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { attachGrant } from '../../src/store/connections/attach-grant.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import {
  findGrant,
  findGrantOfConnection,
  type Grant,
  insertGrant,
  updateGrantAccount,
} from '../../src/store/grants/grants.ts';
import {
  findDependents,
  hasExchangeInFlight,
  hasNewerConsent,
  lockPrincipal,
  lockPrincipalWithin,
} from '../../src/store/grants/principals.ts';
import { beside } from '../kit/beside.ts';
import { businessNow } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const LONG_MS = 60_000;
const PROFILE = { displayName: 'Harbour', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null };

async function connect(sql: Database, seeded: SeededApp, principalMac: Buffer): Promise<ConnectionId> {
  return await seedConnection(sql, seeded, { scope: seeded.newScope(), principalMac });
}
const grantOf = async (sql: Database, connectionId: ConnectionId): Promise<Grant> =>
  (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('The connection has no grant.');

/** Exchanges the code of an attempt for a grant. */
async function exchange(sql: Database, attempt: Attempt, principalMacs: readonly Buffer[] = []): Promise<Grant> {
  const grantId = newId<GrantId>();
  await insertGrant(asWorker(sql), {
    ...{ grantId, attemptId: attempt.attemptId, scopeId: attempt.scopeId, registrationId: attempt.registrationId },
    ...{ provider: attempt.provider, principalMacs, permissions: ['read'], sealedTokens: 'sealed' },
    accessExpiresAt: null,
    refreshExpiresAt: null,
  });
  const account = { providerAccountId: `account-of-${grantId}`, accountMacs: [], profile: PROFILE };
  await updateGrantAccount(asWorker(sql), grantId, account);
  return (await findGrant(sql, grantId)) ?? expect.fail('The grant was not stored.');
}

describe('the lock of a principal', () => {
  /** Whether a transaction that locks a principal waits for one that disconnects. */
  const waits = async (sql: Database, first: (tx: Transaction) => Promise<void>, principalMac: Buffer | null) => {
    const lock = () => inTransaction(asWorker(sql), (tx) => lockPrincipal(tx, principalMac));
    return (await beside(sql, first, lock)).waited;
  };

  test('is that of the live grant of a connection, and of no other', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [mac, otherMac, endedMac] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const [own, ended] = [await connect(sql, seeded, mac), await connect(sql, seeded, endedMac)];
    await connect(sql, seeded, otherMac);
    const { grantId } = await grantOf(sql, ended);
    await inTransaction(sql, (tx) => moveGrantToDead(tx, grantId));
    const disconnect = (connectionId: ConnectionId) => (tx: Transaction) =>
      lockPrincipalWithin(tx, connectionId, LONG_MS);
    expect(await waits(sql, disconnect(own), mac)).toBe(true);
    expect(await waits(sql, disconnect(own), otherMac)).toBe(false);
    expect(await waits(sql, disconnect(own), null)).toBe(false);
    expect(await waits(sql, disconnect(ended), endedMac)).toBe(false);
  });

  test('is waited for only so long, and limits no later wait', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const principalMac = randomBytes(32);
    const connectionId = await connect(sql, seeded, principalMac);
    const disconnect = (ms: number) => () =>
      inTransaction(asWorker(sql), async (tx) => {
        const [before] = await tx`select current_setting('lock_timeout') as limit`;
        await lockPrincipalWithin(tx, connectionId, ms);
        const [after] = await tx`select current_setting('lock_timeout') as limit`;
        return after?.limit === before?.limit;
      });
    const lock = (tx: Transaction) => lockPrincipal(tx, principalMac);
    expect(await beside(sql, lock, disconnect(LONG_MS))).toMatchObject({ waited: true, result: true });
    await inTransaction(sql, async (tx) => {
      await lock(tx);
      expect(await disconnect(1)()).toBe(true);
      await inTransaction(asWorker(sql), async (other) => {
        await other`set local lock_timeout = 0`; // The wait has its own limit.
        await lockPrincipalWithin(other, connectionId, 1);
      });
    });
  });
});

test('a consent is newer if the connection is in use by one that began later', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const use = async (ms: number) => {
    const attempt = await at(sql, now, ms, () => seedAttempt(sql, seeded, {}, answerAttempt));
    const grant = await exchange(sql, attempt);
    const connectionId = newId<ConnectionId>();
    await inTransaction(asWorker(sql), (tx) =>
      attachGrant(tx, { attempt, grant, connectionId, capabilities: ['PROFILE'], isNew: true }),
    );
    return { attempt, grant, connectionId };
  };
  const [own] = [await use(1), await use(2)];
  const asked = await seedAttempt(sql, seeded);
  const isNewerThan = (ms: number, { attemptId } = asked) => {
    const createdAt = new Date(now.getTime() + ms);
    return hasNewerConsent(asWorker(sql), own.connectionId, { attemptId, createdAt });
  };
  expect([await isNewerThan(0), await isNewerThan(1)]).toEqual([true, false]);
  expect(await isNewerThan(0, own.attempt)).toBe(false); // Its own.
  await inTransaction(sql, (tx) => moveGrantToDead(tx, own.grant.grantId));
  expect(await isNewerThan(0)).toBe(false);
});

test('a grant has a dependent while another of its principal is in use, or will be', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const principalMac = randomBytes(32);
  const own = await grantOf(sql, await connect(sql, seeded, principalMac));
  await connect(sql, seeded, randomBytes(32));
  const find = ({ grantId, principalMac: mac }: Pick<Grant, 'grantId' | 'principalMac'> = own) => {
    const [accountMacs, reached] = [sql`'{}'::bytea[]`, [seeded.registrations.PROVIDER_B]];
    return findDependents(asWorker(sql), { grantId, principalMac: mac, accountMacs, reached, bulkDisconnectId: null });
  };
  const hasSibling = async (grant?: Grant) => (await find(grant)).sharing;
  expect(await find()).toEqual({ sharing: false, doubtful: false });
  // Of an unknown principal, any grant in use that the revoke reaches may be one.
  expect(await find({ grantId: own.grantId, principalMac: null })).toEqual({ sharing: false, doubtful: true });
  const pending = await exchange(sql, await seedAttempt(sql, seeded, {}, answerAttempt), [principalMac]);
  expect([await hasSibling(), await hasSibling(pending)]).toEqual([true, true]);
  await inTransaction(sql, (tx) => moveGrantToRevoking(tx, pending.grantId, PERMIT));
  expect([await hasSibling(), await hasSibling(pending)]).toEqual([false, true]);
  await inTransaction(sql, (tx) => moveGrantToDead(tx, own.grantId));
  expect(await hasSibling(pending)).toBe(false);
});

test('an exchange stays in flight after the end of its attempt, unless the attempt has failed', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  /** Claims an exchange just before the attempt expires, and ends the attempt when it does, or just before. */
  const claim = async (end: 'FAILED' | 'CANCELED' | 'EXPIRED' | null) => {
    const attempt = await at(sql, now, 0, () => seedAttempt(sql, seeded, {}, answerAttempt));
    const { attemptId, scopeId, expiresAt } = attempt;
    const hasClaimed = await at(sql, expiresAt, -1, () => connectAttempts.claimExchange(asWorker(sql), attemptId));
    expect(hasClaimed).toBe(true);
    if (end !== null) {
      const resultCode = end === 'FAILED' ? 'EXCHANGE_FAILED' : end;
      await at(sql, expiresAt, end === 'EXPIRED' ? 0 : -1, () =>
        inTransaction(sql, (tx) => moveAttemptToEnd(tx, attemptId, { status: end, resultCode })),
      );
    }
    expect((await connectAttempts.find(sql, attemptId))?.status).toBe(end ?? 'EXCHANGING');
    return await at(sql, expiresAt, 1, () => hasExchangeInFlight(asWorker(sql), scopeId, 'PROVIDER_B'));
  };
  expect([await claim(null), await claim('CANCELED'), await claim('EXPIRED')]).toEqual([true, true, true]);
  expect(await claim('FAILED')).toBe(false);
});

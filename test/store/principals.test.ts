import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, type GrantId, newId } from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { attachGrant } from '../../src/store/connections/attach-grant.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import {
  findGrant,
  findGrantOfConnection,
  type Grant,
  insertGrant,
  updateGrantAccount,
} from '../../src/store/grants/grants.ts';
import { findDependents, hasNewerConsent } from '../../src/store/grants/principals.ts';
import { businessNow } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

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

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { JobId } from '../../src/basics/ids.ts';
import { connectAttempts, moveAttemptToEnd, updateCreatorAction } from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { listAdminGrants } from '../../src/store/grants/admin-grants.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrant, findGrantOfConnection, type Grant } from '../../src/store/grants/grants.ts';
import {
  claimKeptRefresh,
  discardKeptTokens,
  findKeptTokens,
  keepTokens,
  unclaimKeptRefresh,
  updateKeptTokens,
} from '../../src/store/grants/kept-tokens.ts';
import { hasExchangeInFlight } from '../../src/store/grants/principals.ts';
import {
  claimRefresh,
  doubtTokens,
  unclaimRefresh,
  updateRefreshClaim,
  updateTokens,
} from '../../src/store/grants/refresh-claims.ts';
import { findDisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

const FRESH = { sealedTokens: 'fresh', permissions: ['read'], accessExpiresAt: null, refreshExpiresAt: null };
const LOST_MS = 90 * SECOND_MS;

async function openGrant(sql: Database, seeded?: Awaited<ReturnType<typeof seedApp>>): Promise<Grant> {
  const of = seeded ?? (await seedApp(sql));
  const connectionId = await seedConnection(sql, of, { scope: of.newScope() });
  return (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('The connection has no grant.');
}
const read = async (sql: Database, { grantId }: Pick<Grant, 'grantId'>) =>
  (await findGrant(sql, grantId)) ?? expect.fail('The grant is gone.');

describe('the refresh of a grant', () => {
  test('is claimed once, and again by another after 90 seconds', async ({ sql }) => {
    const [grant, other] = [await openGrant(sql), await openGrant(sql)];
    const now = await businessNow(sql);
    const claim = (ms: number, by: string, generation = 1, { grantId } = grant) =>
      at(sql, now, ms, () => claimRefresh(asWorker(sql), grantId, generation, by));
    const [first, second] = [randomUUID(), randomUUID()];
    expect((await read(sql, grant)).refreshLost).toBe(false);
    expect([await claim(0, first, 2), await claim(0, first)]).toEqual([false, true]);
    expect(await claim(LOST_MS - 1, second)).toBe(false);
    expect((await at(sql, now, LOST_MS - 1, () => read(sql, grant))).refreshLost).toBe(false);
    expect((await at(sql, now, LOST_MS, () => read(sql, grant))).refreshLost).toBe(true);
    expect((await at(sql, now, LOST_MS, () => read(sql, other))).refreshLost).toBe(false);
    expect(await claim(LOST_MS, second)).toBe(true);
    expect(await claim(LOST_MS + 1, second)).toBe(true); // Its own, as the next try of a revoke.
    expect(await claim(LOST_MS + 1, first)).toBe(false);
    expect((await read(sql, other)).refreshClaim).toBeNull();
  });

  test('ends with the new tokens', async ({ sql }) => {
    const [grant, other] = [await openGrant(sql), await openGrant(sql)];
    const claim = randomUUID();
    for (const { grantId } of [grant, other]) await claimRefresh(asWorker(sql), grantId, 1, claim);
    expect(await updateTokens(asWorker(sql), grant.grantId, randomUUID(), FRESH)).toBe(false);
    expect(await updateTokens(asWorker(sql), grant.grantId, claim, FRESH)).toBe(true);
    expect(await updateTokens(asWorker(sql), grant.grantId, claim, FRESH)).toBe(false);
    const { sealedTokens, generation, refreshClaim, refreshLost } = await read(sql, grant);
    expect({ sealedTokens, generation, refreshClaim, refreshLost }).toEqual({
      sealedTokens: 'fresh',
      generation: 2,
      refreshClaim: null,
      refreshLost: false,
    });
    expect(await listAdminGrants(asApi(sql), grant.connectionId as never)).toMatchObject([
      { refreshCount: 1, refreshClaimedAt: null },
    ]);
    expect(await read(sql, other)).toMatchObject({ generation: 1, refreshClaim: claim });
  });

  test('that ends after the grant stores no tokens', async ({ sql }) => {
    const grant = await openGrant(sql);
    const claim = randomUUID();
    await claimRefresh(asWorker(sql), grant.grantId, 1, claim);
    await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId, { inDoubt: true }));
    expect(await updateTokens(asWorker(sql), grant.grantId, claim, FRESH)).toBe(false);
    expect(await read(sql, grant)).toMatchObject({ status: 'DEAD', sealedTokens: null, refreshClaim: claim });
    expect(await claimRefresh(asWorker(sql), grant.grantId, 1, claim)).toBe(false);
  });

  test('gives its claim back, or to another one, of that grant', async ({ sql }) => {
    const [grant, other] = [await openGrant(sql), await openGrant(sql)];
    const [claim, next] = [randomUUID(), randomUUID()];
    for (const { grantId } of [grant, other]) await claimRefresh(asWorker(sql), grantId, 1, claim);
    expect(await updateRefreshClaim(asWorker(sql), grant.grantId, next, claim)).toBe(false);
    expect(await updateRefreshClaim(asWorker(sql), grant.grantId, claim, next)).toBe(true);
    await unclaimRefresh(asWorker(sql), grant.grantId, claim);
    expect(await read(sql, grant)).toMatchObject({ refreshClaim: next });
    await unclaimRefresh(asWorker(sql), grant.grantId, next, { inDoubt: true });
    expect(await read(sql, grant)).toMatchObject({ refreshClaim: next, refreshLost: true });
    await unclaimRefresh(asWorker(sql), grant.grantId, next);
    expect(await read(sql, grant)).toMatchObject({ refreshClaim: null, refreshLost: false });
    expect(await read(sql, other)).toMatchObject({ refreshClaim: claim, refreshLost: false });
    await doubtTokens(asWorker(sql), [grant.grantId, other.grantId]);
    expect(await read(sql, grant)).toMatchObject({ refreshClaim: expect.any(String), refreshLost: true });
    expect(await read(sql, other)).toMatchObject({ refreshClaim: claim, refreshLost: false });
  });
});

describe('kept tokens', () => {
  /** A job that keeps the tokens of a grant. */
  async function openKept(sql: Database): Promise<JobId> {
    const seeded = await seedApp(sql);
    const grant = await openGrant(sql, seeded);
    const { grantId, scopeId, connectionId } = grant;
    const jobId = await seedDisconnectJob(sql, seeded, { grantId, scopeId, connectionId });
    await keepTokens(asWorker(sql), jobId, 'kept', grant);
    return jobId;
  }
  const stateOf = async (sql: Database, jobId: JobId) => {
    const [row] = await sql`
      select sealed_tokens, refresh_claim, refresh_claimed_at from disconnect_job where job_id = ${jobId}
    `;
    return row;
  };
  const QUIET = { refreshClaim: null, refreshClaimedAt: null };

  test('are refreshed by one call at a time; one without an answer loses its claim after 90 seconds', async ({
    sql,
  }) => {
    const [jobId, other] = [await openKept(sql), await openKept(sql)];
    const now = await businessNow(sql);
    const claim = (ms: number, by: string) => at(sql, now, ms, () => claimKeptRefresh(asWorker(sql), jobId, by));
    const [first, second] = [randomUUID(), randomUUID()];
    expect(await claim(0, first)).toBe(true);
    expect(await claim(LOST_MS - 1, second)).toBe(false);
    const isLost = (ms: number) => at(sql, now, ms, async () => (await findDisconnectJob(sql, jobId))?.refreshLost);
    expect([await isLost(LOST_MS - 1), await isLost(LOST_MS)]).toEqual([false, true]);
    expect(await claim(LOST_MS, second)).toBe(true);
    await updateKeptTokens(asWorker(sql), jobId, first, 'late');
    expect(await findKeptTokens(asWorker(sql), jobId)).toBe('kept');
    await updateKeptTokens(asWorker(sql), jobId, second, 'fresh');
    expect(await stateOf(sql, jobId)).toEqual({ sealedTokens: 'fresh', ...QUIET });
    expect(await claim(LOST_MS, first)).toBe(true);
    await unclaimKeptRefresh(asWorker(sql), jobId, second);
    expect(await stateOf(sql, jobId)).toMatchObject({ refreshClaim: first });
    await unclaimKeptRefresh(asWorker(sql), jobId, first);
    expect(await stateOf(sql, jobId)).toEqual({ sealedTokens: 'fresh', ...QUIET });
    expect(await stateOf(sql, other)).toEqual({ sealedTokens: 'kept', ...QUIET });
  });

  test('are discarded once, and can then not be refreshed', async ({ sql }) => {
    const [jobId, other] = [await openKept(sql), await openKept(sql)];
    await claimKeptRefresh(asWorker(sql), jobId, randomUUID());
    expect(await discardKeptTokens(asWorker(sql), jobId)).toBe(true);
    expect(await stateOf(sql, jobId)).toEqual({ sealedTokens: null, ...QUIET });
    expect(await discardKeptTokens(asWorker(sql), jobId)).toBe(false);
    expect(await claimKeptRefresh(asWorker(sql), jobId, randomUUID())).toBe(false);
    expect(await findKeptTokens(asWorker(sql), other)).toBe('kept');
  });
});

test('an exchange is in flight from its claim until 90 seconds later, unless its result was shown', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const { attemptId, scopeId } = await seedAttempt(sql, seeded, {}, answerAttempt);
  const other = await seedAttempt(sql, seeded, { scopeId, provider: 'PROVIDER_A' }, answerAttempt);
  const now = await businessNow(sql);
  const isInFlight = (ms: number) => at(sql, now, ms, () => hasExchangeInFlight(asWorker(sql), scopeId, 'PROVIDER_B'));
  await connectAttempts.claimExchange(sql, other.attemptId);
  expect(await isInFlight(0)).toBe(false);
  await at(sql, now, 0, () => connectAttempts.claimExchange(sql, attemptId));
  expect([await isInFlight(LOST_MS - 1), await isInFlight(LOST_MS)]).toEqual([true, false]);
  const end = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
  await inTransaction(sql, (tx) => moveAttemptToEnd(tx, attemptId, end));
  expect(await isInFlight(1)).toBe(true);
  await inTransaction(sql, (tx) => updateCreatorAction(tx, attemptId));
  expect(await isInFlight(1)).toBe(false);
});

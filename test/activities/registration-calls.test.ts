import { describe, expect } from 'vitest';
import { newId, type RegistrationId } from '../../src/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { findConnection } from '../../src/store/connections.ts';
import type { Database } from '../../src/store/sql.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { newTokens } from './fake-provider.ts';
import { failureOf as anyFailureOf, openStage as openAnyStage, type Stage } from './stage.ts';

/** Good for longer than these tests move the clock. */
const goodTokens = () => newTokens({ accessExpiresAt: new Date(Date.now() + 10 * DAY_MS) });

async function openStage(sql: Database): Promise<Stage> {
  const stage = await openAnyStage(sql);
  stage.provider.refresh.mockImplementation(async () => goodTokens());
  return stage;
}

const failureOf = async (activity: Promise<unknown>) =>
  (await anyFailureOf(activity)) as { type: string; retryAfterSeconds: number | null };

const rejected = () => new ProviderError('ClientRejected', 'No.');
const spent = (retryAfterSeconds?: number) =>
  new ProviderError('QuotaSpent', 'None left.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

async function registration({ sql, seeded }: Stage) {
  const id = seeded.registrations.PROVIDER_B;
  const [row] = await sql`
    select rejected_at, rejected_call, extract(epoch from quota_spent_until - business_now())::float8 as quota_seconds
    from registration where registration_id = ${id}
  `;
  if (!row) throw new Error('There is no such registration.');
  return row;
}

/** A scan of a connection of its own, tried once. */
async function scanOnce(stage: Stage, requestedBy: 'CALLER' | 'SERVICE' = 'CALLER') {
  const { connectionId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'], tokens: goodTokens() });
  const { jobId } = await stage.newScan(connectionId, { requestedBy });
  return { connectionId, jobId, tried: runActivity(stage.activities.scanStep, { jobId }) };
}

/** A connection whose token has lapsed, so that any use begins with a refresh. */
async function useLapsed(stage: Stage) {
  const { connectionId } = await stage.newConnection({ tokens: newTokens({ accessExpiresAt: new Date() }) });
  return runActivity(stage.activities.tendGrant, { connectionId });
}

describe('a quota that is used up', () => {
  test('is known to every job of its registration: none of them calls the provider before it resets', async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    stage.provider.listContent.mockRejectedValueOnce(spent(3 * 3_600));
    const first = await scanOnce(stage);
    expect(await failureOf(first.tried)).toMatchObject({ type: 'QuotaSpent', retryAfterSeconds: 3 * 3_600 });
    expect((await registration(stage)).quotaSeconds).toBeGreaterThan(3 * 3_600 - 60);

    await moveClock(sql, HOUR_MS);
    const second = await failureOf((await scanOnce(stage)).tried);
    expect(second).toMatchObject({ type: 'QuotaSpent' });
    expect(second.retryAfterSeconds).toBeGreaterThan(2 * 3_600 - 60);
    expect(second.retryAfterSeconds).toBeLessThanOrEqual(2 * 3_600);
    expect(stage.provider.listContent).toHaveBeenCalledOnce();

    await moveClock(sql, 2 * HOUR_MS);
    await (await scanOnce(stage)).tried;
    expect(stage.provider.listContent).toHaveBeenCalledTimes(2);
  });

  test('is another registration’s own affair', async ({ database: { sql } }) => {
    const stage = await openStage(sql);
    stage.provider.listContent.mockRejectedValueOnce(spent(3_600));
    await failureOf((await scanOnce(stage)).tried);
    const other = newId<RegistrationId>();
    await sql`
      insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
      values (${other}, 'PROVIDER_B', 'Another', 'another', 'sealed')
    `;
    await sql`insert into registration_app (registration_id, app_id) values (${other}, ${stage.seeded.app.appId})`;
    const { connectionId, grantId } = await stage.newConnection({
      capabilities: ['CONTENT_LIST'],
      tokens: goodTokens(),
    });
    await sql`update connection set registration_id = ${other} where connection_id = ${connectionId}`;
    await sql`update account_grant set registration_id = ${other} where grant_id = ${grantId}`;
    const { jobId } = await stage.newScan(connectionId);
    await runActivity(stage.activities.scanStep, { jobId });
    expect(stage.provider.listContent).toHaveBeenCalledTimes(2);
  });

  test('keeps no grant from being refreshed, and none from being revoked', async ({ database: { sql } }) => {
    const stage = await openStage(sql);
    stage.provider.listContent.mockRejectedValueOnce(spent(3_600));
    await failureOf((await scanOnce(stage)).tried);
    expect(await failureOf(useLapsed(stage))).toMatchObject({ type: 'QuotaSpent' });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
    expect(stage.provider.readAccount).not.toHaveBeenCalled();

    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    await runActivity(stage.activities.revoke, { jobId: revokeJobId });
    expect(await stage.job('release_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('fails what a caller waits for, and parks our own with the true time of its next try', async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    stage.provider.listContent.mockRejectedValueOnce(spent(5 * 3_600));
    await failureOf((await scanOnce(stage)).tried);
    const setbacks: Record<string, Awaited<ReturnType<Stage['job']>>> = {};
    for (const requestedBy of ['CALLER', 'SERVICE'] as const) {
      const { jobId, connectionId, tried } = await scanOnce(stage, requestedBy);
      const { type, retryAfterSeconds } = await failureOf(tried);
      await stage.activities.noteReadSetback({ jobId, setback: { type, retryAfterSeconds } });
      const connection = await findConnection(sql, connectionId);
      setbacks[requestedBy] = { ...(await stage.job('read_job', jobId)), shown: connection?.nextRetryAt };
    }
    expect(setbacks.CALLER).toMatchObject({ status: 'FAILED', errorCode: 'PROVIDER_RATE_LIMITED', shown: null });
    const [row] = await sql`
      select quota_spent_until from registration where registration_id = ${stage.seeded.registrations.PROVIDER_B}
    `;
    expect(setbacks.SERVICE).toMatchObject({ status: 'RUNNING', lastFailure: 'PROVIDER_RATE_LIMITED' });
    const nextTry: Date = setbacks.SERVICE?.nextRetryAt;
    expect(Math.abs(nextTry.getTime() - row?.quotaSpentUntil.getTime())).toBeLessThan(5_000);
    expect(setbacks.SERVICE?.shown).toEqual(nextTry);
  });
});

describe('a client the provider refuses', () => {
  test('is called again once every five minutes only, and as ever once it has been taken', async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    stage.provider.refresh.mockRejectedValueOnce(rejected()).mockRejectedValueOnce(rejected());
    expect(await failureOf(useLapsed(stage))).toMatchObject({ type: 'ClientRejected' });
    expect(await registration(stage)).toMatchObject({ rejectedAt: expect.any(Date), rejectedCall: 'CLIENT' });

    const held = await failureOf(useLapsed(stage));
    expect(held).toMatchObject({ type: 'RetryLater', outcomeUnknown: false });
    expect(held.retryAfterSeconds).toBeGreaterThan(200);
    expect(stage.provider.refresh).toHaveBeenCalledOnce();

    await moveClock(sql, 5 * MINUTE_MS);
    const probes = await Promise.all([1, 2, 3, 4].map(async () => await failureOf(useLapsed(stage))));
    expect(probes.map(({ type }) => type).toSorted()).toEqual([
      'ClientRejected',
      'RetryLater',
      'RetryLater',
      'RetryLater',
    ]);
    expect(stage.provider.refresh).toHaveBeenCalledTimes(2);

    await moveClock(sql, 5 * MINUTE_MS);
    await useLapsed(stage);
    expect(await registration(stage)).toMatchObject({ rejectedAt: null, rejectedCall: null });
    await useLapsed(stage);
    expect(stage.provider.refresh).toHaveBeenCalledTimes(4);
  });

  test('costs no connection its grant, and alerts once', async ({ database: { sql } }) => {
    const stage = await openStage(sql);
    stage.provider.refresh.mockRejectedValue(rejected());
    const { connectionId, grantId } = await stage.newConnection({
      tokens: newTokens({ accessExpiresAt: new Date() }),
    });
    for (let tries = 0; tries < 3; tries += 1) {
      await failureOf(runActivity(stage.activities.tendGrant, { connectionId }));
      await moveClock(sql, 6 * MINUTE_MS);
    }
    expect(stage.provider.refresh).toHaveBeenCalledTimes(3);
    expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', refreshClaim: null });
    expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
    expect(stage.deps.lines.filter((line) => line.includes('refuses our client'))).toHaveLength(1);
  });

  test('may still be read with tokens that live, unless it is reading that is refused', async ({
    database: { sql },
  }) => {
    const stage = await openStage(sql);
    stage.provider.refresh.mockRejectedValueOnce(rejected());
    await failureOf(useLapsed(stage));
    await (await scanOnce(stage)).tried;
    expect(stage.provider.listContent).toHaveBeenCalledOnce();
    expect(await registration(stage)).toMatchObject({ rejectedCall: 'CLIENT' });

    const other = await openStage(sql);
    other.provider.listContent.mockRejectedValueOnce(rejected());
    expect(await failureOf((await scanOnce(other)).tried)).toMatchObject({ type: 'ClientRejected' });
    expect(await registration(other)).toMatchObject({ rejectedCall: 'READ' });
    expect(await failureOf((await scanOnce(other)).tried)).toMatchObject({ type: 'RetryLater' });
    expect(other.provider.listContent).toHaveBeenCalledOnce();
  });

  test('lets go all the same', async ({ database: { sql } }) => {
    const stage = await openStage(sql);
    stage.provider.refresh.mockRejectedValueOnce(rejected());
    await failureOf(useLapsed(stage));
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    await runActivity(stage.activities.revoke, { jobId: revokeJobId });
    expect(await stage.job('release_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED' });
    // A revoke may need no proof of who we are, so it proves nothing of our client either.
    expect(await registration(stage)).toMatchObject({ rejectedCall: 'CLIENT' });
  });
});

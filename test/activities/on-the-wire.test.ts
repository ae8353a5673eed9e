import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { connectAttempts } from '../../src/store/attempts/attempts.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { insertLookup, insertMetricsJob } from '../../src/store/jobs/new-reads.ts';
import { failureOf, useGrant } from '../kit/activity-stage.ts';
import { DAY_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { proves } from '../kit/proofs.ts';
import { open, plainAccount, signal, test } from '../kit/wire-stage.ts';

for (const provider of PROVIDER_NAMES) {
  test(`${provider}: connects, scans, looks up a post, refreshes metrics and disconnects`, async ({
    sql,
    sandbox,
    http,
  }) => {
    const { stage, connect, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, provider);
    const { connection } = await connect(provider, account);
    const { connectionId } = connection;
    expect(connection).toMatchObject({ status: 'CONNECTED', profile: { displayName: expect.any(String) } });
    expect(live(account)).toHaveLength(1);

    const now = new Date();
    const window = { publishedAfter: new Date(now.getTime() - 20 * DAY_MS), publishedBefore: now };
    await sql`update read_job set status = 'CANCELED', finished_at = business_now() where connection_id = ${connectionId}`;
    const { jobId } = await stage.newScan(connectionId, { window });
    await sql`update read_job set provider = ${provider} where job_id = ${jobId}`;
    while (!(await runActivity(stage.activities.runScanStep, { jobId })).done);
    expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED' });
    const there = sandbox.control
      .posts(account)
      .filter(
        ({ publishedAt, isPublic }) =>
          isPublic && publishedAt !== null && publishedAt >= window.publishedAfter.getTime(),
      );
    const stored = await sql`select * from content_item where connection_id = ${connectionId}`;
    expect(new Set(stored.map((row) => row.providerContentId))).toEqual(new Set(there.map(({ id }) => id)));

    const [first] = stored;
    const job = {
      connectionId,
      appId: stage.seeded.app.appId,
      provider,
      requestedBy: 'CALLER',
      correlationId: newId<CorrelationId>(),
    } as const;
    const metrics = await insertMetricsJob(sql, { ...job, providerContentId: first?.providerContentId });
    expect(await runActivity(stage.activities.runMetricsStep, { jobId: metrics.jobId })).toEqual({ done: true });
    const url = first?.canonicalUrl;
    const lookup = await insertLookup(sql, { ...job, url, urlSha256: createHash('sha256').update(url).digest() });
    while (!(await runActivity(stage.activities.runLookupStep, { jobId: lookup.jobId })).done);
    expect(await stage.job('read_job', lookup.jobId)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: first?.providerContentId,
    });

    const { revokeJobId } = await stage.disconnect(connection);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    const canRevoke = provider !== 'PROVIDER_C';
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({
      status: 'SUCCEEDED',
      creatorAction: canRevoke ? null : 'REMOVE_APP_AT_PROVIDER',
    });
    expect(live(account)).toHaveLength(canRevoke ? 0 : 1);
    const violations = sandbox.control.calls().flatMap((call) => call.violations);
    expect(violations).toEqual([]);
  });
}

describe('PROVIDER_B, with single-use refresh tokens', () => {
  test('receives one refresh for 50 users of an expired grant', async ({ sql, sandbox, http }) => {
    proves('50 users of one expired token over two workers: one refresh');
    const { stage, connect, expireToken, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { grant } = await connect('PROVIDER_B', account);
    await expireToken(grant.grantId);
    sandbox.control.clearCalls();
    const used = await Promise.all(
      Array.from({ length: 50 }, () =>
        useGrant(stage.deps, grant.grantId, signal, ({ accessToken, permissions }, call) =>
          stage.provider.readAccount({ accessToken, permissions }, call),
        ),
      ),
    );
    expect(new Set(used.map(({ providerAccountId }) => providerAccountId))).toEqual(new Set([account]));
    expect(sandbox.control.calls({ provider: 'PROVIDER_B', route: 'token' })).toHaveLength(1);
    expect(live(account)).toHaveLength(1);
  });

  test('may have accepted a refresh with a lost answer: the person is asked to reconnect', async ({
    sql,
    sandbox,
    http,
  }) => {
    proves('A lost answer to a refresh');
    const { stage, connect, expireToken } = await open(sql, sandbox, http);
    const { grant, connection } = await connect('PROVIDER_B', plainAccount(sandbox, 'PROVIDER_B'));
    await expireToken(grant.grantId);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
    const use = () => useGrant(stage.deps, grant.grantId, signal, async () => 'ok');
    await expect(use()).rejects.toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('CONNECTED');
    await moveClock(sql, 91 * SECOND_MS);
    await expect(use()).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });

  test('may have accepted a code with a lost answer: the attempt fails and asks to remove the app', async ({
    sql,
    sandbox,
    http,
  }) => {
    const { stage, agree, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { attemptId } = await agree('PROVIDER_B', account);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
    expect(await failureOf(runActivity(stage.activities.exchangeCode, { attemptId }))).toMatchObject({
      type: 'RetryLater',
      outcomeUnknown: true,
    });
    const end = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;
    await runActivity(stage.activities.endAttempt, { attemptId, end });
    expect(await connectAttempts.find(sql, attemptId)).toMatchObject({
      ...end,
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
    expect(await findGrantOfAttempt(sql, attemptId)).toBeUndefined();
    expect(live(account)).toHaveLength(1);
  });

  test('is revoked with a stale access token after a refresh', async ({ sql, sandbox, http }) => {
    proves('Revoke with the right token');
    const { stage, connect, expireToken, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { grant, connection } = await connect('PROVIDER_B', account);
    sandbox.control.expireTokens(account, 'access');
    await expireToken(grant.grantId);
    const { revokeJobId } = await stage.disconnect(connection);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(live(account)).toHaveLength(0);
  });

  test('reports a grant that the person removed: the connection asks for a reconnect', async ({
    sql,
    sandbox,
    http,
  }) => {
    proves('The person has removed the app');
    const { stage, connect } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { connection } = await connect('PROVIDER_B', account);
    sandbox.control.removeApp(account, { notify: false });
    const { connectionId } = connection;
    await sql`update read_job set status = 'CANCELED', finished_at = business_now() where connection_id = ${connectionId}`;
    const { jobId } = await stage.newScan(connectionId);
    expect(await failureOf(runActivity(stage.activities.runScanStep, { jobId }))).toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });
});

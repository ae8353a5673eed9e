import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { describe, expect } from 'vitest';
import { withTokens } from '../../src/activities/tokens.ts';
import { type CorrelationId, newId } from '../../src/ids.ts';
import { createProviders } from '../../src/providers/adapters.ts';
import { providerFacts } from '../../src/providers/catalog.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/providers/provider.ts';
import { KNOWN_CLIENTS } from '../../src/sandbox/clients.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { findAttempt } from '../../src/store/attempts.ts';
import { findConnection } from '../../src/store/connections.ts';
import { findGrantOfAttempt, findGrantOfConnection } from '../../src/store/grants.ts';
import { insertLookup, insertMetricsJob } from '../../src/store/read-jobs.ts';
import type { Database } from '../../src/store/sql.ts';
import { allow, Browser } from '../kit/browser.ts';
import { DAY_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { configFor } from '../providers/far-side.ts';
import { failureOf, openStageWith } from './stage.ts';

const CALLBACKS = 'http://localhost:4000/';
const signal = AbortSignal.timeout(60_000);
setMaxListeners(0, signal); // Fifty users of it at once are meant.

/** The real adapters, and the platforms' wire formats on the far side. */
const test = postgresTest.extend<{ sandbox: Sandbox; http: Http }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ port: 0 });
    await use(sandbox);
    await sandbox.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  http: async ({}, use) => {
    const http = createHttp({ production: false, userAgent: 'activity-tests/1' });
    await use(http);
    await http.close();
  },
});

async function open(sql: Database, sandbox: Sandbox, http: Http) {
  const config = configFor(sandbox.url);
  const facts = providerFacts(config);
  const stage = await openStageWith(sql, createProviders(config, http), { clients: KNOWN_CLIENTS });

  /** A person who allows everything; the callback has just been accepted. */
  async function agree(provider: ProviderName, account: string) {
    const { slug, pkce, permissionsFor, authorizeUrl } = facts[provider];
    const codeVerifier = pkce === null ? null : randomBytes(32).toString('base64url');
    const permissions = permissionsFor(CAPABILITIES);
    const url = authorizeUrl({
      clientId: KNOWN_CLIENTS[provider].clientId,
      redirectUri: `${CALLBACKS}api/connect/callback/${slug}`,
      permissions,
      state: randomUUID(),
      codeChallenge:
        codeVerifier &&
        createHash('sha256')
          .update(codeVerifier)
          .digest(pkce ?? 'hex'),
    });
    const browser = new Browser(CALLBACKS);
    const back = await browser.submit(await browser.open(url), allow(account, permissions));
    const answer = facts[provider].readCallback(new URL(back.url).searchParams);
    if (answer.kind !== 'code') throw new Error(`The consent led to ${back.url}.`);
    return await stage.newAttempt({ provider, capabilities: CAPABILITIES, code: answer.code, codeVerifier });
  }

  async function connect(provider: ProviderName, account: string) {
    const attempt = await agree(provider, account);
    const { attemptId } = attempt;
    await runActivity(stage.activities.exchangeCode, { attemptId });
    await runActivity(stage.activities.readAccount, { attemptId });
    expect(await runActivity(stage.activities.completeAttempt, { attemptId })).toMatchObject({ status: 'COMPLETED' });
    const connectionId = (await findAttempt(sql, attemptId))?.connectionId;
    const connection = connectionId && (await findConnection(sql, connectionId));
    const grant = connection && (await findGrantOfConnection(sql, connection.connectionId));
    if (!grant) throw new Error('There is no connection with a grant.');
    return { connection, grant, attempt };
  }
  // By the clock of this process, which is the adapters' too.
  const lapse = (grantId: string) =>
    sql`update account_grant set access_expires_at = now() where grant_id = ${grantId}`;
  const live = (account: string) =>
    sandbox.control.grants().filter((grant) => grant.accountId === account && grant.endedAt === null);
  return { stage, agree, connect, lapse, live };
}

/** An account that has posts and no peculiarities. */
const plainAccount = (sandbox: Sandbox, provider: ProviderName) => {
  const account = sandbox.control
    .accounts(provider)
    .find(({ id, traits }) => traits.length === 0 && sandbox.control.posts(id).length > 0);
  if (!account) throw new Error('There is no such account.');
  return account.id;
};

for (const provider of PROVIDER_NAMES) {
  test(`${provider}: an account is connected, scanned, looked up in, measured and let go`, async ({
    database: { sql },
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
    while (!(await runActivity(stage.activities.scanStep, { jobId })).done);
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
    expect(await runActivity(stage.activities.metricsStep, { jobId: metrics.jobId })).toEqual({ done: true });
    const url = first?.canonicalUrl;
    const lookup = await insertLookup(sql, { ...job, url, urlSha256: createHash('sha256').update(url).digest() });
    while (!(await runActivity(stage.activities.lookupStep, { jobId: lookup.jobId })).done);
    expect(await stage.job('read_job', lookup.jobId)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: first?.providerContentId,
    });

    const { revokeJobId } = await stage.disconnect(connection);
    await runActivity(stage.activities.revoke, { jobId: revokeJobId });
    const canRevoke = provider !== 'PROVIDER_C';
    expect(await stage.job('release_job', revokeJobId)).toMatchObject({
      status: 'SUCCEEDED',
      creatorAction: canRevoke ? null : 'REMOVE_APP_AT_PROVIDER',
    });
    expect(live(account)).toHaveLength(canRevoke ? 0 : 1);
    const violations = sandbox.control.calls().flatMap((call) => call.violations);
    expect(violations).toEqual([]);
  });
}

describe('PROVIDER_B, whose refresh tokens work once', () => {
  test('sees one refresh for 50 users of a lapsed grant', async ({ database: { sql }, sandbox, http }) => {
    const { stage, connect, lapse, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { grant } = await connect('PROVIDER_B', account);
    await lapse(grant.grantId);
    sandbox.control.clearCalls();
    const used = await Promise.all(
      Array.from({ length: 50 }, () =>
        withTokens(stage.deps, grant.grantId, signal, ({ accessToken, permissions }) =>
          stage.provider.readAccount({ accessToken, permissions }, { signal }),
        ),
      ),
    );
    expect(new Set(used.map(({ providerAccountId }) => providerAccountId))).toEqual(new Set([account]));
    expect(sandbox.control.calls({ provider: 'PROVIDER_B', route: 'token' })).toHaveLength(1);
    expect(live(account)).toHaveLength(1);
  });

  test('may have taken a refresh whose answer was lost: the person is asked to reconnect, nobody is misled', async ({
    database: { sql },
    sandbox,
    http,
  }) => {
    const { stage, connect, lapse } = await open(sql, sandbox, http);
    const { grant, connection } = await connect('PROVIDER_B', plainAccount(sandbox, 'PROVIDER_B'));
    await lapse(grant.grantId);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
    const use = () => withTokens(stage.deps, grant.grantId, signal, async () => 'ok');
    await expect(use()).rejects.toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('CONNECTED');
    await moveClock(sql, 91 * SECOND_MS);
    await expect(use()).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });

  test('may have taken a code whose answer was lost: the attempt fails and the person is asked to remove the app', async ({
    database: { sql },
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
    expect(await findAttempt(sql, attemptId)).toMatchObject({ ...end, creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    expect(await findGrantOfAttempt(sql, attemptId)).toBeUndefined();
    expect(live(account)).toHaveLength(1);
  });

  test('is revoked also with an access token gone stale: by way of a refresh', async ({
    database: { sql },
    sandbox,
    http,
  }) => {
    const { stage, connect, lapse, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { grant, connection } = await connect('PROVIDER_B', account);
    sandbox.control.expireTokens(account, 'access');
    await lapse(grant.grantId);
    const { revokeJobId } = await stage.disconnect(connection);
    await runActivity(stage.activities.revoke, { jobId: revokeJobId });
    expect(await stage.job('release_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(live(account)).toHaveLength(0);
  });

  test('says a grant has ended that the person has removed: the connection asks for a reconnect', async ({
    database: { sql },
    sandbox,
    http,
  }) => {
    const { stage, connect } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { connection } = await connect('PROVIDER_B', account);
    sandbox.control.removeApp(account, { notify: false });
    await sql`update read_job set status = 'CANCELED', finished_at = business_now()`;
    const { jobId } = await stage.newScan(connection.connectionId);
    expect(await failureOf(runActivity(stage.activities.scanStep, { jobId }))).toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });
});

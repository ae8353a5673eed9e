import { setMaxListeners } from 'node:events';
import { expect } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import type { ConnectionId, GrantId, ScopeId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { createHttp, type Http } from '../../src/providers/http.ts';
import { openStageWith, type Stage } from '../kit/activity-stage.ts';
import { DAY_MS } from '../kit/clock.ts';
import { consentTo } from '../kit/consent.ts';
import { runActivity } from '../kit/deps.ts';
import { configFor } from '../kit/fake-platform.ts';
import { PERMIT } from '../kit/permit.ts';
import { type Database, test as postgresTest } from '../kit/postgres.ts';

const CALLBACKS = 'http://localhost:4000/';
export const signal = new AbortController().signal;
setMaxListeners(0, signal); // Fifty concurrent users are intended.

/** The real adapters against the sandbox, which has the platforms' wire formats. */
export const test = postgresTest.extend<{ sandbox: Sandbox; http: Http }>({
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ port: 0 });
    await use(sandbox);
    await sandbox.close();
  },
  http: async ({}, use) => {
    const http = createHttp({ production: false, userAgent: 'activity-tests/1' });
    await use(http);
    await http.close();
  },
});

export async function open(
  sql: Database,
  sandbox: Sandbox,
  http: Http,
  options: Pick<Parameters<typeof openStageWith>[2] & object, 'callsPerSecond'> = {},
) {
  const config = configFor(sandbox.url);
  const facts = createCatalog(config);
  const stage = await openStageWith(
    sql,
    createAdapters(config, http, () => new Date()),
    { ...options, clients: KNOWN_CLIENTS },
  );

  const redirectUriOf = (provider: ProviderName) => `${CALLBACKS}api/connect/callback/${facts[provider].slug}`;

  /** Full consent of a person to a client. */
  const consent = (provider: ProviderName, account: string, { clientId } = KNOWN_CLIENTS[provider]) =>
    consentTo(
      facts[provider],
      { clientId, redirectUri: redirectUriOf(provider), permissions: facts[provider].permissionsFor(CAPABILITIES) },
      { account },
    );

  /** An attempt with full consent and a callback that was just accepted. */
  const agree = async (provider: ProviderName, account: string) =>
    await stage.newAttempt({ provider, capabilities: CAPABILITIES, ...(await consent(provider, account)) });

  /** The tokens that another system with this client gets by a person's consent. */
  async function connectElsewhere(provider: ProviderName, account: string, client = KNOWN_CLIENTS[provider]) {
    const { code, codeVerifier } = await consent(provider, account, client);
    const input = {
      code: new Secret(code),
      codeVerifier: codeVerifier === null ? null : new Secret(codeVerifier),
      redirectUri: redirectUriOf(provider),
    };
    const { clientId, clientSecret } = client;
    const call = { signal, admit: async () => PERMIT };
    const { tokens } = await stage.deps.providers[provider].exchangeCode(
      { clientId, clientSecret: new Secret(clientSecret) },
      input,
      call,
    );
    return tokens;
  }

  async function connect(provider: ProviderName, account: string) {
    const attempt = await agree(provider, account);
    const { attemptId } = attempt;
    await runActivity(stage.activities.exchangeCode, { attemptId });
    await runActivity(stage.activities.readAccount, { attemptId });
    expect(await runActivity(stage.activities.completeAttempt, { attemptId })).toMatchObject({ status: 'COMPLETED' });
    const [row] = await sql`
      select connection_id, scope_id, grant_id from account_grant join connection using (connection_id, scope_id)
      where connection_id = (select connection_id from connect_attempt where attempt_id = ${attemptId})
    `;
    if (!row) throw new Error('There is no connection with a grant.');
    return row as { connectionId: ConnectionId; scopeId: ScopeId; grantId: GrantId };
  }
  // The adapters use the clock of this process, too.
  const expireToken = (grantId: string) =>
    sql`update account_grant set access_expires_at = now() where grant_id = ${grantId}`;
  const live = (account: string) =>
    sandbox.control.grants().filter((grant) => grant.accountId === account && grant.endedAt === null);
  return { stage, agree, connect, connectElsewhere, expireToken, live };
}

export const accountOf = (sandbox: Sandbox, provider: ProviderName, number = 0) =>
  sandbox.control.accounts(provider)[number]?.id ?? expect.fail('There is no such account.');

/** Scans up to 100 posts. Earlier scans are marked as ended. @returns the scan's row */
export async function scan(
  { sql, activities, newScan, job }: Pick<Stage, 'sql' | 'newScan' | 'activities' | 'job'>,
  connectionId: ConnectionId,
  provider: ProviderName,
) {
  await sql`update read_job set status = 'CANCELED', finished_at = business_now()
    where status in ('QUEUED', 'RUNNING') and connection_id = ${connectionId}`;
  const now = Date.now();
  const window = { publishedAfter: new Date(now - 80 * DAY_MS), publishedBefore: new Date(now) };
  const { jobId } = await newScan(connectionId, { window, maxItems: 100 });
  await sql`update read_job set provider = ${provider} where job_id = ${jobId}`;
  while (!(await runActivity(activities.runScanStep, { jobId })).done);
  return await job('read_job', jobId);
}

/** An ordinary account with posts. */
export const plainAccount = (sandbox: Sandbox, provider: ProviderName) => {
  const account = sandbox.control
    .accounts(provider)
    .find(({ id, traits }) => traits.length === 0 && sandbox.control.posts(id).length > 0);
  if (!account) throw new Error('There is no such account.');
  return account.id;
};

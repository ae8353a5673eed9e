import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { failureOf } from '../kit/activity-stage.ts';
import { allow, Browser } from '../kit/browser.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { configFor } from '../kit/fake-platform.ts';
import { open, plainAccount, test } from './wire-stage.ts';

const CALLBACKS = 'http://localhost:4000/';
const VERIFIER = 'v'.repeat(64);

type Opened = Awaited<ReturnType<typeof open>>;

/** The person edits the authorize URL, consents, and returns with a code. */
async function consent(
  sandboxUrl: string,
  provider: ProviderName,
  account: string,
  edit: (url: URL) => void,
  clientId = KNOWN_CLIENTS[provider].clientId,
) {
  const facts = createCatalog(configFor(sandboxUrl))[provider];
  const permissions = facts.permissionsFor(CAPABILITIES);
  const url = new URL(
    facts.buildAuthorizationRequest({
      clientId,
      redirectUri: `${CALLBACKS}api/connect/callback/${facts.slug}`,
      permissions,
      state: randomUUID(),
      codeChallenge: facts.pkce === null ? null : createHash('sha256').update(VERIFIER).digest(facts.pkce),
    }),
  );
  edit(url);
  const browser = new Browser(CALLBACKS);
  const back = await browser.submit(await browser.open(url.href), allow(account, permissions));
  const answer = facts.readAuthorizationResponse(new URL(back.url).searchParams);
  if (answer.kind !== 'code') throw new Error(`The consent led to ${back.url}.`);
  return answer.code;
}

async function expectOnlyTheAttemptFails(
  { stage, connect }: Opened,
  provider: ProviderName,
  code: string,
  account: string,
  verifier = VERIFIER,
) {
  const codeVerifier = provider === 'PROVIDER_C' ? null : verifier;
  const { attemptId, registrationId } = await stage.newAttempt({
    provider,
    capabilities: CAPABILITIES,
    code,
    codeVerifier,
  });
  await failureOf(runActivity(stage.activities.exchangeCode, { attemptId }));
  const end = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;
  expect(await runActivity(stage.activities.endAttempt, { attemptId, end })).toEqual(end);
  const [row] = await stage.sql`select rejected_at from registration where registration_id = ${registrationId}`;
  expect(row).toEqual({ rejectedAt: null });
  await connect(provider, account);
}

test('an edited code_challenge in PROVIDER_B’s authorize URL fails that attempt only', async ({
  sql,
  sandbox,
  http,
}) => {
  const opened = await open(sql, sandbox, http);
  const account = plainAccount(sandbox, 'PROVIDER_B');
  const code = await consent(sandbox.url, 'PROVIDER_B', account, (url) =>
    url.searchParams.set('code_challenge', createHash('sha256').update('another').digest('base64url')),
  );
  await expectOnlyTheAttemptFails(opened, 'PROVIDER_B', code, account);
});

for (const provider of ['PROVIDER_A', 'PROVIDER_B'] as const) {
  test(`a code of another person at ${provider}, stolen and injected into an attempt of one’s own, fails`, async ({
    sql,
    sandbox,
    http,
  }) => {
    const opened = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, provider);
    const code = await consent(sandbox.url, provider, account, () => undefined);
    await expectOnlyTheAttemptFails(opened, provider, code, account, 'w'.repeat(64));
  });
}

test('a stolen code of PROVIDER_C, which has no PKCE, is accepted once in another attempt, as docs/security.md documents', async ({
  sql,
  sandbox,
  http,
}) => {
  const opened = await open(sql, sandbox, http);
  const account = plainAccount(sandbox, 'PROVIDER_C');
  const code = await consent(sandbox.url, 'PROVIDER_C', account, () => undefined);
  const { stage } = opened;
  const attempt = { provider: 'PROVIDER_C', capabilities: CAPABILITIES, code, codeVerifier: null } as const;
  const { attemptId } = await stage.newAttempt(attempt);
  await runActivity(stage.activities.exchangeCode, { attemptId });
  // The person whose code it was comes too late.
  await expectOnlyTheAttemptFails(opened, 'PROVIDER_C', code, account);
});

for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const) {
  test(`an edited redirect_uri in ${provider}’s authorize URL fails that attempt only`, async ({
    sql,
    sandbox,
    http,
  }) => {
    const opened = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, provider);
    const code = await consent(sandbox.url, provider, account, (url) =>
      url.searchParams.set('redirect_uri', `${url.searchParams.get('redirect_uri')}-of-mine`),
    );
    await expectOnlyTheAttemptFails(opened, provider, code, account);
  });

  test(`an injected code of another client at ${provider} fails that attempt only`, async ({ sql, sandbox, http }) => {
    const opened = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, provider);
    const clientId = 'a-client-of-mine';
    sandbox.control.registerClient({ provider, clientId, clientSecret: 'mine' });
    const code = await consent(sandbox.url, provider, account, () => undefined, clientId);
    await expectOnlyTheAttemptFails(opened, provider, code, account);
  });

  test(`a refusal of our client by ${provider} is proven by a probe, and ends after an accepted one`, async ({
    sql,
    sandbox,
    http,
  }) => {
    const opened = await open(sql, sandbox, http);
    const { stage, agree, connect } = opened;
    const account = plainAccount(sandbox, provider);
    const { clientId } = KNOWN_CLIENTS[provider];
    const { attemptId, registrationId } = await agree(provider, account);
    sandbox.control.registerClient({ provider, clientId, isRefused: true });
    expect(await failureOf(runActivity(stage.activities.exchangeCode, { attemptId }))).toMatchObject({
      type: 'ClientRejected',
    });
    const rejected = () =>
      sql`select from registration where registration_id = ${registrationId} and rejected_at is not null`;
    expect(await rejected()).toHaveLength(1);
    sandbox.control.registerClient({ provider, clientId, isRefused: false });
    await moveClock(sql, MINUTE_MS);
    await runActivity(stage.activities.probeRegistration, { registrationId });
    expect(await rejected()).toHaveLength(0);
    await connect(provider, account);
    expect(sandbox.control.calls().flatMap((call) => call.violations)).toEqual([]);
  });
}

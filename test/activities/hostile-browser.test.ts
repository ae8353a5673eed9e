import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { failureOf } from '../kit/activity-stage.ts';
import { allow, Browser } from '../kit/browser.ts';
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

const EVERYWHERE = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
const FOREIGN_CLIENT = 'a-client-of-mine';
/** What a person edits in the authorize URL, whose client they ask for, and with which verifier the code is exchanged. */
const ATTACKS: readonly {
  title: string;
  at: readonly ProviderName[];
  edit?: (url: URL) => void;
  clientId?: string;
  verifier?: string;
}[] = [
  {
    title: 'an edited code_challenge in the authorize URL',
    at: ['PROVIDER_B'],
    edit: ({ searchParams }) =>
      searchParams.set('code_challenge', createHash('sha256').update('another').digest('base64url')),
  },
  {
    title: 'a code of another person, stolen and injected into an attempt of one’s own',
    at: ['PROVIDER_A', 'PROVIDER_B'],
    verifier: 'w'.repeat(64),
  },
  {
    title: 'an edited redirect_uri in the authorize URL',
    at: EVERYWHERE,
    edit: ({ searchParams }) => searchParams.set('redirect_uri', `${searchParams.get('redirect_uri')}-of-mine`),
  },
  { title: 'an injected code of another client', at: EVERYWHERE, clientId: FOREIGN_CLIENT },
];

for (const { title, at, edit = () => undefined, clientId, verifier } of ATTACKS) {
  test.for(at)(`${title} fails that attempt only, at %s`, async (provider, { sql, sandbox, http }) => {
    const opened = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, provider);
    if (clientId) sandbox.control.registerClient({ provider, clientId, clientSecret: 'mine' });
    const code = await consent(sandbox.url, provider, account, edit, clientId);
    await expectOnlyTheAttemptFails(opened, provider, code, account, verifier);
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

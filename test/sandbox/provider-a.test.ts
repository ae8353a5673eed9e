import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { allow, Browser, postForm } from '../kit/browser.ts';
import { test, violations } from './kit.ts';

const REDIRECT = 'http://127.0.0.1:1/api/connect/callback/a';
const READ_CHANNEL = 'https://www.googleapis.com/auth/youtube.readonly';
const SCOPES = ['openid', READ_CHANNEL];
const CLIENT = { client_id: 'sandbox-client-a', client_secret: 'sandbox-secret-a' };

const account = (sandbox: Sandbox, note: RegExp) => {
  const found = sandbox.control.accounts('PROVIDER_A').find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`No account like ${note}`);
  return found;
};

async function connect(sandbox: Sandbox, accountId: string, client = CLIENT) {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    client_id: client.client_id,
    response_type: 'code',
    scope: SCOPES.join(' '),
    redirect_uri: REDIRECT,
    state: 'state-1',
    access_type: 'offline',
    prompt: 'consent select_account',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const browser = new Browser(REDIRECT);
  const page = await browser.open(`${sandbox.url}/a/accounts/o/oauth2/v2/auth?${new URLSearchParams(query)}`);
  const { searchParams } = new URL((await browser.submit(page, allow(accountId, SCOPES))).url);
  const { body } = await postForm(`${sandbox.url}/a/oauth2/token`, {
    ...client,
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
  return { refresh: String(body.refresh_token) };
}

const refresh = (sandbox: Sandbox, token: string, client = CLIENT) =>
  postForm(`${sandbox.url}/a/oauth2/token`, { ...client, grant_type: 'refresh_token', refresh_token: token });
const revoke = (sandbox: Sandbox, token: string) => postForm(`${sandbox.url}/a/oauth2/revoke`, { token });

/** `test/providers` and Google’s own client show the rest. */
describe('PROVIDER_A in the sandbox', () => {
  test('revokes every channel of the Google account, for every client of the project and no other', async ({
    sandbox,
  }) => {
    const sibling = { client_id: 'sibling', client_secret: 'x' };
    const stranger = { client_id: 'stranger', client_secret: 'x' };
    const client = { provider: 'PROVIDER_A', clientSecret: 'x' } as const;
    sandbox.control.registerClient({ ...client, clientId: sibling.client_id });
    sandbox.control.registerClient({ ...client, clientId: stranger.client_id, project: 'another-project' });
    const [one, other] = [account(sandbox, /Brand channel 1/).id, account(sandbox, /Brand channel 2/).id];
    const revoked = await connect(sandbox, one);
    const ofSibling = await connect(sandbox, other, sibling);
    const ofStranger = await connect(sandbox, one, stranger);
    const ofSomeoneElse = await connect(sandbox, account(sandbox, /250 posts/).id);
    await revoke(sandbox, revoked.refresh);
    expect((await refresh(sandbox, ofSibling.refresh, sibling)).body.error).toBe('invalid_grant');
    expect((await refresh(sandbox, ofStranger.refresh, stranger)).status).toBe(200);
    expect((await refresh(sandbox, ofSomeoneElse.refresh)).status).toBe(200);
  });

  test('takes the scopes of the grant with a refresh, as Google’s client for Python sends them, and no others', async ({
    sandbox,
  }) => {
    const { refresh: token } = await connect(sandbox, account(sandbox, /250 posts/).id);
    const withScope = (scope: string) =>
      postForm(`${sandbox.url}/a/oauth2/token`, {
        ...CLIENT,
        grant_type: 'refresh_token',
        refresh_token: token,
        scope,
      });
    expect((await withScope(SCOPES.join(' '))).status).toBe(200);
    expect(await withScope('https://www.googleapis.com/auth/youtube')).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    expect(violations(sandbox)).toEqual([]);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { allow, Browser, postForm } from '../kit/browser.ts';
import { test, violations } from './kit.ts';

const REDIRECT = 'http://127.0.0.1:1/api/connect/callback/b';
const SCOPES = ['user.info.basic', 'user.info.profile', 'video.list'];
const CLIENT = { client_key: 'sandbox-client-b', client_secret: 'sandbox-secret-b' };

const accountNamed = (sandbox: Sandbox, note: RegExp): string => {
  const account = sandbox.control.accounts('PROVIDER_B').find((one) => note.test(one.note));
  if (account === undefined) throw new Error(`No account like ${note}`);
  return account.id;
};

/** Connects an account. */
async function tokens(sandbox: Sandbox, account: string) {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${sandbox.url}/b/www/v2/auth/authorize/`);
  url.search = new URLSearchParams({
    client_key: CLIENT.client_key,
    response_type: 'code',
    scope: SCOPES.join(','),
    redirect_uri: REDIRECT,
    state: 'state-1',
    disable_auto_auth: '1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const browser = new Browser(REDIRECT);
  const back = await browser.submit(await browser.open(url.href), allow(account, SCOPES));
  const { body } = await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, {
    ...CLIENT,
    grant_type: 'authorization_code',
    code: new URL(back.url).searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

const listVideos = (sandbox: Sandbox, query: string, token: string, json: object) =>
  fetch(`${sandbox.url}/b/open/v2/video/list/${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });

/** `test/providers` shows the rest, through the adapter. */
describe('PROVIDER_B in the sandbox', () => {
  test('records requests that the real platform does not support', async ({ sandbox }) => {
    const { access } = await tokens(sandbox, accountNamed(sandbox, /No posts/));
    await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, {
      ...CLIENT,
      client_id: 'x',
      grant_type: 'refresh_token',
      refresh_token: 'y',
    });
    await listVideos(sandbox, '', access, { max_count: 20 });
    await listVideos(sandbox, '?fields=id', access, { max_count: 21 });
    await fetch(`${sandbox.url}/b/open/v2/user/info?fields=open_id`, {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(violations(sandbox)).toEqual([
      'token: unknown form field client_id',
      'videoList: missing query parameter fields',
      'videoList: max_count is not 1 to 20, or cursor not a time in milliseconds',
      'unknown: no such path, or not with this method',
    ]);
  });
});

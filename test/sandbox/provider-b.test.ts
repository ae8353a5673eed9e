import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, vi } from 'vitest';
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

const refresh = (sandbox: Sandbox, token: string) =>
  postForm(`${sandbox.url}/b/open/v2/oauth/token/`, { ...CLIENT, grant_type: 'refresh_token', refresh_token: token });

/** `test/providers` shows the rest, through the adapter. */
describe('PROVIDER_B in the sandbox', () => {
  test('rotates also if the answer is lost', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /No posts/);
    const first = await tokens(sandbox, account);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', account, what: { kind: 'answerLost' } });
    await expect(refresh(sandbox, first.refresh)).rejects.toThrow();
    expect((await refresh(sandbox, first.refresh)).body.error).toBe('invalid_grant');
  });

  test('returns a denial to the client, and refuses a wrong redirect', async ({ sandbox }) => {
    const query = {
      client_key: CLIENT.client_key,
      response_type: 'code',
      scope: 'user.info.basic',
      redirect_uri: REDIRECT,
      state: 's',
    };
    sandbox.control.changeSettings({ b: { pkce: 'none' } });
    const browser = new Browser(REDIRECT);
    const authorize = `${sandbox.url}/b/www/v2/auth/authorize/?`;
    const page = await browser.open(authorize + new URLSearchParams(query));
    const denied = await browser.submit(page, [['decision', 'deny']]);
    expect(new URL(denied.url).searchParams.get('error')).toBe('access_denied');
    const elsewhere = { ...query, redirect_uri: 'https://attacker.example/api/connect/callback/b' };
    expect((await browser.open(authorize + new URLSearchParams(elsewhere))).status).toBe(400);
    expect(violations(sandbox)).toEqual(['authorize: redirect_uri is not registered']);
  });

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

  test('signs authorization.removed, also after our own revoke', async ({ sandbox }) => {
    const received: { signature: string; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      received.push({ signature: String(request.headers['tiktok-signature']), body });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const webhookUrl = `http://127.0.0.1:${port}/webhook`;
    sandbox.control.registerClient({ provider: 'PROVIDER_B', clientId: CLIENT.client_key, webhookUrl });

    const account = accountNamed(sandbox, /No posts/);
    const { access } = await tokens(sandbox, account);
    await postForm(`${sandbox.url}/b/open/v2/oauth/revoke/`, { ...CLIENT, token: access });
    await vi.waitFor(() => expect(received).toHaveLength(1));
    await tokens(sandbox, account);
    sandbox.control.removeApp(account);
    await vi.waitFor(() => expect(received).toHaveLength(2));
    server.close();

    const reasons = received.map(({ signature, body }) => {
      const [, t = '', s = ''] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(signature) ?? [];
      expect(createHmac('sha256', CLIENT.client_secret).update(`${t}.${body}`).digest('hex')).toBe(s);
      const event = JSON.parse(body);
      expect(event).toMatchObject({ event: 'authorization.removed', user_openid: account });
      return JSON.parse(event.content).reason;
    });
    expect(reasons).toEqual([5, 1]);
  });
});

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
const VIDEO_FIELDS = 'id,create_time,title,share_url,view_count,like_count,comment_count,share_count';

const accountNamed = (sandbox: Sandbox, note: RegExp): string => {
  const account = sandbox.control.accounts('PROVIDER_B').find((one) => note.test(one.note));
  if (account === undefined) throw new Error(`No account like ${note}`);
  return account.id;
};

async function connect(sandbox: Sandbox, account: string, permissions = SCOPES) {
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
  const back = await browser.submit(await browser.open(url.href), allow(account, permissions));
  const callback = new URL(back.url).searchParams;
  const exchange = {
    ...CLIENT,
    grant_type: 'authorization_code',
    code: callback.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  };
  return { callback, exchange };
}

async function tokens(sandbox: Sandbox, account: string, permissions = SCOPES) {
  const { exchange } = await connect(sandbox, account, permissions);
  const { body } = await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, exchange);
  return { access: String(body.access_token), refresh: String(body.refresh_token), body };
}

async function api(sandbox: Sandbox, path: string, token: string, json?: object) {
  const response = await fetch(`${sandbox.url}/b/open/v2/${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

const refresh = (sandbox: Sandbox, token: string) =>
  postForm(`${sandbox.url}/b/open/v2/oauth/token/`, { ...CLIENT, grant_type: 'refresh_token', refresh_token: token });

describe('PROVIDER_B in the sandbox', () => {
  test('runs from consent to revoke without a violation', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /250 posts/);
    const { callback, exchange } = await connect(sandbox, account);
    expect(callback.get('state')).toBe('state-1');
    expect(callback.get('scopes')).toBe(SCOPES.join(','));

    const { body } = await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, exchange);
    expect(body).toMatchObject({ open_id: account, scope: SCOPES.join(','), expires_in: 7200, token_type: 'Bearer' });
    const token = String(body.access_token);

    const user = await api(sandbox, 'user/info/?fields=open_id,display_name,username,avatar_url', token);
    expect(user.body).toMatchObject({ data: { user: { open_id: account } }, error: { code: 'ok' } });
    const picture = await fetch(user.body.data.user.avatar_url);
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');

    const first = await api(sandbox, `video/list/?fields=${VIDEO_FIELDS}`, token, { max_count: 20 });
    expect(first.body.data.videos).toHaveLength(20);
    const some = await api(sandbox, `video/query/?fields=${VIDEO_FIELDS}`, token, {
      filters: { video_ids: [first.body.data.videos[3].id, '7400000000000000000'] },
    });
    expect(some.body.data.videos).toEqual([first.body.data.videos[3]]);

    const revoke = { ...CLIENT, token };
    expect((await postForm(`${sandbox.url}/b/open/v2/oauth/revoke/`, revoke)).body).toEqual({});
    expect((await api(sandbox, 'user/info/?fields=open_id', token)).status).toBe(401);
    expect((await refresh(sandbox, String(body.refresh_token))).body.error).toBe('invalid_grant');
    expect(violations(sandbox)).toEqual([]);
  });

  test('lists every public post once, through short and empty pages', async ({ sandbox }) => {
    for (const note of [/250 posts/, /short pages/]) {
      const account = accountNamed(sandbox, note);
      const { access } = await tokens(sandbox, account);
      const ids: string[] = [];
      let emptyPages = 0;
      let cursor: number | undefined;
      for (let hasMore = true; hasMore; ) {
        const body = { max_count: 20, ...(cursor !== undefined && { cursor }) };
        const { data } = (await api(sandbox, 'video/list/?fields=id,create_time', access, body)).body;
        ids.push(...data.videos.map((video: { id: string }) => video.id));
        emptyPages += data.videos.length === 0 ? 1 : 0;
        hasMore = data.has_more;
        cursor = data.cursor;
      }
      const visible = sandbox.control.posts(account).filter(({ isPublic }) => isPublic);
      expect(ids).toEqual(visible.map(({ id }) => id));
      expect(emptyPages).toBe(/short/.test(note.source) ? 1 : 0);
    }
  });

  test('sends counts beyond 2^53 digit by digit and omits hidden ones', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /250 posts/);
    const { access } = await tokens(sandbox, account);
    const posts = sandbox.control.posts(account);
    const large = posts.find(({ views, isPublic }) => isPublic && BigInt(views ?? 0) > BigInt(Number.MAX_SAFE_INTEGER));
    const hidden = posts.find(({ likes, isPublic }) => isPublic && likes === null);
    const filters = { video_ids: [large?.id, hidden?.id] };
    const { text, body } = await api(sandbox, 'video/query/?fields=id,view_count,like_count', access, { filters });
    expect(text).toContain(`"view_count":${large?.views}`);
    const answer = body.data.videos.find(({ id }: { id: string }) => id === hidden?.id);
    expect(answer).not.toHaveProperty('like_count');
  });

  test('accepts a code once, and only with its verifier', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /No posts/);
    const { exchange } = await connect(sandbox, account);
    const token = `${sandbox.url}/b/open/v2/oauth/token/`;
    expect((await postForm(token, exchange)).body).toHaveProperty('access_token');
    expect(await postForm(token, exchange)).toMatchObject({ status: 200, body: { error: 'invalid_grant' } });
    const other = (await connect(sandbox, account)).exchange;
    const wrong = { ...other, code_verifier: 'x'.repeat(43) };
    expect((await postForm(token, wrong)).body.error).toBe('invalid_request');
  });

  test('invalidates a refresh token when it is used', async ({ sandbox }) => {
    const first = await tokens(sandbox, accountNamed(sandbox, /No posts/));
    const second = await refresh(sandbox, first.refresh);
    expect(second.body.refresh_token).not.toBe(first.refresh);
    expect((await refresh(sandbox, first.refresh)).body.error).toBe('invalid_grant');
    expect((await refresh(sandbox, String(second.body.refresh_token))).body).toHaveProperty('access_token');
  });

  test('rotates also if the answer is lost', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /No posts/);
    const first = await tokens(sandbox, account);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', account, what: { kind: 'answerLost' } });
    await expect(refresh(sandbox, first.refresh)).rejects.toThrow();
    expect((await refresh(sandbox, first.refresh)).body.error).toBe('invalid_grant');
  });

  test('refuses a revoke by a stale access token while the grant is still live', async ({ sandbox }) => {
    const account = accountNamed(sandbox, /No posts/);
    const { access, refresh: refreshToken } = await tokens(sandbox, account);
    sandbox.control.expireTokens(account, 'access');
    const revoke = await postForm(`${sandbox.url}/b/open/v2/oauth/revoke/`, { ...CLIENT, token: access });
    expect(revoke.body.error).toBe('invalid_grant');
    expect((await refresh(sandbox, refreshToken)).body).toHaveProperty('access_token');
  });

  test('fails the whole call for one field without its permission', async ({ sandbox }) => {
    const { access } = await tokens(sandbox, accountNamed(sandbox, /No posts/), ['video.list']);
    expect((await api(sandbox, 'user/info/?fields=open_id', access)).status).toBe(200);
    const refused = await api(sandbox, 'user/info/?fields=open_id,username', access);
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'scope_not_authorized' } } });
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
    await api(sandbox, 'video/list/', access, { max_count: 20 });
    await api(sandbox, 'video/list/?fields=id', access, { max_count: 21 });
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

  test('redirects short links to their post, and answers oEmbed for them', async ({ sandbox }) => {
    const [post] = sandbox.control.posts(accountNamed(sandbox, /40 posts, written/));
    const hop = await fetch(`${sandbox.url}/b/www/t/${post?.code}/`, { redirect: 'manual' });
    expect(hop.headers.get('location')).toContain(`/${post?.id}`);
    const url = encodeURIComponent(`https://vm.tiktok.com/${post?.code}/`);
    const oembed = await fetch(`${sandbox.url}/b/www/oembed?url=${url}`);
    expect(await oembed.json()).toMatchObject({ embed_product_id: post?.id });
  });
});

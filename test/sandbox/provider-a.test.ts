import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
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

async function connect(
  sandbox: Sandbox,
  accountId: string,
  change: Readonly<Record<string, string>> = {},
  permissions = SCOPES,
  client = CLIENT,
) {
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
    ...change,
  };
  const browser = new Browser(REDIRECT);
  const page = await browser.open(`${sandbox.url}/a/accounts/o/oauth2/v2/auth?${new URLSearchParams(query)}`);
  const callback = new URL((await browser.submit(page, allow(accountId, permissions))).url).searchParams;
  const { body } = await postForm(`${sandbox.url}/a/oauth2/token`, {
    ...client,
    grant_type: 'authorization_code',
    code: callback.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
  return { callback, body, access: String(body.access_token), refresh: String(body.refresh_token) };
}

async function api(sandbox: Sandbox, path: string, token: string) {
  const response = await fetch(`${sandbox.url}/a/youtube/v3/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const refresh = (sandbox: Sandbox, token: string, client = CLIENT) =>
  postForm(`${sandbox.url}/a/oauth2/token`, { ...client, grant_type: 'refresh_token', refresh_token: token });
const revoke = (sandbox: Sandbox, token: string) => postForm(`${sandbox.url}/a/oauth2/revoke`, { token });

async function uploads(sandbox: Sandbox, playlistId: string, token: string) {
  const items: { contentDetails: { videoId: string; videoPublishedAt?: string } }[] = [];
  for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
    const query = new URLSearchParams({ part: 'snippet,contentDetails,status', playlistId, maxResults: '50' });
    if (pageToken !== '') query.set('pageToken', pageToken);
    const { body } = await api(sandbox, `playlistItems?${query}`, token);
    items.push(...body.items);
    pageToken = body.nextPageToken;
  }
  return items;
}

describe('PROVIDER_A in the sandbox', () => {
  test('runs from consent to revoke without a violation', async ({ sandbox }) => {
    const { id, principal } = account(sandbox, /250 posts/);
    const { callback, body, access } = await connect(sandbox, id);
    expect(callback.get('iss')).toBe(`${sandbox.url}/a/accounts`);
    expect(body).toMatchObject({ expires_in: 3599, scope: SCOPES.join(' '), token_type: 'Bearer' });
    expect(decodeProtectedHeader(String(body.id_token)).alg).toBe('RS256');
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: principal, aud: CLIENT.client_id });

    const channels = await api(sandbox, 'channels?part=snippet,contentDetails,statistics&mine=true', access);
    const [channel] = channels.body.items;
    expect(channel.id).toBe(id);
    const items = await uploads(sandbox, channel.contentDetails.relatedPlaylists.uploads, access);
    expect(items).toHaveLength(250);
    const ids = items.slice(0, 50).map(({ contentDetails }) => contentDetails.videoId);
    const videos = await api(sandbox, `videos?part=snippet,statistics,status&id=${ids.join(',')}`, access);
    expect(videos.body.items).toHaveLength(50);
    expect(videos.body.items[0].statistics.viewCount).toMatch(/^\d+$/);

    const refreshed = await refresh(sandbox, String(body.refresh_token));
    expect(refreshed.body).not.toHaveProperty('refresh_token');
    expect((await revoke(sandbox, String(body.refresh_token))).status).toBe(200);
    expect(await revoke(sandbox, String(body.refresh_token))).toMatchObject({
      status: 400,
      body: { error: 'invalid_token' },
    });
    expect((await api(sandbox, 'channels?part=snippet&mine=true', access)).status).toBe(401);
    expect((await refresh(sandbox, String(body.refresh_token))).body.error).toBe('invalid_grant');
    expect(violations(sandbox)).toEqual([]);
  });

  test('lists uploads by upload time, not by publication, and scheduled ones without a date', async ({ sandbox }) => {
    const { id } = account(sandbox, /250 posts/);
    const { access } = await connect(sandbox, id);
    const items = await uploads(sandbox, `UU${id.slice(2)}`, access);
    const dates = items.flatMap(({ contentDetails }) => contentDetails.videoPublishedAt ?? []);
    expect(dates).not.toEqual(dates.toSorted().toReversed());
    expect(items.length).toBeGreaterThan(dates.length);
  });

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
    const ofSibling = await connect(sandbox, other, {}, SCOPES, sibling);
    const ofStranger = await connect(sandbox, one, {}, SCOPES, stranger);
    const ofSomeoneElse = await connect(sandbox, account(sandbox, /250 posts/).id);
    await revoke(sandbox, revoked.refresh);
    expect((await refresh(sandbox, ofSibling.refresh, sibling)).body.error).toBe('invalid_grant');
    expect((await refresh(sandbox, ofStranger.refresh, stranger)).status).toBe(200);
    expect((await refresh(sandbox, ofSomeoneElse.refresh)).status).toBe(200);
  });

  test('issues a refresh token only for offline access, and again only with a new consent', async ({ sandbox }) => {
    const { id } = account(sandbox, /40 posts/);
    expect((await connect(sandbox, id, { access_type: 'online' })).body).not.toHaveProperty('refresh_token');
    expect((await connect(sandbox, id, { prompt: 'select_account' })).body).not.toHaveProperty('refresh_token');
    expect((await connect(sandbox, id)).body).toHaveProperty('refresh_token');
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

  test('discards the oldest of 101 refresh tokens', async ({ sandbox }) => {
    const { id } = account(sandbox, /40 posts/);
    const issued: string[] = [];
    for (let index = 0; index < 101; index++) issued.push((await connect(sandbox, id)).refresh);
    expect((await refresh(sandbox, issued[0] ?? '')).body.error).toBe('invalid_grant');
    expect((await refresh(sandbox, issued[1] ?? '')).status).toBe(200);
  });

  test('omits items without a channel, and the uploads playlist before the first upload', async ({ sandbox }) => {
    const without = await connect(sandbox, account(sandbox, /without a channel/).id);
    const answer = await api(sandbox, 'channels?part=snippet&mine=true', without.access);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('items');
    const fresh = account(sandbox, /No posts/).id;
    const { access } = await connect(sandbox, fresh);
    const playlist = await api(sandbox, `playlistItems?part=snippet&playlistId=UU${fresh.slice(2)}`, access);
    expect(playlist).toMatchObject({ status: 404, body: { error: { errors: [{ reason: 'playlistNotFound' }] } } });
  });

  test('omits deleted and private ids, hidden counts, and parts that were not requested', async ({ sandbox }) => {
    const { id } = account(sandbox, /250 posts/);
    const { access } = await connect(sandbox, id);
    const posts = sandbox.control.posts(id);
    const likeless = posts.find(({ likes }) => likes === null)?.id;
    const gone = posts[1]?.id ?? '';
    sandbox.control.deletePost(gone);
    const foreign = sandbox.control.posts(account(sandbox, /40 posts/).id);
    const [visible] = foreign.filter(({ isPublic }) => isPublic);
    const hidden = visible && foreign.find((post) => post.id !== visible.id && post.isPublic);
    sandbox.control.changePost(hidden?.id ?? '', { isPublic: false });
    const ids = [likeless, gone, visible?.id, hidden?.id, 'unknown-one'].join(',');
    const { body } = await api(sandbox, `videos?part=statistics&id=${ids}`, access);
    expect(body.items.map((item: { id: string }) => item.id)).toEqual([likeless, visible?.id]);
    expect(body.items[0].statistics).not.toHaveProperty('likeCount');
    expect(body.items[0]).not.toHaveProperty('snippet');
  });

  test('refuses a channel call without its permission', async ({ sandbox }) => {
    const { access, body } = await connect(sandbox, account(sandbox, /40 posts/).id, {}, []);
    expect(body.scope).toBe('openid');
    const refused = await api(sandbox, 'channels?part=snippet&mine=true', access);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { errors: [{ reason: 'insufficientPermissions' }] } },
    });
  });

  test('counts a unit per request and stops at the daily quota', async ({ sandbox }) => {
    const { access } = await connect(sandbox, account(sandbox, /40 posts/).id);
    sandbox.control.changeSettings({ a: { unitsPerDay: 2 } });
    expect((await api(sandbox, 'channels?part=snippet&mine=true', access)).status).toBe(200);
    expect((await api(sandbox, 'videos?part=snippet', access)).status).toBe(400);
    const spent = await api(sandbox, 'channels?part=snippet&mine=true', access);
    expect(spent).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } });
    sandbox.control.setClock(86_400_000);
    sandbox.control.changeSettings({ a: { accessSeconds: 3600 } });
    const later = await connect(sandbox, account(sandbox, /40 posts/).id);
    expect((await api(sandbox, 'channels?part=snippet&mine=true', later.access)).status).toBe(200);
  });
});

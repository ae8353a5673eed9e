import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { allow, Browser } from '../kit/browser.ts';
import { test, violations } from './kit.ts';

const REDIRECT = 'http://127.0.0.1:1/api/connect/callback/c';
const SCOPES = ['instagram_business_basic', 'instagram_business_manage_insights'];
const CLIENT = { client_id: 'sandbox-client-c', client_secret: 'sandbox-secret-c' };

const account = (sandbox: Sandbox, note: RegExp) => {
  const found = sandbox.control.accounts('PROVIDER_C').find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`No account like ${note}`);
  return found;
};

async function authorize(sandbox: Sandbox, accountId: string, permissions = SCOPES) {
  const query = {
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: SCOPES.join(','),
    state: 'state-1',
    force_reauth: 'true',
  };
  const browser = new Browser(REDIRECT);
  const page = await browser.open(`${sandbox.url}/c/www/oauth/authorize?${new URLSearchParams(query)}`);
  return await browser.submit(page, allow(accountId, permissions));
}

async function read(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

async function shortToken(sandbox: Sandbox, accountId: string, permissions = SCOPES) {
  const code = new URL((await authorize(sandbox, accountId, permissions)).url).searchParams.get('code') ?? '';
  const fields = { ...CLIENT, grant_type: 'authorization_code', redirect_uri: REDIRECT, code };
  return await read(`${sandbox.url}/c/api/oauth/access_token`, { method: 'POST', body: new URLSearchParams(fields) });
}

const longToken = (sandbox: Sandbox, token: string) =>
  read(
    `${sandbox.url}/c/graph/access_token?${new URLSearchParams({
      grant_type: 'ig_exchange_token',
      client_secret: CLIENT.client_secret,
      access_token: token,
    })}`,
  );

async function connect(sandbox: Sandbox, accountId: string, permissions = SCOPES): Promise<string> {
  const short = await shortToken(sandbox, accountId, permissions);
  return (await longToken(sandbox, short.body.access_token)).body.access_token;
}

const graph = (sandbox: Sandbox, path: string, token: string) =>
  read(`${sandbox.url}/c/graph/v25.0/${path}`, { headers: { authorization: `Bearer ${token}` } });

describe('PROVIDER_C in the sandbox', () => {
  test('runs from consent to insights without a violation', async ({ sandbox }) => {
    const { id, principal } = account(sandbox, /250 posts/);
    const back = await authorize(sandbox, id);
    expect(back.url).toMatch(/#_$/);
    const short = await shortToken(sandbox, id);
    expect(short.text).toContain(`"user_id":${principal}`);
    expect(String(short.body.user_id)).not.toBe(principal); // As a double it would be a different id.
    const long = await longToken(sandbox, short.body.access_token);
    expect(long.body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
    const token = long.body.access_token;

    const me = await graph(sandbox, 'me?fields=user_id,id,username,name,account_type', token);
    expect(me.body).toMatchObject({ user_id: id, id: principal, account_type: 'BUSINESS' });
    expect(JSON.parse(me.headers.get('x-business-use-case-usage') ?? '')).toHaveProperty(id);

    const ids: string[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query = new URLSearchParams({
        fields: 'id,timestamp,like_count',
        limit: '100',
        ...(after !== '' && { after }),
      });
      const { body } = await graph(sandbox, `me/media?${query}`, token);
      ids.push(...body.data.map((media: { id: string }) => media.id));
      expect(body.data[0].timestamp).toMatch(/\+0000$/);
      if (body.paging.next !== undefined)
        expect(new URL(body.paging.next).searchParams.get('access_token')).toBe(token);
      after = body.paging.next === undefined ? undefined : body.paging.cursors.after;
    }
    const visible = sandbox.control.posts(id).filter(({ isPublic }) => isPublic);
    expect(ids).toEqual(visible.map((post) => post.id));

    const insights = await graph(sandbox, `${ids[0]}/insights?metric=views,shares`, token);
    expect(insights.body.data.map(({ name }: { name: string }) => name)).toEqual(['views', 'shares']);
    const several = await graph(sandbox, `?ids=${ids[0]},${ids[1]}&fields=id,shortcode`, token);
    expect(Object.keys(several.body).toSorted()).toEqual([ids[0], ids[1]].toSorted());
    expect((await graph(sandbox, `${ids[2]}?fields=id,permalink`, token)).body.id).toBe(ids[2]);
    expect(violations(sandbox)).toEqual([]);
  });

  test('signs deauthorizations and deletion requests, and forges them if set to', async ({ sandbox }) => {
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      received.push(body.get('signed_request') ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = { provider: 'PROVIDER_C', clientId: CLIENT.client_id } as const;
    sandbox.control.registerClient({ ...client, webhookUrl: url, dataDeletionUrl: url });
    const { id, principal } = account(sandbox, /No posts/);
    await connect(sandbox, id);
    sandbox.control.removeApp(id);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const input = { kind: 'dataDeletion', clientId: CLIENT.client_id, account: id } as const;
    await sandbox.control.sendCallback({ ...input, withMetaSecret: true, names: 'userId', asNumber: true });
    await sandbox.control.sendCallback({ ...input, isForged: true });
    server.close();

    const check = (index: number, secret: string) => {
      const [signature, payload = ''] = (received[index] ?? '').split('.');
      const text = Buffer.from(payload, 'base64url').toString();
      return { isTrue: createHmac('sha256', secret).update(payload).digest('base64url') === signature, text };
    };
    expect(check(0, CLIENT.client_secret)).toMatchObject({
      isTrue: true,
      text: expect.stringContaining(`"user_id":"${principal}"`),
    });
    expect(check(1, 'sandbox-meta-secret-c')).toMatchObject({
      isTrue: true,
      text: expect.stringContaining(`"user_id":${id}`),
    });
    expect(check(2, CLIENT.client_secret).isTrue).toBe(false);
  });
});

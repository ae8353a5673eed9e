import { describe, expect } from 'vitest';
import type { FaultKind } from '../../sandbox/src/faults.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { postForm } from '../kit/browser.ts';
import { test } from './kit.ts';

const TOKEN = {
  client_key: 'sandbox-client-b',
  client_secret: 'sandbox-secret-b',
  grant_type: 'refresh_token',
  refresh_token: 'rft.unknown',
};
const USER_INFO = '/b/open/v2/user/info/?fields=open_id';

const call = (sandbox: Sandbox) =>
  fetch(`${sandbox.url}${USER_INFO}`, { headers: { authorization: 'Bearer act.unknown' } });
const add = (sandbox: Sandbox, what: FaultKind) =>
  sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'userInfo', what });

describe('a fault in the sandbox', () => {
  test('happens as often as requested, after as many calls as requested, on its route only', async ({ sandbox }) => {
    const what: FaultKind = { kind: 'status', status: 503 };
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'userInfo', what, times: 2, skip: 1 });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) statuses.push((await call(sandbox)).status);
    expect(statuses).toEqual([401, 503, 503, 401]);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'userInfo', what, times: null });
    expect((await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, TOKEN)).status).toBe(200);
    for (let index = 0; index < 3; index++) expect((await call(sandbox)).status).toBe(503);
    sandbox.control.clearFaults();
    expect((await call(sandbox)).status).toBe(401);
  });

  test('has the error format of its platform', async ({ sandbox }) => {
    const cases = [
      ['PROVIDER_A', '/a/youtube/v3/channels?part=id&mine=true', { error: { errors: [{ reason: 'quotaExceeded' }] } }],
      ['PROVIDER_B', USER_INFO, { error: { code: 'rate_limit_exceeded' } }],
      ['PROVIDER_C', '/c/graph/v25.0/me', { error: { code: 80002 } }],
    ] as const;
    for (const [provider, path, body] of cases) {
      sandbox.control.addFault({ provider, what: { kind: 'quota' } });
      expect(await (await fetch(sandbox.url + path)).json()).toMatchObject(body);
    }
  });

  test('sends broken JSON, another content type, or exactly the body of a test', async ({ sandbox }) => {
    add(sandbox, { kind: 'malformedJson' });
    await expect((await call(sandbox)).json()).rejects.toThrow();
    add(sandbox, { kind: 'wrongContentType' });
    expect((await call(sandbox)).headers.get('content-type')).toContain('text/html');
    add(sandbox, { kind: 'answer', status: 418, body: { odd: true }, headers: { 'x-odd': '1' } });
    const odd = await call(sandbox);
    expect([odd.status, odd.headers.get('x-odd'), await odd.json()]).toEqual([418, '1', { odd: true }]);
  });

  test('appears in the call log, which has no secrets', async ({ sandbox }) => {
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'status', status: 500 } });
    await postForm(`${sandbox.url}/b/open/v2/oauth/token/`, TOKEN);
    const [logged] = sandbox.control.calls({ route: 'token' });
    expect(logged).toMatchObject({ fault: 'status', status: 500, parameters: { client_key: TOKEN.client_key } });
    expect(JSON.stringify(logged)).not.toMatch(/sandbox-secret-b|rft\.unknown/);
  });
});

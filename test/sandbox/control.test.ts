import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { startSandbox } from '../../sandbox/src/server.ts';
import { test } from './kit.ts';

const send = async (url: string, method: string, body?: unknown) => {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...init });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

describe('the control API', () => {
  test('sets faults, settings and clock, and a reset undoes it all', async ({ sandbox }) => {
    const control = `${sandbox.url}/control`;
    const fault = { provider: 'PROVIDER_C', what: { kind: 'status', status: 500 }, times: null };
    expect((await send(`${control}/faults`, 'POST', fault)).status).toBe(201);
    expect((await send(`${control}/settings`, 'PATCH', { b: { pkce: 'hex' } })).body.b.pkce).toBe('hex');
    expect((await send(`${control}/clock`, 'PUT', { offsetMs: 60_000 })).body.offsetMs).toBe(60_000);
    expect((await send(`${control}/faults`, 'GET')).body).toHaveLength(1);
    expect((await send(`${control}/reset`, 'POST')).status).toBe(204);
    expect((await send(`${control}/faults`, 'GET')).body).toEqual([]);
    expect((await send(`${control}/settings`, 'GET')).body.b.pkce).toBe('base64url');
    expect((await send(`${control}/clock`, 'GET')).body.offsetMs).toBe(0);
  });

  test('refuses other host names and forms on other sites', async ({ sandbox }) => {
    const status = (headers: Record<string, string>, method: string) =>
      new Promise((resolve, reject) => {
        request(`${sandbox.url}/control/reset`, { method, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status({ host: 'rebound.example' }, 'POST')).toBe(403);
    expect(await status({ 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(await status({ 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(204);
  });
});

describe('a sandbox', () => {
  test('keeps clients, settings and edits over a restart, in its own file', async () => {
    const stateFile = path.join(tmpdir(), `sandbox-${randomUUID()}.json`);
    const first = await startSandbox({ port: 0, stateFile });
    const [account] = first.control.accounts('PROVIDER_A');
    const added = first.control.addPost(account?.id ?? '');
    first.control.registerClient({ provider: 'PROVIDER_A', clientId: 'mine', clientSecret: 'x' });
    first.control.setClock(5000);
    await first.close();
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);

    const second = await startSandbox({ port: 0, stateFile });
    expect(second.control.posts(account?.id ?? '').map(({ id }) => id)).toContain(added.id);
    expect(second.control.clients().map(({ clientId }) => clientId)).toContain('mine');
    expect(second.control.clock().offsetMs).toBe(5000);
    await second.close();

    await writeFile(stateFile, '{"something": "else"}');
    await expect(startSandbox({ port: 0, stateFile })).rejects.toThrow('not a state file');
    await rm(stateFile);
  });

  test('listens only on this machine by default', async () => {
    await expect(startSandbox({ port: 0, host: '0.0.0.0' })).rejects.toThrow('loopback only');
  });
});

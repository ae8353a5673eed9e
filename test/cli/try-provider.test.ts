import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/local/ports.ts';
import type { ProviderName } from '../../src/providers/provider.ts';
import { KNOWN_CLIENTS } from '../../src/sandbox/clients.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

const PROGRAM = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
beforeEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

interface Trial {
  readonly provider?: ProviderName;
  readonly args?: readonly string[];
  readonly secret?: string | undefined;
  /** Permissions whose names contain one of these are unticked. */
  readonly untick?: readonly string[];
  readonly decision?: 'allow' | 'deny';
}

/** Runs the built command as an operator does, and acts as the person in the browser. */
async function runTrial({ provider = 'PROVIDER_B', args = [], secret, untick = [], decision = 'allow' }: Trial) {
  const { url } = sandbox;
  const slug = provider.toLowerCase().replace('_', '-');
  const client = KNOWN_CLIENTS[provider];
  const child = spawn(process.execPath, [PROGRAM, 'try-provider', slug, ...args], {
    env: {
      PATH: process.env.PATH,
      TRY_CLIENT_ID: client.clientId,
      TRY_CLIENT_SECRET: secret ?? client.clientSecret,
      TRY_REDIRECT_URI: `http://127.0.0.1:${await findFreePort()}/api/connect/callback/${slug}`,
      PROVIDER_A_AUTHORIZE_URL: `${url}/a/accounts`,
      PROVIDER_A_TOKEN_URL: `${url}/a/oauth2`,
      PROVIDER_A_API_URL: `${url}/a/youtube/v3`,
      PROVIDER_B_AUTHORIZE_URL: `${url}/b/www`,
      PROVIDER_B_API_URL: `${url}/b/open`,
      PROVIDER_C_AUTHORIZE_URL: `${url}/c/www`,
      PROVIDER_C_TOKEN_URL: `${url}/c/api`,
      PROVIDER_C_API_URL: `${url}/c/graph`,
    },
  });
  let transcript = '';
  let told = '';
  child.stdout.on('data', (chunk) => {
    transcript += String(chunk);
  });
  let isConsenting = false;
  child.stderr.on('data', (chunk) => {
    told += String(chunk);
    const address = /^(http\S+)$/m.exec(told)?.[1];
    if (address === undefined || !told.includes('Waiting for the callback') || isConsenting) return;
    isConsenting = true;
    void consent(address);
  });

  async function consent(address: string): Promise<void> {
    const page = await (await fetch(address)).text();
    const [, action = ''] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
    const [, request = ''] = /name="request" value="([^"]+)"/.exec(page) ?? [];
    const [account] = sandbox.control.accounts(provider);
    const form = new URLSearchParams({ request, account: account?.id ?? '', decision });
    for (const [, permission = ''] of page.matchAll(/name="permission" value="([^"]+)"/g)) {
      if (!untick.some((part) => permission.includes(part))) form.append('permission', permission);
    }
    const { port, pathname } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    // Neither another page nor another state is taken for the answer.
    expect((await fetch(`http://127.0.0.1:${port}${pathname}?code=x&state=other`)).status).toBe(404);
    await fetch(new URL(action, address), { method: 'POST', body: form });
  }

  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, transcript, told };
}

const liveGrants = () => sandbox.control.grants().filter(({ endedAt }) => endedAt === null);

describe('try-provider', { timeout: 60_000 }, () => {
  test.each(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const)(
    'connects, reads, refreshes and revokes at %s, and says that nothing differs',
    async (provider) => {
      const { exitCode, transcript } = await runTrial({ provider });
      expect(transcript).toContain('What differs from what the adapter expects:\n  nothing');
      expect(exitCode).toBe(0);
      for (const title of ['Client', 'Connect', 'Profile', 'A page of posts', 'Refresh', 'Revoke']) {
        expect(transcript).toContain(`\n${title}\n`);
      }
      expect(transcript).toMatch(/ ([12]0) posts of the last 90 days: \1 with a URL/);
      expect(transcript).toContain('sent, and not read by the adapter');
      // PROVIDER_C has no revoke, and refreshes no token of this day.
      expect(liveGrants()).toHaveLength(provider === 'PROVIDER_C' ? 1 : 0);
      expect(transcript).toContain(provider === 'PROVIDER_C' ? 'remove the app' : 'the access token is refused now');
      expect(sandbox.control.calls().flatMap(({ violations }) => violations)).toEqual([]);
    },
  );

  test('has no secret, no id and no name of the account in its transcript', async () => {
    const { transcript } = await runTrial({ args: ['--keep-grant'] });
    const [account] = sandbox.control.accounts('PROVIDER_B');
    const tokens = sandbox.control.grants().flatMap((grant) => grant.tokens.map(({ value }) => value));
    expect(tokens.length).toBeGreaterThan(1);
    const posts = sandbox.control.posts(account?.id ?? '').slice(0, 20);
    const private_ = [
      ...tokens,
      KNOWN_CLIENTS.PROVIDER_B.clientSecret,
      account?.id,
      account?.name,
      account?.handle,
      ...posts.map(({ id }) => id),
    ];
    for (const text of private_) expect(transcript).not.toContain(text);
    expect(liveGrants()).toHaveLength(1);
  });

  test('says which permissions are missing, and which answers differ', async () => {
    sandbox.control.addFault({
      provider: 'PROVIDER_B',
      route: 'userInfo',
      what: { kind: 'answer', status: 200, body: '{"data":{"person":{}},"error":{"code":"ok"}}' },
    });
    const { exitCode, transcript } = await runTrial({ untick: ['user.info.profile'] });
    expect(exitCode).toBe(1);
    const [, differences = ''] = transcript.split('What differs from what the adapter expects:');
    expect(differences).toContain('Asked for and not granted: user.info.profile');
    expect(differences).toContain('data.user is not as expected (invalid_type)');
    expect(differences).toContain('Profile: the adapter reports ContractBroken.');
    expect(transcript).toContain('sent, and not read by the adapter: data.person, error');
    expect(liveGrants()).toEqual([]); // Also after a failure, no grant stays behind.
  });

  test('ends at a client that the platform refuses, and at a person who denies', async () => {
    const refused = await runTrial({ secret: 'wrong' });
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.transcript).toContain('The platform refuses the client id or the secret.');
    expect(refused.told).not.toContain('Open this address');
    const denied = await runTrial({ decision: 'deny' });
    expect(denied.exitCode).toBe(1);
    expect(denied.transcript).toContain('The callback is "denied" with error access_denied.');
  });

  test('stores the tokens for the contract tests, readable only by their owner', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'try-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'kept', 'tokens.json');
    const { exitCode, transcript } = await runTrial({ args: ['--tokens', file] });
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      permissions: expect.arrayContaining(['video.list']),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(transcript).not.toContain('Revoke');
    expect(liveGrants()).toHaveLength(1);
  });

  test('refuses an unknown platform and a secret on the command line', async () => {
    const run = (...args: string[]) =>
      new Promise<[number | null, string]>((resolve) => {
        const child = spawn(process.execPath, [PROGRAM, 'try-provider', ...args], { env: { PATH: process.env.PATH } });
        let text = '';
        child.stderr.on('data', (chunk) => {
          text += String(chunk);
        });
        child.once('close', (code) => resolve([code, text]));
      });
    expect(await run('provider-x')).toEqual([1, expect.stringMatching(/^Usage: try-provider provider-a/)]);
    const [code, text] = await run('provider-b', 'the-secret');
    expect([code, text]).toEqual([1, expect.stringContaining('A value belongs to no option.')]);
    expect(text).not.toContain('the-secret');
  });
});

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import type { ProviderName } from '../../src/basics/codes.ts';
import { readRecording } from '../../src/cli/try-provider/recording.ts';
import { PROGRAM } from '../kit/built.ts';
import { newFolder } from '../kit/folder.ts';
import { consentAtSandbox, replay } from './trial.ts';

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
async function runTrial({ provider = 'PROVIDER_B', args = [], secret, untick, decision }: Trial) {
  const slug = provider.toLowerCase().replace('_', '-');
  const client = KNOWN_CLIENTS[provider];
  const folder = newFolder();
  const child = spawn(process.execPath, [PROGRAM, 'try-provider', slug, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TRY_CLIENT_ID: client.clientId,
      TRY_CLIENT_SECRET: secret ?? client.clientSecret,
      TRY_REDIRECT_URI: `http://127.0.0.1:${await findFreePort()}/api/connect/callback/${slug}`,
      ...listPlatformUrls(sandbox.url),
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
    if (address === undefined || !told.includes('press Enter') || isConsenting) return;
    isConsenting = true;
    void consent(address);
  });

  async function consent(address: string): Promise<void> {
    const { port, pathname } = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    // Neither another page nor another state is taken for the answer.
    expect((await fetch(`http://127.0.0.1:${port}${pathname}?code=x&state=other`)).status).toBe(404);
    const [account] = sandbox.control.accounts(provider);
    await consentAtSandbox(address, { accountId: account?.id ?? '', untick, decision }, 'follow');
  }

  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const [report] = readdirSync(folder).map((name) => path.join(folder, name));
  return { exitCode, transcript, told, report };
}

const liveGrants = () => sandbox.control.grants().filter(({ endedAt }) => endedAt === null);

describe('try-provider', () => {
  test.each(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const)(
    'connects, reads, refreshes and revokes at %s, and reports no difference',
    async (provider) => {
      const { exitCode, transcript } = await runTrial({ provider });
      expect(transcript).toContain('What differs from what the adapter expects:\n  nothing');
      expect(exitCode).toBe(0);
      const titles = [
        'Client',
        'Connect',
        'Profile',
        'A page of posts',
        'Posts by their ids',
        'A post by its URL',
        'Refresh',
      ];
      for (const title of [...titles, 'Revoke']) {
        expect(transcript).toContain(`\n${title}\n`);
      }
      expect(transcript).toMatch(/ ([12]0) posts of the last 90 days: \1 with a URL/);
      expect(transcript).toContain('sent, and not read by the adapter');
      // PROVIDER_C has no revoke, and refreshes no token of this day.
      expect(liveGrants()).toHaveLength(provider === 'PROVIDER_C' ? 1 : 0);
      expect(transcript).toContain(provider === 'PROVIDER_C' ? 'remove the app' : 'The refresh after the revoke\n');
      expect(sandbox.control.calls().flatMap(({ violations }) => violations)).toEqual([]);
    },
  );

  test('writes a report and a recording without a secret, an id or a name of the account', async () => {
    const { transcript, told, report = '' } = await runTrial({ args: ['--keep-grant'] });
    expect(path.basename(report)).toMatch(/^try-provider-b-\d{8}T\d{6}$/);
    expect(told).toContain(`are in ${path.basename(report)}`);
    const [text, recorded] = ['report.md', 'recording.json'].map((name) =>
      readFileSync(path.join(report, name), 'utf8'),
    );
    expect(text).toContain('# Trial of TikTok (PROVIDER_B)');
    for (const part of ['expects', 'the sandbox', 'does not know'])
      expect(text).toMatch(new RegExp(`## .*${part}\n\n(Names.*\n\n)?Nothing\\.`));
    expect(text).toContain('| B3 | Each scope is approved');
    expect(text).toContain('\nA page of posts\n');
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
    for (const hidden of private_) expect([transcript, text, recorded].join('\n')).not.toContain(hidden);
    expect(liveGrants()).toHaveLength(1);
    const again = await replay(readRecording(path.join(report, 'recording.json')));
    expect(again.transcript.differences).toEqual([]);
  });

  test('lists the missing permissions, and the answers that differ', async () => {
    sandbox.control.addFault({
      provider: 'PROVIDER_B',
      route: 'userInfo',
      what: { kind: 'answer', status: 200, body: '{"data":{"person":{}},"error":{"code":"ok"}}' },
    });
    const { exitCode, transcript, report = '' } = await runTrial({ untick: ['user.info.profile'] });
    expect(exitCode).toBe(1);
    const text = readFileSync(path.join(report, 'report.md'), 'utf8');
    expect(text).toContain('PROVIDER_B user info, success: only at the platform: data.person');
    expect(text).toMatch(
      /- PROVIDER_B user info: status 200, code none, taken as ContractBroken: Not as expected: data.user/,
    );
    expect(text).toMatch(/\| B6 \|.*\| \*\*May be missing\*\* \|/);
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
    expect(denied.transcript).toContain('The callback is a refusal (PERSON): access_denied/-2');
  });

  test('refuses a file for tokens that exists', async () => {
    const folder = newFolder();
    const file = path.join(folder, 'mine.json');
    writeFileSync(file, 'mine');
    const { exitCode, told } = await runTrial({ args: ['--tokens', file] });
    expect(exitCode).toBe(1);
    expect(told).toContain('exists already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('stores the tokens for the contract tests, readable only by their owner', async () => {
    const folder = newFolder();
    const file = path.join(folder, 'kept', 'tokens.json');
    const { exitCode, transcript, report } = await runTrial({ args: ['--tokens', file] });
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      permissions: expect.arrayContaining(['video.list']),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(transcript).not.toContain('Revoke');
    expect(report).toBeUndefined();
    expect(liveGrants()).toHaveLength(1);
  });
});

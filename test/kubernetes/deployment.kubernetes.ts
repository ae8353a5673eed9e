// The chart, installed by its README as a production deployment on an empty cluster, then used, upgraded and broken. Each test goes on
// where the one before it has ended.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAll, kubectl, podsOf, readyPodsOf, tryKubectl, waitFor } from './kubectl.ts';
import { CONSOLE } from './parts.ts';
import { helm, openFolder, typeSection, upgradeTo } from './readme.ts';
import {
  type Client,
  connectAccount,
  disconnect,
  Load,
  openClient,
  openSandbox,
  reachProxy,
  readValue,
  scan,
  setUpApp,
} from './usage.ts';

const SCOPE = { tenantKey: 'main', externalSubjectId: 'person-1' };
const sandbox = openSandbox();
let folder: string;
let client: Client;
let account: string;
let connectionId: string;
const secrets: string[] = ['sandbox-secret-b'];

const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`;
const note = (text: string) => console.log(`      ${text}`);
const read = () => client.connection({ scope: SCOPE, id: connectionId });
const grantsOf = async () =>
  ((await sandbox.control('GET', 'grants')) as { accountId: string; endedAt: string | null }[]).filter(
    (grant) => grant.accountId === account && grant.endedAt === null,
  );

beforeAll(() => {
  reachProxy();
  folder = openFolder();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a production deployment', () => {
  test('is installed by the commands of the README', async () => {
    const startedAt = Date.now();
    const printed = await typeSection('Install', folder);
    note(`the commands took ${seconds(startedAt)}`);
    const token = readValue(printed, 'token');
    expect(token).not.toBe('');
    secrets.push(token);
    // Helm waits for all but those that an update may take away.
    for (const name of ['api', 'worker'])
      await expect.poll(() => readyPodsOf(name), { timeout: 60_000 }).toHaveLength(2);
    expect(await podsOf('migrate')).toEqual([]);
  });

  test('lets operators in with a token', async () => {
    const headers = {
      origin: `https://${CONSOLE}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    };
    const session = await fetch(`https://${CONSOLE}/api/admin/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ token: secrets.at(-1) }),
    });
    expect(session.status).toBe(204);
    expect(session.headers.getSetCookie()[0]).toMatch(/; Secure/i);
  });

  test('connects an account and reads its posts', async () => {
    const key = await setUpApp(sandbox);
    secrets.push(key);
    client = openClient(key);
    account = (await sandbox.listAccounts('PROVIDER_B')).find((one) => one.note.startsWith('250 posts'))?.id ?? '';
    const startedAt = Date.now();
    connectionId = await connectAccount(client, sandbox, SCOPE, account);
    note(`a person connected an account in ${seconds(startedAt)}`);
    expect(await grantsOf()).toHaveLength(1);
    const { status, posts } = await scan(client, SCOPE, connectionId);
    expect(status).toBe('SUCCEEDED');
    expect(posts).toBeGreaterThan(0);
  });

  test('runs without root, with a read-only root file system', async () => {
    for (const component of ['api', 'worker']) {
      for (const { metadata } of await podsOf(component)) {
        const inside = (...words: string[]) => tryKubectl(['exec', metadata.name, '--', ...words]);
        expect((await inside('id', '-u')).output.trim()).toBe('1000');
        for (const place of ['/app/x', '/tmp/x', '/x'])
          expect((await inside('touch', place)).output).toContain('Read-only file system');
        const { output: status } = await inside('cat', '/proc/1/status');
        expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
        expect(status).toMatch(/^CapBnd:\s+0+$/m);
        expect(status).toMatch(/^Seccomp:\s+2$/m);
        expect((await inside('ls', '/var/run/secrets/kubernetes.io')).succeeds).toBe(false);
      }
    }
  });

  test('runs its maintenance as in the README', async () => {
    const printed = await typeSection('Maintenance', folder);
    expect(printed).toMatch(/\S/);
    expect(await podsOf('maintenance')).toEqual([]);
  });
});

describe('an upgrade', () => {
  test('and the way back fail no request', async () => {
    for (const [name, act] of [
      ['an upgrade', () => helm(folder, ...upgradeTo('image.tag=next'))],
      ['a rollback', () => helm(folder, 'rollback', 'accounts', '--wait', '--timeout', '6m')],
    ] as const) {
      const load = new Load(4, read);
      const startedAt = Date.now();
      await act();
      await waitFor('the old pods end', async () =>
        (await getAll('pods')).every(({ metadata }) => metadata.deletionTimestamp === undefined),
      );
      const { answered, failures } = await load.stop();
      note(`${name} took ${seconds(startedAt)}: ${answered} requests answered, ${failures.length} failed`);
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(0);
      const [image] = [...new Set((await podsOf('worker')).map(({ spec }) => spec.containers[0].image))];
      expect(image).toMatch(name === 'an upgrade' ? /:next$/ : /:\d+\.\d+\.\d+$/);
      expect((await scan(client, SCOPE, connectionId)).status).toBe('SUCCEEDED');
    }
  });
});

describe('a fault', () => {
  test('of one pod fails no request: Kubernetes deletes it', async () => {
    const load = new Load(4, read);
    for (const component of ['api', 'worker']) {
      const [pod] = await podsOf(component);
      await kubectl(['delete', 'pod', pod?.metadata.name ?? '']);
      await waitFor('two others', async () => (await readyPodsOf(component)).length >= 2);
    }
    const { answered, failures } = await load.stop();
    note(`an api and a worker were deleted: ${answered} requests answered, ${failures.length} failed`);
    expect(failures).toEqual([]);
  });
});

describe('network policies', () => {
  const reaches = async (pod: string, namespace: string, host: string, port: number) => {
    const { succeeds } = await tryKubectl([
      ...['exec', '--namespace', namespace, pod, '--', 'node', '--eval'],
      `const s=require('net').connect(${port},'${host}');s.on('connect',()=>process.exit(0));
       s.on('error',()=>process.exit(1));setTimeout(()=>process.exit(1),4000)`,
    ]);
    return succeeds;
  };

  test('let pods reach only their dependencies', async () => {
    const api = (await podsOf('api'))[0]?.metadata.name ?? '';
    const from = (host: string, port: number) => reaches(api, 'accounts', `${host}.parts.svc.cluster.local`, port);
    expect(await from('postgres', 5432)).toBe(true);
    expect(await from('temporal', 7233)).toBe(true);
    expect(await from('sandbox', 8090)).toBe(false);
  });

  test('let only the proxy reach the api and the console', async () => {
    const address = (name: string) => `accounts-social-accounts-${name}.accounts.svc.cluster.local`;
    expect(await reaches('deploy/sandbox', 'parts', 'postgres.parts.svc.cluster.local', 5432)).toBe(true);
    for (const name of ['api', 'admin'])
      expect(await reaches('deploy/sandbox', 'parts', address(name), 80)).toBe(false);
  });
});

describe('an operator', () => {
  test('disconnects the account, with both receipts and no grant left', async () => {
    expect(await disconnect(client, SCOPE, connectionId)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await grantsOf()).toEqual([]);
  });

  test('finds no secret in a log', async () => {
    const read = ['api', 'worker'].map((component) =>
      kubectl(['logs', '--selector', `app.kubernetes.io/component=${component}`, '--tail', '-1', '--prefix=false']),
    );
    for (const log of await Promise.all(read)) {
      expect(log).toMatch(/^\{"/m);
      for (const secret of secrets) expect(log).not.toContain(secret);
    }
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assertReturn,
  type Client,
  continueScan,
  createClient,
  eachContentItem,
  verifyWebhook,
  waitForJob,
} from '../../clients/typescript/src/index.ts';
import { type Sandbox, startSandbox } from '../../clients/typescript/src/sandbox.ts';
import { LOCAL_PROGRAM } from '../kit/built.ts';
import { openReceiver, type Receiver } from '../kit/webhook-receiver.ts';

const RETURN_URL = 'http://127.0.0.1:3999/accounts/connected';
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST'] as const;
const DAY_MS = 86_400_000;

const stackFolders = (folder = tmpdir()) => readdirSync(folder).filter((name) => name.startsWith('social-accounts-'));

/** The tests of an imaginary caller: its code uses the client, and its tests use the sandbox beside it. */
describe('a caller that tests itself against the sandbox', () => {
  const before = stackFolders();
  let sandbox: Sandbox;
  let client: Client;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await openReceiver();
    const command = [process.execPath, LOCAL_PROGRAM, '--headless'] as const;
    sandbox = await startSandbox({ command, returnUrl: RETURN_URL, webhookUrl: receiver.url });
    client = createClient({ url: sandbox.stack.graphqlUrl, key: sandbox.stack.app.key });
  });

  afterAll(async () => {
    await sandbox?.stop();
    await receiver?.close();
    expect(stackFolders()).toEqual(before); // It leaves nothing behind.
    const answer = await fetch(sandbox.stack.graphqlUrl).catch(() => 'stopped');
    expect(answer).toBe('stopped');
  });

  const scopeOf = (externalSubjectId: string) => ({ tenantKey: sandbox.stack.app.tenantKey, externalSubjectId });

  async function findAccount(note: RegExp) {
    const account = (await sandbox.listAccounts('PROVIDER_B')).find((one) => note.test(one.note + one.name));
    return account ?? expect.fail(`There is no account like ${note}.`);
  }

  const start = (externalSubjectId: string) =>
    client.createConnectSession({
      input: {
        scope: scopeOf(externalSubjectId),
        provider: 'PROVIDER_B',
        capabilities: CAPABILITIES,
        returnUrl: RETURN_URL,
      },
    });

  test('connects a person, survives a fault of the platform, and disconnects', async () => {
    const scope = scopeOf('rowan');
    const attempt = await start('rowan');
    const { id: account } = await findAccount(/Harbour Kitchen/);
    const returned = await sandbox.connect(attempt, { account });
    const { status, connectionId } = await client.connectSessionResult({
      scope,
      id: assertReturn(returned, attempt.id),
    });
    expect(status).toBe('COMPLETED');
    if (connectionId === null) return expect.fail('There is no connection.');

    const removeFault = await sandbox.addFault({
      provider: 'PROVIDER_B',
      what: { kind: 'status', status: 503 },
      times: 1,
    });
    const window = {
      publishedAfter: new Date(Date.now() - 30 * DAY_MS).toISOString(),
      publishedBefore: new Date().toISOString(),
    };
    const scan = await continueScan(client, { scope, connectionId, window });
    expect(scan).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true });
    expect(await sandbox.control('GET', 'faults')).toEqual([]); // The platform has failed once.
    await removeFault();
    const posts: string[] = [];
    for await (const post of eachContentItem(client, { scope, connectionId, window: { ...window, first: 50 } })) {
      posts.push(post.providerContentId);
    }
    expect(posts.length).toBeGreaterThan(0);

    const { revokeJobId } = await client.disconnectConnection({ scope, connectionId });
    expect(await waitForJob(client, { scope, connectionId, id: revokeJobId })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('sees a person who denies access, and one who leaves out a permission', async () => {
    const denied = await start('noor');
    const { id: account } = await findAccount(/Harbour Kitchen/);
    await sandbox.connect(denied, { account, deny: true });
    expect(await client.connectSessionResult({ scope: scopeOf('noor'), id: denied.id })).toMatchObject({
      status: 'DENIED',
      resultCode: 'ACCESS_DENIED',
    });
    const partial = await start('noor');
    await sandbox.connect(partial, { account, without: ['video.list'] });
    expect(await client.connectSessionResult({ scope: scopeOf('noor'), id: partial.id })).toMatchObject({
      status: 'COMPLETED',
      resultCode: 'PARTIAL_PERMISSION',
    });
  });

  test('receives webhooks that its secret verifies', async () => {
    const attempt = await start('sasha');
    const { id: account } = await findAccount(/Harbour Kitchen/);
    await sandbox.connect(attempt, { account });
    const secret = sandbox.stack.app.webhook?.secret ?? expect.fail('There is no secret.');
    const finished = async () => {
      const events = await Promise.all(receiver.received.map((one) => verifyWebhook(one, [secret])));
      return events.find(({ data }) => 'sessionId' in data && data.sessionId === attempt.id);
    };
    await expect
      .poll(finished)
      .toMatchObject({ type: 'connect_session.finished', data: { status: 'COMPLETED', scope: scopeOf('sasha') } });
    const [first] = receiver.received;
    await expect(verifyWebhook(first ?? expect.fail(), [`whsec_${'A'.repeat(43)}=`])).rejects.toThrow();
  });
});

test('the stack ends when the process that started it is killed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parent-'));
  const script = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(LOCAL_PROGRAM)}, '--headless'], { stdio: 'ignore' });
    console.log(child.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
  await expect.poll(() => stackFolders(folder).length).toBe(1);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(stackFolders(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// Uses the installation as a caller, a person and an operator use it, over https.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, buildConnector, setGlobalDispatcher } from 'undici';
import { inject } from 'vitest';
import { createClient, waitForJob } from '../../clients/typescript/src/index.ts';
import { Sandbox } from '../../clients/typescript/src/sandbox.ts';
import { command, waitFor } from './kubectl.ts';
import { CONNECT, PLATFORMS } from './parts.ts';

const RETURN_URL = 'https://app.example/connect/return';
const PORT = 30_443;
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;

/** Sends the requests of this process to the proxy, and checks its certificate. */
export function reachProxy(): void {
  const ca = readFileSync(path.join(inject('certificates'), 'ca.crt'));
  const toProxy = buildConnector({ ca, timeout: 5_000 });
  const host = inject('nodeAddress');
  setGlobalDispatcher(
    new Agent({
      connect: (options, callback) =>
        toProxy({ ...options, host, hostname: host, port: String(PORT), servername: options.hostname }, callback),
    }),
  );
}

export const openSandbox = (): Sandbox =>
  new Sandbox({
    ...{ graphqlUrl: `https://${CONNECT}/graphql`, adminUrl: '', adminToken: '' },
    ...{ connectUrl: `https://${CONNECT}`, sandboxUrl: `https://${PLATFORMS}` },
    app: { id: '', key: '', tenantKey: 'main', returnUrl: RETURN_URL },
  });

export const readValue = (text: string, name: string): string =>
  new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(text)?.[1] ?? '';

/** Sets up an app, as docs/walkthrough.md does on the command line. @returns its key */
export async function setUpApp(sandbox: Sandbox): Promise<string> {
  const app = readValue(await command(['app', 'create', '--name', 'Test']), 'id');
  await command(['tenant', 'add', '--app', app, '--tenant', 'main']);
  await command(['return-url', 'add', '--app', app, '--url', RETURN_URL]);
  const allowed = CAPABILITIES.flatMap((one) => ['--capability', one]);
  await command(['policy', 'set', '--app', app, '--provider', 'PROVIDER_B', ...allowed]);
  await command(['app', 'change', '--app', app, '--rate', '5000']);
  const client = ['--provider', 'PROVIDER_B', '--label', 'Test', '--client-id', 'sandbox-client-b'];
  const created = await command(['registration', 'create', ...client], 'sandbox-secret-b\n');
  await command(['registration', 'serve', '--registration', readValue(created, 'id'), '--app', app]);
  await sandbox.control('POST', 'clients', {
    provider: 'PROVIDER_B',
    clientId: 'sandbox-client-b',
    redirectUris: [`https://${CONNECT}/api/connect/callback/provider-b`],
  });
  return readValue(await command(['key', 'issue', '--app', app]), 'secret');
}

export type Client = ReturnType<typeof createClient>;
export const openClient = (key: string): Client => createClient({ url: `https://${CONNECT}/graphql`, key });

export interface Scope {
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

/** Connects an account as a person in a browser. @returns the connection's id */
export async function connectAccount(client: Client, sandbox: Sandbox, scope: Scope, account: string): Promise<string> {
  const input = { scope, provider: 'PROVIDER_B', capabilities: [...CAPABILITIES], returnUrl: RETURN_URL } as const;
  const attempt = await client.createConnectSession({ input });
  await sandbox.connect(attempt, { account });
  const find = async () => {
    const { status, resultCode, connectionId } = await client.connectSessionResult({ scope, id: attempt.id });
    return ['COMPLETED', 'FAILED'].includes(status) && { status, resultCode, connectionId };
  };
  const result = await waitFor('the outcome', find, 180_000);
  if (result.connectionId == null) throw new Error(`The attempt ended as ${result.status}, ${result.resultCode}.`);
  return result.connectionId;
}

const lastMonth = () => ({
  publishedAfter: new Date(Date.now() - 30 * 86_400_000).toISOString(),
  publishedBefore: new Date().toISOString(),
});

/** Scans, and lists the stored posts. @returns how the job ended, and the number of posts */
export async function scan(client: Client, scope: Scope, connectionId: string) {
  const job = await client.requestRefresh({ scope, connectionId, window: { ...lastMonth(), maxItems: 100 } });
  const { status } = await waitForJob(client, { scope, connectionId, id: job.id });
  const { items } = await client.content({ scope, connectionId, window: { ...lastMonth(), first: 50 } });
  return { status, posts: items.length };
}

/** Disconnects. @returns how both receipts ended */
export async function disconnect(client: Client, scope: Scope, connectionId: string): Promise<string[]> {
  const { revokeJobId, eraseJobId } = await client.disconnectConnection({ scope, connectionId });
  const jobs = await Promise.all(
    [revokeJobId, eraseJobId].map((id) => waitForJob(client, { scope, connectionId, id })),
  );
  return jobs.map(({ status }) => status);
}

/** Callers that read without a pause until they are stopped. */
export class Load {
  answered = 0;
  readonly failures: string[] = [];
  #isOn = true;
  readonly #readers: readonly Promise<void>[];

  constructor(readers: number, read: () => Promise<unknown>) {
    this.#readers = Array.from({ length: readers }, async () => {
      while (this.#isOn) {
        try {
          await read();
          this.answered += 1;
        } catch (error) {
          const { code, message } = error as Error & { code?: string };
          this.failures.push(`${new Date().toISOString()} ${code}: ${message}`);
        }
      }
    });
  }

  async stop(): Promise<this> {
    this.#isOn = false;
    await Promise.all(this.#readers);
    return this;
  }
}

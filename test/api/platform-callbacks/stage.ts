import { createHmac, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { SandboxAccount } from '../../../sandbox/src/model.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import { createHttpApp, startServer } from '../../../src/api/http/server.ts';
import { createPlatformRoutes } from '../../../src/api/platform-callbacks/routes.ts';
import type { ProviderName } from '../../../src/basics/codes.ts';
import { type CallbackSecretId, type ConnectionId, newId } from '../../../src/basics/ids.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { CONNECT_URL, createDeps } from '../../kit/caller.ts';
import { createWorkerDeps } from '../../kit/deps.ts';
import { fakeProviders } from '../../kit/fake-provider.ts';
import { keepLog } from '../../kit/keep-log.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { type SeedConnection, type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { sweepDeletions } from '../../kit/sweeping.ts';

type Callback = Parameters<Sandbox['control']['sendCallback']>[0];

/** The routes over HTTP, an app with its own registrations, and platforms that know the callback URLs. */
async function openStage(sql: Database) {
  const { deps, sealEdge, deliveryRequests } = await createDeps(sql, { suspendSiblings: true });
  const { log, lines } = keepLog();
  const app = createHttpApp({
    log,
    trustedProxies: 1,
    graphql: {},
    schemas: {},
    unready: async () => [],
    pages: [createPlatformRoutes({ ...deps, connectUrl: CONNECT_URL })],
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(async () => {
    await server.close(0);
    await sandbox.close();
  });
  const worker = await createWorkerDeps(sql, { providers: fakeProviders(), suspendSiblings: true });
  const url = `http://127.0.0.1:${server.port}`;
  const seeded = await seedApp(sql);

  const stage = {
    sql,
    deps,
    url,
    lines,
    deliveryRequests,
    seeded,
    sandbox,
    control: sandbox.control,

    /** The URL that a platform calls for a registration. */
    urlOf: (provider: ProviderName, path: string, of: SeededApp = seeded) =>
      `${url}/api/platform/${deps.facts[provider].slug}/${of.registrations[provider]}/${path}`,

    addSecret: async (provider: ProviderName, secret: string, of: SeededApp = seeded) => {
      const secretId = newId<CallbackSecretId>();
      const sealedSecret = await sealEdge(secret, associatedData.callbackSecret(secretId));
      await sql`
        insert into platform_callback_secret (secret_id, registration_id, sealed_secret)
        values (${secretId}, ${of.registrations[provider]}, ${sealedSecret})
      `;
      return secretId;
    },

    /** The operator's settings at both platforms with callbacks. */
    async register(of: SeededApp = seeded) {
      for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
        const clientId = `client-${randomUUID()}`;
        await sql`
          update registration set client_id = ${clientId} where registration_id = ${of.registrations[provider]}
        `;
        sandbox.control.registerClient({
          provider,
          clientId,
          clientSecret: `secret-of-${clientId}`,
          metaSecret: `meta-secret-of-${clientId}`,
          webhookUrl: stage.urlOf(provider, provider === 'PROVIDER_B' ? 'events' : 'deauthorize', of),
          dataDeletionUrl: provider === 'PROVIDER_C' ? stage.urlOf(provider, 'data-deletion', of) : null,
        });
        await stage.addSecret(provider, `secret-of-${clientId}`, of);
      }
    },

    clientId: async (provider: ProviderName, of: SeededApp = seeded): Promise<string> => {
      const [row] = await sql`
        select client_id from registration where registration_id = ${of.registrations[provider]}
      `;
      return String(row?.clientId);
    },

    /** Lets the platform tell us something about an account, by the client of one app. */
    send: async (kind: Callback['kind'], account: SandboxAccount, more: object = {}, of: SeededApp = seeded) => {
      const clientId = await stage.clientId(account.platform, of);
      return await sandbox.control.sendCallback({ kind, clientId, account: account.id, ...more } as Callback);
    },

    account: (provider: ProviderName, index = 0): SandboxAccount => {
      const account = sandbox.control.accounts(provider)[index];
      if (!account) throw new Error('There is no such account.');
      return account;
    },

    /** A connection of that account, granted so many seconds ago. */
    async connect(
      account: SandboxAccount,
      changes: Partial<SeedConnection> & { of?: SeededApp; secondsAgo?: number } = {},
    ) {
      const { of = seeded, secondsAgo = 60, ...options } = changes;
      const registrationId = of.registrations[account.platform];
      const macOf = (purpose: string, id: string) => deps.mac.of(purpose, registrationId, id);
      const connectionId = await seedConnection(sql, of, {
        scope: of.newScope(),
        provider: account.platform,
        principalMac: macOf('principal', account.principal),
        ...options,
      });
      const macs = [...new Set([account.id, account.principal])].map((id) => macOf('account', id).toString('hex'));
      await sql`
        update account_grant set obtained_at = business_now() - make_interval(secs => ${secondsAgo}),
          account_macs = array(select decode(hex, 'hex') from unnest(${macs}::text[]) as hex)
        where connection_id = ${connectionId}
      `;
      return connectionId;
    },

    /** One round of the sweep that disconnects connections with a deletion request. */
    sweepDeletions: async () => {
      await sweepDeletions(worker);
    },

    /** The requested workflows of a connection. */
    dispatched: async (connectionId: ConnectionId) => {
      const rows = await sql`
        select workflow_type, workflow_id, input from outbox where input ->> 'connectionId' = ${connectionId}
        order by outbox_id
      `;
      return rows.map(({ workflowType, workflowId, input }) => ({ workflowType, workflowId, input }));
    },

    status: async (connectionId: ConnectionId) => {
      const [row] = await sql`select status from connection where connection_id = ${connectionId}`;
      return row?.status as string | undefined;
    },
  };
  await stage.register();
  return stage;
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** `test` with a stage. */
export const stageTest = test.extend<{ stage: Stage }>({
  stage: async ({ sql }, use) => await use(await openStage(sql)),
});

/** The stage with one connection, of the first account of this provider. */
export async function openConnected(sql: Database, provider: ProviderName, changes?: { secondsAgo: number }) {
  const stage = await openStage(sql);
  const account = stage.account(provider);
  return { stage, account, connectionId: await stage.connect(account, changes) };
}

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A body as PROVIDER_C signs it. */
export function signedRequest(payload: object, secret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url');
  const signature = createHmac('sha256', secret).update(encoded).digest('base64url');
  return new URLSearchParams({ signed_request: `${signature}.${encoded}` }).toString();
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

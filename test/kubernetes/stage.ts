// The installation while its Postgres fails: what callers, pods and Kubernetes see.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, fetch as fetchFrom } from 'undici';
import { type Client, createClient, ServiceError, waitForJob } from '../../clients/typescript/src/index.ts';
import type { Sandbox } from '../../clients/typescript/src/sandbox.ts';
import { Probes } from '../kit/probes.ts';
import type { Database } from './database.ts';
import { getAll, type KubernetesObject, kubectl, podsOf, readyPodsOf, waitFor } from './kubectl.ts';
import { CONNECT } from './parts.ts';
import { connectAccount, lastMonth, openClient, RETURN_URL, type Scope } from './usage.ts';

const API = 'accounts-social-accounts-api';
const READ_EVERY_MS = 200;
const WRITE_EVERY_MS = 500;

export interface Job {
  /** `endedAt` by `performance.now()`. */
  readonly ended: Promise<{ readonly status: string; readonly endedAt: number }>;
  hurry(): Promise<void>;
}

export interface Member {
  readonly scope: Scope;
  readonly account: string;
  readonly connectionId: string;
}

export interface StageOptions {
  readonly database: Database;
  readonly sandbox: Sandbox;
  readonly key: string;
  readonly reader: Member;
}

/** `direct…`: asked of one pod, without a Service. `proxied`: as a caller. */
export type Asked = 'directRead' | 'directWrite' | 'directReady' | 'proxied';

const personOf = (name: string): Scope => ({ tenantKey: 'main', externalSubjectId: `${name}-${randomUUID()}` });

/** A new person who has connected an account. */
export async function connectMember(client: Client, sandbox: Sandbox, note: string): Promise<Member> {
  const scope = personOf('member');
  const account = (await sandbox.listAccounts('PROVIDER_B')).find((one) => one.note.startsWith(note))?.id ?? '';
  return { scope, account, connectionId: await connectAccount(client, sandbox, scope, account) };
}

/** Reaches one pod of the api, whatever its readiness. */
function openDirectClient(address: string, key: string): Client {
  const dispatcher = new Agent({ connect: { timeout: 5_000 } });
  const direct = (url: string, init: object) => fetchFrom(url, { ...init, dispatcher });
  return createClient({ url: `${address}/graphql`, key, retries: 0, fetch: direct as unknown as typeof fetch });
}

export async function openStage({ database, sandbox, key, reader }: StageOptions) {
  await waitFor('all pods are ready', async () => (await listUnready()).length === 0, 120_000);
  const restarts = await countRestarts();
  const [pod] = await readyPodsOf('api');
  const address = `http://${pod?.status.podIP}:8080`;
  const direct = openDirectClient(address, key);
  const proxied = createClient({ url: `https://${CONNECT}/graphql`, key, retries: 0 });
  const ask = { scope: reader.scope, id: reader.connectionId };
  const accepted: { scope: Scope; id: string }[] = [];
  const openSession = async () => {
    const scope = personOf('probe');
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: RETURN_URL } as const;
    const { id } = await direct.createConnectSession({ input });
    accepted.push({ scope, id });
  };
  const probes = new Probes<Asked>({
    directRead: { everyMs: READ_EVERY_MS, ask: () => direct.connection(ask) },
    directWrite: { everyMs: WRITE_EVERY_MS, ask: openSession },
    directReady: { everyMs: READ_EVERY_MS, ask: () => requireOk(`${address}/readyz`) },
    proxied: { everyMs: READ_EVERY_MS, ask: () => proxied.connection(ask) },
  });
  await probes.secondsUntilGood('directWrite', performance.now());
  return {
    database,
    sandbox,
    reader,
    probes,
    direct,
    /** The name of the pod that is asked directly. */
    pod: pod?.metadata.name ?? '',
    isAlive: () => requireOk(`${address}/healthz`),
    /** How often each container of the service has restarted since the stage was opened. */
    async countRestarts(): Promise<number> {
      const now = await countRestarts();
      return [...now].reduce((sum, [name, count]) => sum + count - (restarts.get(name) ?? 0), 0);
    },
    /** Starts a scan whose pages the platform answers slowly until `hurry`. @returns when it is under way */
    async startJob(): Promise<Job> {
      const { account, scope, connectionId } = reader;
      const slow = { kind: 'slow', delayMs: 2_000 };
      const hurry = await sandbox.addFault({
        provider: 'PROVIDER_B',
        route: 'videoList',
        account,
        what: slow,
        times: null,
      });
      const client = openClient(key);
      const { id } = await client.requestRefresh({ scope, connectionId, window: { ...lastMonth(), maxItems: 100 } });
      const isRunning = async () => (await client.syncJob({ scope, connectionId, id })).status === 'RUNNING';
      await waitFor('the job runs', isRunning);
      const ended = waitForEnd(client, scope, connectionId, id);
      ended.catch(() => undefined);
      return { ended, hurry };
    },
    /** Sessions that were accepted and cannot be read any more. */
    async countLost(): Promise<number> {
      const client = openClient(key);
      const find = async (one: { scope: Scope; id: string }) => {
        try {
          await client.connectSessionResult(one);
          return true;
        } catch (error) {
          if (error instanceof ServiceError && error.code === 'NOT_FOUND') return false;
          throw error;
        }
      };
      let lost = 0;
      for (const one of accepted) if (!(await find(one))) lost += 1;
      return lost;
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

async function waitForEnd(client: Client, scope: Scope, connectionId: string, id: string) {
  for (;;) {
    try {
      const { status } = await waitForJob(client, { scope, connectionId, id });
      return { status, endedAt: performance.now() };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'UPSTREAM_UNAVAILABLE') throw error;
      await delay(100);
    }
  }
}

async function requireOk(url: string): Promise<void> {
  const response = await fetchFrom(url, { dispatcher: new Agent() });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
}

const podsOfService = async (): Promise<KubernetesObject[]> =>
  (await Promise.all(['api', 'worker'].map(podsOf))).flat();

async function countRestarts(): Promise<ReadonlyMap<string, number>> {
  const pods = await podsOfService();
  return new Map(pods.map(({ metadata, status }) => [metadata.name, status.containerStatuses?.[0]?.restartCount ?? 0]));
}

const namesOf = (pods: readonly KubernetesObject[]) => pods.map(({ metadata }) => metadata.name);

/** Pods of the service that are not ready. */
export async function listUnready(): Promise<string[]> {
  const ready = namesOf((await Promise.all(['api', 'worker'].map(readyPodsOf))).flat());
  return namesOf(await podsOfService()).filter((name) => !ready.includes(name));
}

/** Pods to which the api's Service leads callers. */
export async function countEndpoints(): Promise<number> {
  const slices = await getAll('endpointslices', '--selector', `kubernetes.io/service-name=${API}`);
  // biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes.
  const endpoints = slices.flatMap((slice: any) => slice.endpoints ?? []);
  return endpoints.filter(({ conditions }) => conditions.ready).length;
}

/** Two pods of each kind, also under load. */
export async function stopAutoscaling(): Promise<void> {
  for (const component of ['api', 'worker'])
    await kubectl(['patch', 'hpa', `accounts-social-accounts-${component}`, '--patch', '{"spec":{"maxReplicas":2}}']);
  await waitFor('two apis', async () => (await podsOf('api')).length === 2, 180_000);
}

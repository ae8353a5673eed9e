import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresService } from '../../local/src/postgres.ts';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import type { Platform, Post } from '../../sandbox/src/model.ts';
import { killAll, signalAll } from '../failover/nodes.ts';
import { History } from '../history/history.ts';
import { moveClock } from '../kit/clock.ts';
import { planCluster, prepareCluster } from '../kit/cluster.ts';
import { type Answer, askAdmin } from '../kit/graphql.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { insertAdminToken } from '../kit/seed.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { answerWith, openReceiver, type Receiver } from '../kit/webhook-receiver.ts';
import { Network } from './network.ts';
import { type Breakable, Supervised } from './supervised.ts';

const PLATFORMS = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
const TRIES = 60;
/** More than a run can use: its platforms shall not run out of quota. */
const DAILY_QUOTA = 10_000_000;

/** Who was erased, and the words that must be gone. */
interface Erased {
  readonly flow: string;
  readonly account: string;
  readonly subject: string | undefined;
}

type Platforms = TestService['sandbox']['control'];

/** The service under test, with everything that a run can break, and the run's record. */
export interface Stage {
  readonly service: TestService;
  /** The connections of apis and workers to the rest; undefined if nothing can break them. */
  readonly network: Network | undefined;
  /** A server of its own. */
  readonly postgres: Breakable;
  readonly temporal: Supervised;
  readonly receiver: Receiver;
  readonly history: History;
  /** Every post that the run has seen at a platform, as it was first. */
  readonly posts: Post[];
  readonly erased: Erased[];
  /** Calls of every platform, over all restarts of the sandbox. */
  readonly calls: ReturnType<TestService['sandbox']['control']['calls']>[number][];
  /** From then on nothing is broken any more, and no flow begins a new step. */
  isHealing: boolean;
  /** How long a person waits for one end. */
  patienceMs: number;
  /** Business time, in milliseconds since the epoch. */
  now(): number;
  /** An unused account; undefined if there is none left. */
  takeAccount(provider: Platform): string | undefined;
  addSignIn(redeem: () => Promise<void>): void;
  /** Redeems the sign-ins that are not redeemed yet. */
  redeemAll(): Promise<void>;
  expectErased(flow: string, account: string, subject?: string): void;
  /** Asks the admin API as an administrator, once. */
  askAdmin(query: string, variables: object): Promise<Answer>;
  /** The platforms, as soon as they run: changes there while the sandbox restarts would be forgotten. */
  platforms(): Promise<Platforms>;
  /** @returns the id of the erasure; undefined if it was never accepted */
  eraseSubject(scope: { tenantKey: string; externalSubjectId: string }): Promise<string | undefined>;
  isErasureComplete(id: string): Promise<boolean>;
  /** Makes the platform send a request to delete the account's data. @returns whether it was accepted */
  askDeletion(account: string): Promise<boolean>;
  /** Retries all waiting jobs and failed revokes, as an operator does. */
  retryJobs(): Promise<void>;
  /** Accepts the refusals of each platform that refuses many accounts: grants that the platforms lost during the faults are lost. */
  believePlatforms(): Promise<void>;
  /** Lets the verifications that wait for their next try ask their platforms now. */
  wakeVerifications(): Promise<void>;
  /** Makes the webhooks' workflow look at its deliveries. */
  sendTestEvent(): Promise<void>;
  /** Moves the service's and the platforms' clocks. */
  moveClocks(ms: number): Promise<void>;
  /** Stores the platform's calls before the sandbox restarts, or ends. */
  keepCalls(): void;
  close(): Promise<void>;
}

export interface StageOptions {
  /** How many apis and workers there are; two of each by default. */
  readonly apis?: number;
  readonly workers?: number;
  /** Whether connections can be broken as well. */
  readonly withNetwork: boolean;
}

export async function openStage(crowd: number, { apis = 2, workers = 2, withNetwork }: StageOptions): Promise<Stage> {
  const run = await openRunFolder();
  const options = await planCluster(run.folder, { durable: true });
  const part = new Part(await createPostgresService(options), run);
  await part.start();
  const postgres = openDatabase(part, options.data, () => createPostgresService(options));
  const network = withNetwork ? new Network() : undefined;
  const service = await startTestService({
    apis,
    workers,
    ...(network && { detour: network.detour }),
    cluster: await prepareCluster(options),
    crowd,
    adjustments: { SUSPEND_SIBLINGS: 'true' },
  });
  const receiver = await openReceiver();
  const history = new History();
  const admin = await openOperator(service);
  const endpoint = await admin(
    'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { endpoint { id } } }',
    { i: { appId: service.app.appId, url: receiver.url } },
  );
  const endpointId = endpoint.createWebhookEndpoint.endpoint.id;
  let movedMs = 0;
  receiver.answer((response, received) => {
    const event = JSON.parse(received.body);
    history.add('run', { type: 'event', id: event.id, event: event.type, data: event.data });
    void answerWith(204)(response, received);
  });
  await enterCallbacks(service);
  await prepareQuotas(service);
  const accounts = Object.fromEntries(
    PLATFORMS.map((provider) => [
      provider,
      service.sandbox.control.accounts(provider).filter(({ note }) => note === 'One of a crowd'),
    ]),
  );
  const signIns: (() => Promise<void>)[] = [];
  let lastCall = 0;
  let restarting = Promise.resolve();
  const stage: Stage = {
    service,
    network,
    postgres,
    temporal: new Supervised(service.temporal),
    receiver,
    history,
    posts: [],
    erased: [],
    calls: [],
    isHealing: false,
    patienceMs: 25_000,
    now: () => Date.now() + movedMs,
    takeAccount(provider) {
      const account = accounts[provider]?.shift();
      if (account !== undefined) stage.posts.push(...service.sandbox.control.posts(account.id));
      return account?.id;
    },
    addSignIn: (redeem) => signIns.push(redeem),
    async redeemAll() {
      const waiting = signIns.values();
      const redeem = async () => {
        for (const one of waiting) await one();
      };
      await Promise.all(Array.from({ length: 16 }, redeem));
    },
    expectErased: (flow, account, subject) => stage.erased.push({ flow, account, subject }),
    askAdmin: admin,
    async eraseSubject(scope) {
      const input = { appId: service.app.appId, ...scope };
      const query = 'mutation ($input: EraseSubjectInput!) { eraseSubject(input: $input) { erasure { id } } }';
      return (await insist(() => admin(query, { input })))?.eraseSubject.erasure.id;
    },
    async isErasureComplete(id) {
      const receipt = await insist(() =>
        admin('query ($id: ID!) { erasure(id: $id) { completedAt remaining } }', { id }),
      );
      return receipt?.erasure.completedAt !== null && receipt?.erasure.remaining === 0;
    },
    async platforms() {
      await restarting;
      return service.sandbox.control;
    },
    async askDeletion(account) {
      const { clientId } = KNOWN_CLIENTS.PROVIDER_C;
      const delivery = await insist(async () => {
        const sent = await (await stage.platforms()).sendCallback({ kind: 'dataDeletion', clientId, account });
        if (sent.status !== 200) throw new Error(`The callback was answered ${sent.status}.`);
        return sent;
      });
      return delivery !== undefined;
    },
    async retryJobs() {
      const query = 'mutation ($filter: JobFilter!) { retryJobs(filter: $filter) { count } }';
      // Noted before it happens: a caller may see at once that a revoke runs again.
      history.add('run', { type: 'operator', act: 'retryJobs', accepted: true });
      await insist(() => admin(query, { filter: {} }));
    },
    async believePlatforms() {
      const { registrations = [] } = (await insist(() => admin('{ registrations { id doubtedAt } }', {}))) ?? {};
      for (const { id, doubtedAt } of registrations) {
        const believe = 'mutation ($id: ID!) { retryRegistration(id: $id) { id } }';
        if (doubtedAt !== null) await insist(() => admin(believe, { id }));
      }
    },
    async wakeVerifications() {
      const query = `ExecutionStatus = 'Running' and WorkflowType in ('verifyGrant', 'verifySiblings')`;
      const { workflow } = service.temporalClient;
      // One that has just ended needs no signal.
      for await (const { workflowId } of workflow.list({ query }))
        await workflow
          .getHandle(workflowId)
          .signal('retryNow')
          .catch(() => undefined);
    },
    async sendTestEvent() {
      await insist(() => admin('mutation ($id: ID!) { sendTestWebhook(id: $id) { id } }', { id: endpointId }));
    },
    async moveClocks(ms) {
      const { sql } = service.database;
      const goal = movedMs + ms;
      // Moved once, also if an answer of the database is lost.
      const isMoved = await insist(async () => {
        const left = goal - (await readMovedMs(sql));
        if (left > 0) await moveClock(sql, left);
        return true;
      });
      if (!isMoved) throw new Error('The clock could not be moved.');
      movedMs = goal;
      history.add('run', { type: 'clock', ms });
      (await stage.platforms()).setClock(movedMs);
    },
    keepCalls() {
      const fresh = service.sandbox.control.calls().filter(({ number }) => number > lastCall);
      stage.calls.push(...fresh);
      lastCall = fresh.at(-1)?.number ?? lastCall;
    },
    async close() {
      await stage.temporal.release();
      await service.stop();
      await receiver.close();
      await network?.close();
      await postgres.kill();
      run.remove();
    },
  };
  const { restartSandbox } = service;
  Object.assign(service, {
    restartSandbox(meanwhile: () => Promise<void>) {
      const { control } = service.sandbox;
      const restart = async () => {
        await restartSandbox(meanwhile);
        stage.calls.push(...control.calls().filter(({ number }) => number > lastCall));
        lastCall = 0;
        service.sandbox.control.setClock(movedMs);
      };
      restarting = restart();
      return restarting;
    },
  });
  return stage;
}

/** How far business time has been moved. */
async function readMovedMs(sql: TestService['database']['sql']): Promise<number> {
  const [table] = await sql`select to_regclass('test_clock') is not null as exists`;
  if (!table?.exists) return 0;
  const [row] = await sql`select extract(epoch from moved) * 1000 as ms from test_clock`;
  return Number(row?.ms ?? 0);
}

/** Repeats an action during faults. @returns undefined if it never worked */
async function insist<T>(act: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await act();
    } catch {
      await delay(500);
    }
  }
  return undefined;
}

/** Repeats an action during faults. @throws the error of its last try */
export async function persist<T extends object>(act: () => Promise<T>): Promise<T> {
  return (await insist(act)) ?? (await act());
}

/** Its whole process tree, by its data folder. */
const openDatabase = (part: Part, data: string, clearStalePid: () => Promise<unknown>): Breakable => ({
  name: 'postgres',
  kill: () => killAll(data),
  async start() {
    await clearStalePid();
    await part.start();
  },
  pause: () => signalAll(data, 'SIGSTOP'),
  resume: () => signalAll(data, 'SIGCONT'),
});

async function openOperator({ apiUrls, database }: TestService) {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const { token } = await insertAdminToken(database.sql, { label: 'faults', role: 'ADMIN', expiresAt });
  let turn = 0;
  return async (query: string, variables: object) => {
    turn += 1;
    return await askAdmin(apiUrls[turn % apiUrls.length], token, query, variables);
  };
}

/** Acts as the operator: stores the platforms' secrets here, and enters our URLs there. */
async function enterCallbacks({ app, apiUrls, commandLine, database, sandbox }: TestService): Promise<void> {
  const rows = await database.sql`
    select provider, registration_id from registration join registration_app using (registration_id)
    where app_id = ${app.appId}
  `;
  const idOf = (provider: string) => String(rows.find((row) => row.provider === provider)?.registrationId);
  for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    const registration = idOf(provider);
    const base = `${apiUrls[0]}/api/platform/${provider === 'PROVIDER_B' ? 'provider-b' : 'provider-c'}/${registration}`;
    await commandLine.run('callback-secret add', { registration }, clientSecret);
    sandbox.control.registerClient({
      provider,
      clientId,
      webhookUrl: `${base}/${provider === 'PROVIDER_B' ? 'events' : 'deauthorize'}`,
      ...(provider === 'PROVIDER_C' && { dataDeletionUrl: `${base}/data-deletion` }),
    });
  }
}

/** Automatic refresh at every platform, and enough quota for all. */
async function prepareQuotas({ app, commandLine, database, sandbox }: TestService): Promise<void> {
  await database.sql`update registration set daily_quota = ${DAILY_QUOTA}`;
  sandbox.control.changeSettings({
    a: { unitsPerDay: DAILY_QUOTA },
    // As TikTok's. The workers' own clock is not moved, so that a shorter life would seem to be over when the clock has moved
    // that far, and every read would rotate the tokens.
    b: { callsPerMinute: DAILY_QUOTA, accessSeconds: 86_400 },
    c: { callsPerDay: DAILY_QUOTA },
  });
  for (const provider of PLATFORMS) {
    await commandLine.run('policy refresh', { app: app.appId, provider, minutes: '15', days: '30' });
  }
}

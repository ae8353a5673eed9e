import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresService } from '../../local/src/postgres.ts';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import type { Platform, Post } from '../../sandbox/src/model.ts';
import { killAll, signalAll } from '../failover/nodes.ts';
import { History } from '../history/history.ts';
import { moveClock } from '../kit/clock.ts';
import { planCluster, prepareCluster } from '../kit/cluster.ts';
import { askAdmin } from '../kit/graphql.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { insertAdminToken } from '../kit/seed.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { answerWith, openReceiver } from '../kit/webhook-receiver.ts';
import { Network } from './network.ts';

const PLATFORMS = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const;
const TRIES = 60;
/** More than a run can use: its platforms shall not run out of quota. */
const DAILY_QUOTA = 10_000_000;

export interface StageOptions {
  /** How many apis and workers there are; two of each by default. */
  readonly apis?: number;
  readonly workers?: number;
  /** Whether connections can be broken as well. */
  readonly withNetwork: boolean;
}

/** The service under test, with everything that a run can break, and the run's record. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage(crowd: number, { apis = 2, workers = 2, withNetwork }: StageOptions) {
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
  const { control } = service.sandbox;
  const signIns: (() => Promise<void>)[] = [];
  const posts: Post[] = [];
  const erased: { readonly flow: string; readonly account: string; readonly subject: string | undefined }[] = [];
  const calls: ReturnType<typeof control.calls>[number][] = [];
  return {
    service,
    /** The connections of apis and workers to the rest; undefined if nothing can break them. */
    network,
    postgres,
    receiver,
    history,
    /** Every post that the run has seen at a platform, as it was first. */
    posts,
    /** Who was erased: words of theirs must be gone. */
    erased,
    /** Calls of every platform. */
    calls,
    /** From then on nothing is broken any more, and no flow begins a new step. */
    isHealing: false,
    /** Business time, in milliseconds since the epoch. */
    now: () => Date.now() + movedMs,
    /** An unused account; undefined if there is none left. */
    takeAccount(provider: Platform): string | undefined {
      const account = accounts[provider]?.shift();
      if (account !== undefined) posts.push(...control.posts(account.id));
      return account?.id;
    },
    addSignIn: (redeem: () => Promise<void>) => void signIns.push(redeem),
    /** Redeems the sign-ins that are not redeemed yet. */
    async redeemAll() {
      const waiting = signIns.values();
      const redeem = async () => {
        for (const one of waiting) await one();
      };
      await Promise.all(Array.from({ length: 16 }, redeem));
    },
    expectErased: (flow: string, account: string, subject?: string) => void erased.push({ flow, account, subject }),
    /** @returns the id of the erasure; undefined if it was never accepted */
    async eraseSubject(scope: object): Promise<string | undefined> {
      const input = { appId: service.app.appId, ...scope };
      const query = 'mutation ($input: EraseSubjectInput!) { eraseSubject(input: $input) { erasure { id } } }';
      return (await insist(() => admin(query, { input })))?.eraseSubject.erasure.id;
    },
    async isErasureComplete(id: string): Promise<boolean> {
      const receipt = await insist(() =>
        admin('query ($id: ID!) { erasure(id: $id) { completedAt remaining } }', { id }),
      );
      return receipt?.erasure.completedAt !== null && receipt?.erasure.remaining === 0;
    },
    /** Makes the platform send a request to delete the account's data. @returns whether it was accepted */
    async askDeletion(account: string): Promise<boolean> {
      const { clientId } = KNOWN_CLIENTS.PROVIDER_C;
      const delivery = await insist(async () => {
        const sent = await control.sendCallback({ kind: 'dataDeletion', clientId, account });
        if (sent.status !== 200) throw new Error(`The callback was answered ${sent.status}.`);
        return sent;
      });
      return delivery !== undefined;
    },
    /** Retries all waiting jobs and failed revokes, as an operator does. */
    async retryJobs() {
      const query = 'mutation ($filter: JobFilter!) { retryJobs(filter: $filter) { count } }';
      // Noted before it happens: a caller may see at once that a revoke runs again.
      history.add('run', { type: 'operator', act: 'retryJobs', accepted: true });
      await insist(() => admin(query, { filter: {} }));
    },
    /** Accepts the refusals of each platform that refuses many accounts: grants that the platforms lost during the faults are lost. */
    async believePlatforms() {
      const { registrations = [] } = (await insist(() => admin('{ registrations { id doubtedAt } }', {}))) ?? {};
      for (const { id, doubtedAt } of registrations) {
        const believe = 'mutation ($id: ID!) { retryRegistration(id: $id) { id } }';
        if (doubtedAt !== null) await insist(() => admin(believe, { id }));
      }
    },
    /** Lets the verifications that wait for their next try ask their platforms now. */
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
    /** Makes the webhooks' workflow look at its deliveries. */
    async sendTestEvent() {
      await insist(() => admin('mutation ($id: ID!) { sendTestWebhook(id: $id) { id } }', { id: endpointId }));
    },
    /** Moves the service's and the platforms' clocks. */
    async moveClocks(ms: number) {
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
      control.setClock(movedMs);
    },
    /** Stores the platform's calls: the sandbox remembers its last ones only. */
    keepCalls() {
      const last = calls.at(-1)?.number ?? 0;
      calls.push(...control.calls().filter(({ number }) => number > last));
    },
    async close() {
      await service.stop();
      await receiver.close();
      await network?.close();
      await postgres.kill();
      run.remove();
    },
  };
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

/** What a run can break: each is a process, or more. */
export type Breakable = Pick<Part, 'name' | 'kill' | 'start' | 'pause' | 'resume'>;

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

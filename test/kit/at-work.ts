import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { test as plainTest, vi } from 'vitest';
import { type DevelopmentKeys, makeKeys } from '../../local/src/development-keys.ts';
import { buildHttpUrl, findFreePort } from '../../local/src/ports.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import type { Control } from '../../sandbox/src/control.ts';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import {
  createIssuerActivities,
  createProviderActivities,
  createStoreActivities,
  createWebhookActivities,
} from '../../src/activities/index.ts';
import { startApi } from '../../src/api/main.ts';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import type { AppId, AttemptId, ConnectionId, JobId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { SWEEPS, type SweepKind } from '../../src/basics/sweeps.ts';
import { readConfig } from '../../src/config/config.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { createWorkerDeps } from '../../src/worker/deps.ts';
import { createWorkers } from '../../src/worker/workers.ts';
import { RETRY_NOW, WORKFLOWS } from '../../src/workflows/contract.ts';
import { PATIENCE } from './backend.ts';
import { allow, Browser, fetchCallback, type Page } from './browser.ts';
import { actsOnOthers, checkBystanders, settleBystanders } from './bystanders.ts';
import { businessNow, DAY_MS } from './clock.ts';
import { apiEnvironment, Caller, temporalEnvironment } from './conformance.ts';
import { usualInlineSteps } from './fake-activities.ts';
import { gate } from './gate.ts';
import { type Answer, askAdmin } from './graphql.ts';
import { PERMISSIONS, type SessionOptions } from './person.ts';
import { createCrowdedDatabase, type Database } from './postgres.ts';
import { openRunFolder } from './run-folder.ts';
import { freezeClock, insertAdminToken, releaseClock, type SeededApp, seedApp } from './seed.ts';
import { sweepAttempts, sweepDeletions } from './sweeping.ts';
import { bundleWorkflows, runUntil } from './temporal.ts';

/**
 * A running service in this process: the api over HTTP, a worker with its real activities and workflows on a real
 * Temporal, and all platforms on their wire formats. A test sees the same as a caller, a browser and a platform.
 * A test moves business time and starts each round of housekeeping.
 */
export type Running = Awaited<ReturnType<typeof startService>>;
export type Service = Omit<Running, 'close'>;

interface StartOptions {
  /** How many ordinary accounts each platform has besides the usual ones. */
  readonly crowd?: number;
  /** The platforms' clock, in ms since the epoch. */
  readonly clock?: () => number;
  /** The api's port; any free one by default. */
  readonly port?: number;
  /** Wraps each activity of the worker. */
  readonly around?: (name: string, activity: Activity) => Activity;
}

/** An activity as Temporal calls it. */
export type Activity = (...args: readonly unknown[]) => Promise<unknown>;

export async function startService(
  adjustments: Readonly<Record<string, string>>,
  { crowd, clock, around, port: given }: StartOptions = {},
) {
  const [run, database, keys, sandbox, bundle, port] = await Promise.all([
    openRunFolder(),
    createCrowdedDatabase(),
    makeKeys(),
    startSandbox({ port: 0, crowd, clock }),
    bundleWorkflows(),
    given ?? findFreePort(),
  ]);
  const temporal = temporalEnvironment();
  Object.assign(process.env, temporal);
  await settleBystanders(database.sql);
  const url = buildHttpUrl(port);
  const WORKFLOW_BUNDLE = path.join(run.folder, 'workflows.js');
  writeFileSync(WORKFLOW_BUNDLE, bundle.code);
  const common = {
    ...platform(sandbox.url),
    CONNECT_URL: url,
    TASK_QUEUE: `at-work-${randomUUID()}`,
    SHUTDOWN_GRACE_SECONDS: '0',
    ...adjustments,
  };
  const log = createLog('silent');
  const wrap = <Activities extends object>(activities: Activities): Activities =>
    around === undefined
      ? activities
      : (Object.fromEntries(
          Object.entries(activities).map(([name, activity]) => [name, around(name, activity)]),
        ) as Activities);

  const { sql } = database;
  const changes = new EventEmitter().setMaxListeners(0);
  const start = async (withKeys: DevelopmentKeys) => {
    const shared = { ...apiEnvironment(withKeys, database.urls.api), ...common, API_PORT: String(port) };
    const config = readConfig('worker', {
      ...shared,
      ...withKeys,
      DATABASE_URL: database.urls.worker,
      WORKFLOW_BUNDLE,
    });
    const parts = await createWorkerDeps(config, log);
    // One for each worker process: the library refuses two workers of one queue on one connection.
    const connection = await NativeConnection.connect({ address: temporal.TEMPORAL_ADDRESS });
    const provider = wrap(createProviderActivities(parts));
    const activities = {
      store: wrap(createStoreActivities(parts)),
      provider,
      inlineSteps: usualInlineSteps(provider),
      issuer: wrap(createIssuerActivities(parts)),
      webhook: wrap(createWebhookActivities(parts)),
    };
    const activityEnded = () => void changes.emit('change');
    const workers = await createWorkers(config, connection, activities, { activityEnded });
    const api = await startApi(readConfig('api', shared), log);
    const end = gate();
    const working = runUntil(workers, () => end.opened);
    return {
      parts,
      keys: withKeys,
      async close() {
        await api.close();
        end.open();
        await working;
        await parts.close();
        await connection.close();
      },
    };
  };
  let processes = await start(keys);
  const issuer = `${sandbox.url}/idp`;
  const sealInbox = await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS));
  return {
    sql,
    control: sandbox.control,
    /** The OpenID provider's issuer URL. */
    issuer,
    /** A new user of the given user's app, or of a new app. */
    async newUser(of?: User): Promise<User> {
      const seeded = of?.seeded ?? (await seedApp(sql));
      const clientIds = of?.clientIds ?? (await registerAt(sandbox.control, { sql, seeded, sealInbox }));
      const user = new User([url], seeded, { clientIds, control: sandbox.control, changes });
      if (of !== undefined) return user;
      const secret = await sealInbox(IDP_CLIENT.clientSecret, associatedData.issuerSecret(seeded.issuerId));
      await sql`
        update identity_issuer set issuer = ${issuer}, client_id = ${IDP_CLIENT.clientId}, sealed_client_secret = ${secret}
        where issuer_id = ${seeded.issuerId}
      `;
      return user;
    },
    /** Runs one round of housekeeping to its end. It acts on all rows, so the test may change rows of bystanders. */
    async sweep(kind: SweepKind): Promise<void> {
      const { parts } = processes;
      actsOnOthers(sql);
      if (kind === 'outbox') return void (await parts.dispatcher.deliverDue());
      if (kind === 'deletions') return void (await sweepDeletions(parts));
      if (kind === 'attempts') return void (await sweepAttempts(parts));
      const { taskQueue, temporal } = parts;
      const args = [{ kind: kind === 'retention' ? 'retention' : 'minute', only: SWEEPS[kind].steps }];
      await temporal.workflow.execute('sweep', { taskQueue, workflowId: `sweep-${randomUUID()}`, args });
    },
    /** Wakes a workflow that waits for its next try; one that has ended meanwhile needs none. */
    async retryNow(workflowId: string): Promise<void> {
      const run = processes.parts.temporal.workflow.getHandle(workflowId);
      await run.signal(RETRY_NOW).catch(async (error: unknown) => {
        const { closeTime } = await run.describe();
        if (closeTime === undefined) throw error;
      });
    },
    /** Waits until these workflows have closed. */
    closed: (...ids: readonly string[]): Promise<unknown> =>
      Promise.allSettled(ids.map((id) => processes.parts.temporal.workflow.getHandle(id).result())),
    /** Terminates a workflow, as an operator may. */
    terminate: (workflowId: string): Promise<unknown> =>
      processes.parts.temporal.workflow.getHandle(workflowId).terminate('Ended by hand.'),
    /** The client of the running worker, and its task queue. */
    get temporal(): Client {
      return processes.parts.temporal;
    },
    get taskQueue() {
      return processes.parts.taskQueue;
    },
    /** Stops business time at this instant, in ms, until the test ends. */
    at: (instant: number): Promise<void> => freezeClock(sql, new Date(instant)),
    /** Sends a mutation with its arguments to the admin API, as an ADMIN. */
    async operate(mutation: string): Promise<Answer> {
      // A new one each time: no token lives as long as the tests move business time.
      const expiresAt = new Date((await businessNow(sql)).getTime() + DAY_MS);
      const { token } = await insertAdminToken(sql, { label: 'tests', role: 'ADMIN', expiresAt });
      return await askAdmin(url, token, `mutation { ${mutation} { __typename } }`);
    },
    /** The keys of the running processes. */
    get keys(): DevelopmentKeys {
      return processes.keys;
    },
    /** Starts api and worker again, with these keys. */
    async replace(next: DevelopmentKeys): Promise<void> {
      await processes.close();
      processes = await start(next);
    },
    async close(): Promise<void> {
      await processes.close();
      await sandbox.close();
      await database.drop();
      run.remove();
    },
  };
}

/** Fast rates: no test waits for a turn. */
const platform = (sandbox: string) => ({
  ...listPlatformUrls(sandbox),
  ...Object.fromEntries(PROVIDER_NAMES.map((name) => [`${name}_CALLS_PER_SECOND`, '1000'])),
});

/** Registers clients for one app at the platforms, so that tests do not end each other's grants. */
async function registerAt(
  control: Control,
  given: { sql: Database; seeded: SeededApp; sealInbox: Awaited<ReturnType<typeof createSeal>> },
): Promise<string[]> {
  const { sql, seeded, sealInbox } = given;
  const clientIds: string[] = [];
  for (const provider of PROVIDER_NAMES) {
    const registrationId = seeded.registrations[provider];
    const client = { clientId: `client-${randomUUID()}`, clientSecret: randomUUID(), project: randomUUID() };
    control.registerClient({ provider, ...client });
    clientIds.push(client.clientId);
    const sealed = await sealInbox(client.clientSecret, associatedData.clientSecret(registrationId));
    await sql`
      update registration set client_id = ${client.clientId}, sealed_client_secret = ${sealed}
      where registration_id = ${registrationId}
    `;
  }
  return clientIds;
}

/** Repeats `look` until it returns a value. */
export const until = <T>(look: () => Promise<T | false | undefined>): Promise<T> =>
  vi.waitUntil(look, PATIENCE) as Promise<T>;

/** Without news of a change, it asks again after this time. */
const QUIET_MS = 500;

interface UserParts {
  /** The app's client ids at the platforms. */
  readonly clientIds: readonly string[];
  readonly control: Control;
  /** Tells that an activity of the worker has ended. */
  readonly changes: EventEmitter;
}

/** A person with a browser, and the app's backend that acts for them. */
export class User extends Caller {
  readonly browser = new Browser('https://caller.example/');
  readonly appId: AppId;
  readonly clientIds: readonly string[];
  readonly #parts: UserParts;

  constructor(urls: readonly string[], seeded: SeededApp, parts: UserParts) {
    super(urls, seeded);
    this.appId = seeded.app.appId;
    this.clientIds = parts.clientIds;
    this.#parts = parts;
  }

  protected override async changed(signal: AbortSignal): Promise<unknown> {
    return await once(this.#parts.changes, 'change', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]),
    });
  }

  /** Finds the account by its note on the consent page. @returns its id. */
  account(provider: ProviderName, note: RegExp): string {
    const account = this.#parts.control.accounts(provider).find((one) => note.test(one.note));
    if (account === undefined) throw new Error(`There is no account like ${note}.`);
    return account.id;
  }

  /** This app's live grants of an account at the platform. */
  liveGrants(account: string): readonly unknown[] {
    const ours = this.#parts.control.grants().filter(({ clientId }) => this.clientIds.includes(clientId));
    return ours.filter((one) => one.accountId === account && one.endedAt === null && one.tokens.length > 0);
  }

  /** Posts the launch form from a page of the app. @returns the consent page, or the page that was shown instead. */
  async open(session: Answer): Promise<Page> {
    return await this.browser.launch(session, this.seeded.returnUrl);
  }

  async agree(consent: Page, account: string, permissions: readonly string[]): Promise<Page> {
    return await this.browser.submit(consent, allow(account, permissions));
  }

  async deny(consent: Page): Promise<Page> {
    return await this.browser.submit(consent, [['decision', 'deny']]);
  }

  /**
   * Launches in a new browser. The person allows access, or denies it if `account` is null.
   * @returns a function that sends the callback, as often as needed, and returns its response.
   */
  async consent(session: Answer, account: string | null, permissions: readonly string[]) {
    const { location, cookie } = await this.launch('connect', session.launchToken);
    const browser = new Browser(`${this.urls[0]}/api/connect/callback/`);
    const page = await browser.open(location ?? '');
    const answer = account === null ? [['decision', 'deny'] as const] : allow(account, permissions);
    const { url } = await browser.submit(page, answer);
    return async (changed: (url: URL) => void = () => {}) => {
      const callback = new URL(url);
      changed(callback);
      const response = await fetchCallback(callback, cookie);
      await response.body?.cancel();
      return { status: response.status, location: response.headers.get('location') };
    };
  }

  /** Creates an attempt for all capabilities by default. */
  async newAttempt(provider: ProviderName, options: SessionOptions = {}): Promise<Answer> {
    return await this.createSession({ provider, capabilities: CAPABILITIES, ...options });
  }

  /** Reads the current result if `asItIs`; otherwise waits for it. */
  async finishedOr(id: string, asItIs: boolean): Promise<Answer> {
    return await (asItIs ? this.result(id) : this.finished(id));
  }

  /** Creates, launches and finishes an attempt. @returns its result. */
  async attempt(
    provider: ProviderName,
    account: string,
    { permissions = PERMISSIONS[provider], ...options }: SessionOptions & { permissions?: readonly string[] } = {},
  ): Promise<Answer> {
    const session = await this.newAttempt(provider, options);
    await this.agree(await this.open(session), account, permissions);
    return await this.finished(session.id);
  }

  /** Connects in a browser of its own, and waits for the first scan. @returns the connection's id. */
  async connect(
    provider: ProviderName,
    account: string,
    { permissions = PERMISSIONS[provider], ...options }: Parameters<User['attempt']>[2] = {},
  ): Promise<string> {
    const session = await this.newAttempt(provider, options);
    await (await this.consent(session, account, permissions))();
    const { connectionId, status, resultCode } = await this.finished(session.id);
    if (connectionId === null) throw new Error(`The attempt ended ${status}, ${resultCode}.`);
    await this.synced(connectionId);
    return connectionId;
  }

  /** Requests a scan or a metrics refresh and waits for its end. */
  async refresh(connectionId: string, args: object = {}): Promise<Answer> {
    const { id } = await this.ask('requestRefresh', { connectionId, ...args });
    return await this.ended(connectionId, id);
  }

  async lookUp(connectionId: string, url: string): Promise<Answer> {
    const { id } = await this.ask('requestContentLookup', { connectionId, url });
    return await this.ended(connectionId, id);
  }
}

/** Scans a connection whose grant has ended. @returns the job, once the platform has repeated its refusal ten seconds later (D-840) */
export async function scanEnded(service: Service, user: User, connectionId: string): Promise<Answer> {
  const { id } = await user.ask('requestRefresh', { connectionId });
  const { nextRetryAt } = await user.waiting(connectionId, id);
  await service.at(Date.parse(nextRetryAt));
  await service.retryNow(scanWorkflow(id));
  return await user.ended(connectionId, id);
}

export const connectWorkflow = (attemptId: string) =>
  WORKFLOWS.connectAttempt.id({ attemptId: attemptId as AttemptId });
export const scanWorkflow = (jobId: string) => WORKFLOWS.scan.id({ jobId: jobId as JobId });
export const metricsWorkflow = (jobId: string) => WORKFLOWS.metricsRefresh.id({ jobId: jobId as JobId });
export const lookupWorkflow = (jobId: string) => WORKFLOWS.contentLookup.id({ jobId: jobId as JobId });
export const siblingsWorkflow = (jobId: string) => WORKFLOWS.verifySiblings.id({ jobId: jobId as JobId, run: 0 });
export const disconnectWorkflow = (connectionId: string) =>
  WORKFLOWS.disconnect.id({ connectionId: connectionId as ConnectionId });

const serve =
  (adjustments: Readonly<Record<string, string>>) =>
  async ({}, use: (service: Running) => Promise<void>) => {
    const service = await startService(adjustments);
    await use(service);
    await service.close();
  };

/** `test` with a running service of its own. */
export const serviceTest = (adjustments: Readonly<Record<string, string>>) =>
  plainTest.extend<{ service: Running }>({ service: serve(adjustments) });

type WorkTest = ReturnType<typeof createWorkTest>;
const workTests = new Map<string, WorkTest>();

/** `test` with one running service for each process and one user for each test. The clock runs again after each test. */
export function workTest(adjustments: Readonly<Record<string, string>> = {}): WorkTest {
  const key = JSON.stringify(adjustments);
  const known = workTests.get(key) ?? createWorkTest(adjustments);
  workTests.set(key, known);
  return known;
}

const createWorkTest = (adjustments: Readonly<Record<string, string>>) =>
  plainTest.extend<{ $worker: { service: Service }; $test: { user: User } }>({
    service: [serve(adjustments), { scope: 'worker' }],
    user: async ({ service }, use) => {
      service.control.clearCalls();
      await use(await service.newUser());
      await checkBystanders(service.sql);
      // Waiting work of this test must not meet the faults of the next one.
      await service.sql`update app set enabled = false where enabled and not bystander.is_twin(app_id)`;
      await releaseClock(service.sql);
      service.control.clearFaults();
    },
  });

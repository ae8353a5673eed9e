import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ForeignSchemaError } from '../../src/basics/errors.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { seedAdminToken } from './admin-token.ts';
import { registerCallbackUrls } from './callback-urls.ts';
import type { DemoApp } from './demo-app.ts';
import { seedDemoApp } from './demo-app.ts';
import { type DevelopmentKeys, loadDevelopmentKeys } from './development-keys.ts';
import { buildHttpUrl, canListen, findFreePort, LOOPBACK } from './ports.ts';
import { createPostgresService, ensureDatabase } from './postgres.ts';
import { ensureReachableFolder, findPostgresUser } from './postgres-programs.ts';
import { readPrivateJson, writePrivateJson, writePrivateText } from './private-file.ts';
import { ProcessRecord } from './process.ts';
import { runStep, say } from './screen.ts';
import { RunningService, type Service, type ServiceContext } from './service.ts';
import {
  createApiService,
  createCallerService,
  createCommandEnvironment,
  createSandboxService,
  createWorkerService,
  pickAdjustments,
  ROOT,
} from './services.ts';
import { type Ports, type StackSettings, USUAL_PORTS } from './settings.ts';
import { createShellScript } from './shell-script.ts';
import { createTemporalService, NAMESPACE, registerSearchAttributes, setRetention } from './temporal.ts';
import { findTemporalCommand } from './temporal-programs.ts';

export const FOLDER = path.join(ROOT, '.local');
export const STACK_FILE = path.join(FOLDER, 'stack.json');
/** A shell in which the operators' commands and `temporal` reach this stack. */
export const SHELL_FILE = path.join(FOLDER, 'operator.sh');
export const LOCK_FILE = path.join(FOLDER, 'stack.lock');
const CACHE = path.join(ROOT, '.cache');
const DATABASE = 'accounts';
/** Services that are not built from these sources. */
const THIRD_PARTY = ['postgres', 'temporal'];

/** All addresses, also written to `.local/stack.json` for programs. Null for a service that this stack does not run. */
export interface StackAddresses {
  readonly graphqlUrl: string;
  readonly schemaUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly consoleUrl: string;
  readonly connectUrl: string;
  readonly sandboxUrl: string;
  readonly callerUrl: string;
  /** A GraphQL explorer. It runs beside the example caller. */
  readonly explorerUrl: string | null;
  readonly temporalUiUrl: string | null;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** Metrics of the worker and gauges over all tables. */
  readonly metricsUrl: string;
  readonly apiMetricsUrl: string;
  readonly app: DemoApp;
}

/** A program whose port differs from the usual one, which the documents name. */
export interface MovedPort {
  readonly name: keyof Ports;
  readonly usual: number;
  readonly port: number;
  /** Whether another program has the usual port now. Otherwise it had it at an earlier start. */
  readonly isTaken: boolean;
}

export interface StackOptions {
  /** Holds the data, the keys and the logs. `.local` by default. */
  readonly folder?: string;
  /** Holds the downloaded programs. `.cache` by default. */
  readonly cache?: string;
  /** Whether the example caller runs. Without it, its addresses answer nothing, but the app and its return URL exist. */
  readonly withCaller?: boolean;
  /** Whether the databases survive a crash of this machine. */
  readonly durable?: boolean;
  /** The app's return URL, instead of the example caller's. */
  readonly returnUrl?: string | undefined;
  /** Where the app's webhooks go, instead of to the example caller. */
  readonly webhookUrl?: string | undefined;
  /** Called once if the folder disappears while the stack runs: its data is lost. Say why, stop the stack, and end. */
  readonly onLost?: (why: string) => void;
}

const FOLDER_CHECK_MS = 1_000;

/** Like `Promise.all`, but no work is left running when it rejects: after a failure, everything may be deleted. */
async function together<T extends readonly unknown[]>(work: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

/** The service and its dependencies on this machine. They start in order of dependency and stop in reverse. */
export class Stack {
  readonly #options: Required<StackOptions>;
  readonly #surroundings: ServiceContext;
  readonly #record: ProcessRecord;
  #services: RunningService[] = [];
  #movedPorts: readonly MovedPort[] = [];
  /** Undefined if the stack uses another Temporal server. */
  #temporalProgram: string | undefined;
  #stopped: Promise<void> | undefined;
  readonly #folderCheck: NodeJS.Timeout;

  constructor(options: StackOptions = {}) {
    const defaults = { folder: FOLDER, cache: CACHE, withCaller: true, durable: true, onLost: () => undefined };
    this.#options = { ...defaults, returnUrl: undefined, webhookUrl: undefined, ...options };
    const { folder } = this.#options;
    this.#record = new ProcessRecord(path.join(folder, 'processes.json'));
    const logs = path.join(folder, 'logs');
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    this.#surroundings = { logs, record: this.#record, say };
    this.#folderCheck = setInterval(() => {
      if (this.isStopping || existsSync(logs)) return;
      clearInterval(this.#folderCheck);
      this.#options.onLost(`${folder} is gone, and with it the data of this stack. The stack ends.`);
    }, FOLDER_CHECK_MS).unref();
  }

  /** Ends processes that a killed stack left running. With `fresh` it also deletes the stack's data. */
  async clear({ fresh }: { fresh: boolean }): Promise<void> {
    rmSync(path.join(this.#options.folder, 'stack.json'), { force: true });
    const orphans = await runStep('Ending processes of an earlier stack', () => this.#record.endOrphans());
    if (orphans.length > 0) say(`Ended processes of an earlier stack: ${orphans.join(', ')}.`);
    if (!fresh) return;
    const { folder } = this.#options;
    if (process.env.DATABASE_URL) {
      throw new Error('DATABASE_URL names your own database, and --fresh does not delete its data.');
    }
    rmSync(dataFolder(this.#options.folder), { recursive: true, force: true });
    const isKept = (name: string) => name === 'logs' || name.startsWith(path.basename(LOCK_FILE));
    for (const name of readdirSync(folder).filter((each) => !isKept(each))) {
      rmSync(path.join(folder, name), { recursive: true });
    }
  }

  /** @throws if a service does not become ready. Call `stop` then too. */
  async start(): Promise<StackAddresses> {
    const { folder } = this.#options;
    const keys = await loadDevelopmentKeys(folder);
    const ports = await choosePorts(folder);
    this.#movedPorts = await listMovedPorts(ports);
    const [databaseUrl, temporal] = await together([
      runStep('Starting Postgres', () => this.#startPostgres(ports, keys)),
      runStep('Starting Temporal', () => this.#startTemporal(ports)),
    ]);
    const adjustments = pickAdjustments(process.env);
    const settings: StackSettings = { ports, keys, databaseUrl, temporal, adjustments, folder };
    const app = await runStep('Starting api and worker', () => this.#startPrograms(settings));
    await registerCallbackUrls(settings, app);
    const addresses = addressesOf(settings, app, {
      adminToken: await seedAdminToken(settings),
      withExplorer: this.#options.withCaller,
    });
    writePrivateText(
      path.join(folder, 'operator.sh'),
      createShellScript(createCommandEnvironment(settings), this.#temporalProgram),
    );
    writePrivateJson(path.join(folder, 'stack.json'), addresses);
    return addresses;
  }

  /** Restarts our own programs after a new build. */
  async restartPrograms(): Promise<void> {
    await Promise.all(
      this.#services
        .filter(({ name }) => !THIRD_PARTY.includes(name))
        .map(async (service) => {
          await service.stop();
          await service.start();
        }),
    );
  }

  /** The ports of the started stack that differ from the usual ones. */
  get movedPorts(): readonly MovedPort[] {
    return this.#movedPorts;
  }

  get isStopping(): boolean {
    return this.#stopped !== undefined;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** @returns the demo app that the caller and the explorer use */
  async #startPrograms(settings: StackSettings): Promise<DemoApp> {
    await migrateDatabase(settings.databaseUrl);
    const [app] = await together([
      this.#startDemo(settings),
      this.#run(createApiService(settings)),
      this.#run(createWorkerService(settings)),
    ]);
    return app;
  }

  async #startDemo(settings: StackSettings): Promise<DemoApp> {
    const app = await seedDemoApp(settings, this.#options);
    const { withCaller } = this.#options;
    await together([
      this.#run(createSandboxService(settings, withCaller ? app : undefined)),
      ...(withCaller ? [this.#run(createCallerService(settings, app))] : []),
    ]);
    return app;
  }

  async #stopAll(): Promise<void> {
    clearInterval(this.#folderCheck);
    // Stops each service before its dependencies.
    const isBackend = (name: string) => ['sandbox', 'temporal'].includes(name);
    await this.#stopThose((name) => !isBackend(name) && name !== 'postgres');
    await this.#stopThose(isBackend);
    await this.#stopThose((name) => name === 'postgres');
    this.#record.clear();
    rmSync(path.join(this.#options.folder, 'stack.json'), { force: true });
  }

  /** Deletes everything that the stopped stack has written. */
  delete(): void {
    rmSync(dataFolder(this.#options.folder), { recursive: true, force: true });
    rmSync(this.#options.folder, { recursive: true, force: true });
  }

  async #stopThose(isMeant: (name: string) => boolean): Promise<void> {
    await Promise.all(this.#services.filter(({ name }) => isMeant(name)).map((service) => service.stop()));
  }

  async #run(service: Service): Promise<void> {
    this.#throwIfStopping();
    const running = new RunningService(service, this.#surroundings);
    this.#services.push(running);
    await running.start();
    this.#throwIfStopping();
  }

  #throwIfStopping(): void {
    if (this.isStopping) throw new Error('Stopped while starting.');
  }

  async #startPostgres(ports: Ports, { databasePassword }: DevelopmentKeys): Promise<string> {
    if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
    const user = findPostgresUser();
    const options = {
      data: dataFolder(this.#options.folder),
      cache: this.#options.cache,
      user,
      port: ports.postgres,
      password: databasePassword,
      durable: this.#options.durable,
    };
    await this.#run(await createPostgresService(options));
    return await ensureDatabase(options, DATABASE);
  }

  /** @returns the environment variables for Temporal's address and namespace */
  async #startTemporal(ports: Ports): Promise<Record<string, string>> {
    if (process.env.TEMPORAL_ADDRESS) {
      await registerSearchAttributes();
      return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('TEMPORAL_'))) as Record<
        string,
        string
      >;
    }
    const program = await findTemporalCommand(this.#options.cache);
    this.#temporalProgram = program;
    const { folder } = this.#options;
    const databaseFile = path.join(folder, 'temporal.db');
    const options = { program, port: ports.temporal, uiPort: ports.temporalUi, databaseFile, cwd: folder };
    await this.#run(createTemporalService(options));
    await setRetention(options);
    return {
      TEMPORAL_ADDRESS: `${LOOPBACK}:${ports.temporal}`,
      TEMPORAL_NAMESPACE: NAMESPACE,
    };
  }
}

/**
 * Finds Postgres' data folder: `.local/postgres`, or its substitute, to which `.local/postgres` is then a link. Data
 * without a link belonged to a deleted `.local` folder.
 */
function dataFolder(folder: string): string {
  const name = 'postgres';
  const data = path.join(ensureReachableFolder(folder, findPostgresUser()), name);
  const link = path.join(folder, name);
  if (data !== link && lstatSync(link, { throwIfNoEntry: false }) === undefined) {
    rmSync(data, { recursive: true, force: true });
    symlinkSync(data, link);
  }
  return data;
}

/** Prefers the ports of the last run, so that URLs stay the same, then the usual ports, then any free port. */
async function choosePorts(folder: string): Promise<Ports> {
  const file = path.join(folder, 'ports.json');
  const last = readPrivateJson(file, z.record(z.string(), z.number())) ?? {};
  const ports: Record<string, number> = {};
  for (const [name, usual] of Object.entries(USUAL_PORTS)) {
    ports[name] = await findFreePort(...(last[name] === undefined ? [] : [last[name]]), usual);
  }
  writePrivateJson(file, ports);
  return ports as Ports;
}

const listMovedPorts = async (ports: Ports): Promise<MovedPort[]> =>
  await Promise.all(
    (Object.keys(USUAL_PORTS) as (keyof Ports)[])
      .filter((name) => ports[name] !== USUAL_PORTS[name])
      .map(async (name) => {
        const usual = USUAL_PORTS[name];
        return { name, usual, port: ports[name], isTaken: !(await canListen(usual)) };
      }),
  );

async function migrateDatabase(databaseUrl: string): Promise<void> {
  const database = openDatabase(new Secret(databaseUrl), { poolSize: 2, applicationName: 'local-stack' });
  try {
    await migrate(database);
  } catch (error) {
    if (!(error instanceof ForeignSchemaError) || process.env.DATABASE_URL) throw error;
    throw new Error(`${error.message} "npm start -- --fresh" creates one.`);
  } finally {
    await database.end();
  }
}

function addressesOf(
  { ports, databaseUrl, temporal }: StackSettings,
  app: DemoApp,
  { adminToken, withExplorer }: { adminToken: string; withExplorer: boolean },
): StackAddresses {
  const api = buildHttpUrl(ports.api);
  return {
    graphqlUrl: `${api}/graphql`,
    schemaUrl: `${api}/schema.graphql`,
    adminUrl: `${api}/api/admin/graphql`,
    adminToken,
    consoleUrl: `${api}/admin`,
    connectUrl: api,
    sandboxUrl: buildHttpUrl(ports.sandbox),
    callerUrl: buildHttpUrl(ports.caller),
    explorerUrl: withExplorer ? `${buildHttpUrl(ports.sandbox)}/explorer` : null,
    temporalUiUrl: process.env.TEMPORAL_ADDRESS ? null : buildHttpUrl(ports.temporalUi),
    temporalAddress: temporal.TEMPORAL_ADDRESS ?? '',
    databaseUrl,
    metricsUrl: `${buildHttpUrl(ports.metrics)}/metrics`,
    apiMetricsUrl: `${buildHttpUrl(ports.apiMetrics)}/metrics`,
    app,
  };
}

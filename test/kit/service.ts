import './built.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { buildHttpUrl, findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import type { Service, ServiceContext } from '../../local/src/service.ts';
import { createApiService, createWorkerService } from '../../local/src/services.ts';
import type { StackSettings } from '../../local/src/settings.ts';
import { NAMESPACE } from '../../local/src/temporal.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import type { TestCluster } from './cluster.ts';
import { CommandLine } from './command-line.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { Part } from './processes.ts';
import { openRunFolder } from './run-folder.ts';
import { createTemporalServer } from './temporal-server.ts';

/**
 * The whole service as processes of the built programs, with a separate database and Temporal server.
 * The sandbox runs in the test's process, so that the test can inspect and change it directly.
 */
export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Opens another port by which one reaches the other, and returns it. */
export type Detour = (link: Link, port: number) => Promise<number>;

/** Connections of one to another. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

export interface TestServiceOptions {
  /** The number of api processes; 1 by default. */
  readonly apis?: number;
  /** The number of worker processes; 1 by default. */
  readonly workers?: number;
  /** Variables of apis and workers, added to the usual ones or replacing them. */
  readonly adjustments?:
    | Readonly<Record<string, string>>
    | ((settings: StackSettings) => Readonly<Record<string, string>>);
  /** How far ahead of the machine's clock each process' clock is, in ms; 0 by default. */
  readonly skews?: { readonly apis: readonly number[]; readonly workers: readonly number[] };
  /** The cluster of its database; by default the one that all tests of the run share. */
  readonly cluster?: TestCluster;
  /** Chooses the port by which apis and workers reach others; by default their own. */
  readonly detour?: Detour;
  /** Whether Temporal serves its own metrics; false by default. */
  readonly temporalMetrics?: boolean;
  /** How many ordinary accounts each platform has besides the usual ones. */
  readonly crowd?: number;
}

/** Takes a few seconds: start one for each test file. */
export async function startTestService({
  apis = 1,
  workers = 1,
  adjustments = {},
  skews = { apis: [], workers: [] },
  cluster,
  detour,
  temporalMetrics = false,
  crowd,
}: TestServiceOptions = {}) {
  const run = await openRunFolder();
  const closing: (() => Promise<unknown>)[] = [async () => run.remove()];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const database = await createTestDatabase(cluster);
    closing.push(() => database.drop());
    const chosen = await chooseSettings(run.folder, database);
    const adjusted = typeof adjustments === 'function' ? adjustments(chosen) : adjustments;
    const settings = { ...chosen, adjustments: { FAST_PATHS, ...adjusted } };
    const sandbox = await startSandbox({ port: settings.ports.sandbox, crowd });
    closing.push(() => sandbox.close());
    const metricsPort = temporalMetrics ? await findFreePort() : undefined;
    const temporalServer = await createTemporalServer({
      programs: inject('temporalPrograms') || undefined,
      command: inject('temporalCommand'),
      maintenanceUrl: inject('maintenanceUrl'), // Not the one that a test breaks.
      port: settings.ports.temporal,
      folder: settings.folder,
      metricsPort,
    });
    closing.push(() => temporalServer.drop());
    const temporal = new Part(temporalServer.service, run);
    closing.push(() => temporal.kill());
    const apiPorts = [settings.ports.api, ...(await morePorts(apis - 1))];
    const healthPorts = [settings.ports.workerHealth, ...(await morePorts(workers - 1))];
    const reach = await takeDetours(settings, detour);
    const openApi = async (api: number, index: number) => {
      const own = await reach(`api-${index + 1}`, withPorts(settings, { api }, database.urls.api));
      return part(withSkew(createApiService(own), skews.apis[index]), index, settings, run);
    };
    const openWorker = async (workerHealth: number, index: number) => {
      const own = await reach(`worker-${index + 1}`, withPorts(settings, { workerHealth }, database.urls.worker));
      return part(withSkew(createWorkerService(own), skews.workers[index]), index, settings, run);
    };
    const parts = {
      apis: await Promise.all(apiPorts.map(openApi)),
      workers: await Promise.all(healthPorts.map(openWorker)),
    };
    closing.push(() => Promise.all([...parts.apis, ...parts.workers].map((one) => one.stop())));
    const connection = Connection.lazy({ address: settings.temporal.TEMPORAL_ADDRESS ?? '' });
    closing.push(() => connection.close());

    await temporal.start();
    const commandLine = new CommandLine(settings, database.sql);
    const [app] = await Promise.all([
      commandLine.createApp({
        tenantKey: `tenant-${randomUUID()}`,
        returnUrl: `${callerUrl(settings)}/connected`,
        identityReturnUrl: `${callerUrl(settings)}/signed-in`,
      }),
      ...[...parts.apis, ...parts.workers].map((one) => one.start()),
    ]);
    return {
      settings,
      app,
      database,
      sandbox,
      temporal,
      temporalData: temporalServer,
      temporalClient: new Client({ connection, namespace: NAMESPACE }),
      /** The server's own metrics, if asked for. */
      temporalMetricsUrl: `${buildHttpUrl(metricsPort ?? 0)}/metrics`,
      ...parts,
      /** The base URL of each api, in order; browsers and providers use the first. */
      apiUrls: apiPorts.map(buildHttpUrl),
      commandLine,
      /** Stops all processes and deletes their data. */
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function chooseSettings(folder: string, database: TestDatabase): Promise<StackSettings> {
  mkdirSync(folder, { recursive: true });
  const [api, workerHealth, sandbox, caller, temporal] = await morePorts(5);
  return {
    ports: {
      api,
      workerHealth,
      sandbox,
      caller,
      temporal,
      temporalUi: 0,
      postgres: 0,
      metrics: 0,
      apiMetrics: 0,
    } as StackSettings['ports'],
    keys: await makeKeys(),
    databaseUrl: database.url,
    temporal: { TEMPORAL_ADDRESS: `${LOOPBACK}:${temporal}`, TEMPORAL_NAMESPACE: NAMESPACE },
    folder,
  };
}

/** A different site from ours, as in production. */
const callerUrl = ({ ports }: StackSettings) => `http://localhost:${ports.caller}`;

const morePorts = (count: number) => Promise.all(Array.from({ length: count }, () => findFreePort()));

/** The variables of one process, which connects to the database with its own role. */
const withPorts = (
  settings: StackSettings,
  ports: Partial<StackSettings['ports']>,
  databaseUrl: string,
): StackSettings => ({
  ...settings,
  databaseUrl,
  ports: { ...settings.ports, ...ports },
});

/** @returns a function that changes the settings of a process so that it reaches the others by its own detours */
async function takeDetours({ ports, databaseUrl }: StackSettings, detour: Detour = async (_link, port) => port) {
  // The addresses that browsers use are the same wherever they come from.
  const sandbox = await detour({ from: 'all', to: 'platforms' }, ports.sandbox);
  return async (from: string, own: StackSettings): Promise<StackSettings> => {
    const postgres = await detour({ from, to: 'postgres' }, Number(new URL(databaseUrl).port));
    const temporal = await detour({ from, to: 'temporal' }, ports.temporal);
    return {
      ...own,
      ports: { ...own.ports, sandbox },
      databaseUrl: Object.assign(new URL(own.databaseUrl), { port: String(postgres) }).href,
      temporal: { ...own.temporal, TEMPORAL_ADDRESS: `${LOOPBACK}:${temporal}` },
    };
  };
}

/** A process whose clock is off. */
function withSkew(service: Service, ms = 0): Service {
  if (ms === 0) return service;
  const code = `
    const RealDate = Date;
    const now = () => RealDate.now() + ${ms};
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args) => (args.length === 0 ? new target(now()) : new target(...args)),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
  `;
  return { ...service, args: ['--import', `data:text/javascript,${encodeURIComponent(code)}`, ...service.args] };
}

/** Logs everything by default, so that tests can check the log. */
function part(service: Service, index: number, settings: StackSettings, run: ServiceContext): Part {
  const env = { LOG_LEVEL: 'debug', ...service.env, CONNECT_URL: buildHttpUrl(settings.ports.api) };
  return new Part({ ...service, name: `${service.name}-${index + 1}`, env }, run);
}

import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import { makeKeys } from '../../src/local/development-keys.ts';
import { findFreePort, LOOPBACK } from '../../src/local/ports.ts';
import type { Service, ServiceContext } from '../../src/local/service.ts';
import { buildHttpUrl, createApiService, createWorkerService, type StackSettings } from '../../src/local/services.ts';
import { createTemporalService, NAMESPACE } from '../../src/local/temporal.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { CommandLine, type TestApp } from './command-line.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { Part } from './processes.ts';
import { openRunFolder } from './run-folder.ts';

/**
 * The whole service as processes of the built programs, with a separate database and Temporal server.
 * The sandbox runs in the test's process, so that the test can inspect and change it directly.
 */
export interface TestService {
  readonly settings: StackSettings;
  readonly app: TestApp;
  readonly database: TestDatabase;
  readonly sandbox: Sandbox;
  readonly temporal: Part;
  /** The data file of that server; related files begin with the same name. */
  readonly temporalFile: string;
  readonly temporalClient: Client;
  readonly apis: readonly Part[];
  /** The base URL of each of `apis`, in order; browsers and providers use the first. */
  readonly apiUrls: readonly string[];
  readonly workers: readonly Part[];
  readonly commandLine: CommandLine;
  /** Stops all processes and deletes their data. */
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** The number of api processes; 1 by default. */
  readonly apis?: number;
  /** The number of worker processes; 1 by default. */
  readonly workers?: number;
  /** Whether the operator's commands run as processes of the built program, which takes seconds; false by default. */
  readonly typedCommands?: boolean;
  /** Variables of apis and workers, added to the usual ones or replacing them. */
  readonly adjustments?: Readonly<Record<string, string>>;
}

/** Takes a few seconds: start one for each test file. */
export async function startTestService({
  apis = 1,
  workers = 1,
  typedCommands = false,
  adjustments = {},
}: TestServiceOptions = {}): Promise<TestService> {
  const run = await openRunFolder();
  const closing: (() => Promise<unknown>)[] = [async () => run.remove()];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const settings = { ...(await chooseSettings(run.folder, database)), adjustments };
    const sandbox = await startSandbox({ port: settings.ports.sandbox });
    closing.push(() => sandbox.close());
    const temporal = new Part(temporalOf(settings), run);
    closing.push(() => temporal.kill());
    const apiPorts = [settings.ports.api, ...(await morePorts(apis - 1))];
    const healthPorts = [settings.ports.workerHealth, ...(await morePorts(workers - 1))];
    const parts = {
      apis: apiPorts.map((port, index) =>
        part(createApiService(withPorts(settings, { api: port }, database.urls.api)), index, settings, run),
      ),
      workers: healthPorts.map((port, index) =>
        part(
          createWorkerService(withPorts(settings, { workerHealth: port }, database.urls.worker)),
          index,
          settings,
          run,
        ),
      ),
    };
    closing.push(() => Promise.all([...parts.apis, ...parts.workers].map((one) => one.stop())));
    const connection = Connection.lazy({ address: settings.temporal.TEMPORAL_ADDRESS ?? '' });
    closing.push(() => connection.close());

    await temporal.start();
    const commandLine = new CommandLine(settings, database.sql, { isTyped: typedCommands });
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
      temporalFile: temporalFile(settings),
      temporalClient: new Client({ connection, namespace: NAMESPACE }),
      ...parts,
      apiUrls: apiPorts.map(buildHttpUrl),
      commandLine,
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

const temporalFile = ({ folder }: StackSettings) => path.join(folder, 'temporal.db');

/** A Temporal server with its data in a file, so that tests can kill it. */
const temporalOf = (settings: StackSettings): Service =>
  createTemporalService({
    program: inject('temporalCommand'),
    port: settings.ports.temporal,
    uiPort: undefined,
    databaseFile: temporalFile(settings),
    cwd: settings.folder,
  });

/** Logs everything by default, so that tests can check the log. */
function part(service: Service, index: number, settings: StackSettings, run: ServiceContext): Part {
  const env = { LOG_LEVEL: 'debug', ...service.env, CONNECT_URL: buildHttpUrl(settings.ports.api) };
  return new Part({ ...service, name: `${service.name}-${index + 1}`, env }, run);
}

import type { TestProject } from 'vitest/node';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { createPostgresService } from '../../local/src/postgres.ts';
import { RunningService } from '../../local/src/service.ts';
import { createTemporalService } from '../../local/src/temporal.ts';
import { findTemporalCommand, findTimeSkippingServer } from '../../local/src/temporal-programs.ts';
import { crowdTemplate, planCluster, prepareCluster, type TestCluster } from './cluster.ts';
import { CACHE, openRunFolder, type RunFolder } from './run-folder.ts';
import { createTemporalServer } from './temporal-server.ts';

/** The values that tests read with `inject`. */
interface Services extends TestCluster {
  /** The template with bystanders. */
  readonly crowdedTemplate: string;
  readonly temporalAddress: string;
  /** The `temporal` command, for a separate server of a test. */
  readonly temporalCommand: string;
  /** The folder of Temporal's production server, if tests shall use it instead of the development server; else empty. */
  readonly temporalPrograms: string;
  /** Temporal's time-skipping test server, as a program. */
  readonly timeSkippingServer: string;
}

declare module 'vitest' {
  interface ProvidedContext extends Services {}
}

interface Shared {
  users: number;
  started?: Promise<{ services: Services; stop(): Promise<void> }>;
}

/** Shared by all projects of a run: each loads this module again, in the same process. */
const holder = globalThis as { sharedTestServices?: Shared };
holder.sharedTestServices ??= { users: 0 };
const shared = holder.sharedTestServices;

/** The first project starts the services. */
export async function setup(project: TestProject): Promise<void> {
  shared.users += 1;
  shared.started ??= start();
  const { services } = await shared.started;
  for (const [name, value] of Object.entries(services)) project.provide(name as keyof Services, value);
}

/** The last project stops them. */
export async function teardown(): Promise<void> {
  shared.users -= 1;
  if (shared.users > 0) return;
  const { started } = shared;
  delete shared.started; // Another run of this process starts its own.
  await (await started)?.stop();
}

async function start(): Promise<{ services: Services; stop(): Promise<void> }> {
  const run = await openRunFolder();
  const running: RunningService[] = [];
  const stop = async () => {
    // Temporal may use Postgres.
    for (const service of running.toReversed()) await service.stop();
    run.remove();
  };
  try {
    const starting = startPostgres(run, running);
    const [database, temporal, timeSkipping] = await Promise.all([
      starting,
      startTemporal(run, running, starting),
      findTimeSkippingServer(CACHE),
    ]);
    return { services: { ...database, ...temporal, timeSkippingServer: timeSkipping }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(run: RunFolder, running: RunningService[]) {
  const options = await planCluster(run.openMemory(), { durable: false });
  await launch(new RunningService(await createPostgresService(options), run), running);
  const cluster = await prepareCluster(options);
  return { ...cluster, crowdedTemplate: await crowdTemplate(cluster) };
}

async function startTemporal(run: RunFolder, running: RunningService[], database: Promise<TestCluster>) {
  const command = await findTemporalCommand(CACHE);
  const programs = process.env.TEMPORAL_PROGRAMS ?? '';
  const port = await findFreePort();
  const { folder } = run;
  const service =
    programs === ''
      ? createTemporalService({ program: command, port, uiPort: undefined, databaseFile: undefined, cwd: folder })
      : (await createTemporalServer({ programs, command, port, folder, ...(await database) })).service;
  await launch(new RunningService(service, run), running);
  return { temporalAddress: `${LOOPBACK}:${port}`, temporalCommand: command, temporalPrograms: programs };
}

async function launch(service: RunningService, running: RunningService[]): Promise<void> {
  running.push(service);
  await service.start();
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { findFreePort, LOOPBACK } from '../../src/local/ports.ts';
import { buildDatabaseUrl, createPostgresService, ensureDatabase } from '../../src/local/postgres.ts';
import { findPostgresUser } from '../../src/local/postgres-programs.ts';
import { RunningService } from '../../src/local/service.ts';
import { ROOT } from '../../src/local/services.ts';
import { createTemporalService } from '../../src/local/temporal.ts';
import { findTemporalCommand, findTimeSkippingServer } from '../../src/local/temporal-programs.ts';
import { Secret } from '../../src/secret.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openDatabase } from '../../src/store/sql.ts';
import { LOGINS } from './logins.ts';
import { CACHE, openRunFolder, type RunFolder } from './run-folder.ts';

/** The values that tests read with `inject`. */
interface Services {
  /** The server's maintenance database, used to create and drop others. */
  readonly maintenanceUrl: string;
  /** A migrated template database; a clone needs it without other connections. */
  readonly templateDatabase: string;
  readonly temporalAddress: string;
  /** The `temporal` command, for a separate server of a test. */
  readonly temporalCommand: string;
  /** Temporal's time-skipping test server, as a program. */
  readonly timeSkippingServer: string;
}

declare module 'vitest' {
  interface ProvidedContext extends Services {}
}

const TEMPLATE = 'template';

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
  if (shared.users === 0) await (await shared.started)?.stop();
}

async function start(): Promise<{ services: Services; stop(): Promise<void> }> {
  const run = await openRunFolder();
  const running: RunningService[] = [];
  const stop = async () => {
    await Promise.all(running.map((service) => service.stop()));
    run.remove();
  };
  try {
    const [database, temporal, timeSkipping] = await Promise.all([
      startPostgres(run, running),
      startTemporal(run, running),
      findTimeSkippingServer(CACHE),
    ]);
    return { services: { ...database, ...temporal, timeSkippingServer: timeSkipping }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(run: RunFolder, running: RunningService[]) {
  const options = {
    data: path.join(run.folder, 'postgres'),
    cache: CACHE,
    user: findPostgresUser(),
    port: await findFreePort(),
    password: randomBytes(16).toString('hex'),
    durable: false,
  };
  await launch(new RunningService(await createPostgresService(options), run), running);
  const template = openDatabase(new Secret(await ensureDatabase(options, TEMPLATE)), {
    poolSize: 1,
    applicationName: 'tests',
  });
  try {
    await migrate(template);
    await template.unsafe(readFileSync(path.join(ROOT, 'ops', 'postgres', 'roles.sql'), 'utf8'));
    for (const [login, role] of Object.entries(LOGINS)) {
      await template.unsafe(`create role ${login} login password '${options.password}' in role ${role}`);
    }
  } finally {
    await template.end();
  }
  return { maintenanceUrl: buildDatabaseUrl(options, 'postgres'), templateDatabase: TEMPLATE };
}

async function startTemporal(run: RunFolder, running: RunningService[]) {
  const program = await findTemporalCommand(CACHE);
  const port = await findFreePort();
  const service = createTemporalService({ program, port, uiPort: undefined, databaseFile: undefined, cwd: run.folder });
  await launch(new RunningService(service, run), running);
  return { temporalAddress: `${LOOPBACK}:${port}`, temporalCommand: program };
}

async function launch(service: RunningService, running: RunningService[]): Promise<void> {
  running.push(service);
  await service.start();
}

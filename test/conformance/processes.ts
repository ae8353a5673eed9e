import { makeKeys } from '../../local/src/development-keys.ts';
import { buildHttpUrl, findFreePort } from '../../local/src/ports.ts';
import { isAnswering, type Service } from '../../local/src/service.ts';
import { ROOT } from '../../local/src/services.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { PROGRAM } from '../kit/built.ts';
import { checkBystanders } from '../kit/bystanders.ts';
import { apiEnvironment, Caller, temporalEnvironment } from '../kit/conformance.ts';
import { createCrowdedDatabase } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { seedApp } from '../kit/seed.ts';

/** Api processes of the built program over one database. No worker runs, so a queued job stays queued. */
export type ApiProcesses = Awaited<ReturnType<typeof startApis>>;

export async function startApis(count: number) {
  const [run, database, keys] = await Promise.all([openRunFolder(), createCrowdedDatabase(), makeKeys()]);
  const ports = await Promise.all(Array.from({ length: count }, () => findFreePort()));
  const env = { ...temporalEnvironment(), ...apiEnvironment(keys, database.url) };
  const parts = ports.map((port, index) => new Part(apiOf(index, port, env), run));
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
    try {
      await checkBystanders(database.sql); // Races of all tests of a file: none has the database for itself.
    } finally {
      await database.drop();
      run.remove();
    }
  };
  try {
    await Promise.all(parts.map((part) => part.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    sql: database.sql,
    /** Seals claims as the worker does, for a redeem. */
    sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
    urls: ports.map(buildHttpUrl),
    pids: parts.flatMap(({ pid }) => pid ?? []),
    /** A new app that calls all processes. */
    newCaller: async () => new Caller(ports.map(buildHttpUrl), await seedApp(database.sql)),
    stop,
  };
}

const apiOf = (index: number, port: number, env: Readonly<Record<string, string>>): Service => ({
  name: `api-${index + 1}`,
  program: process.execPath,
  args: ['--enable-source-maps', PROGRAM, 'api'],
  env: { ...env, PATH: process.env.PATH ?? '', API_PORT: String(port), LOG_LEVEL: 'debug' },
  cwd: ROOT,
  stop: { signal: 'SIGTERM', patienceMs: 5_000 },
  isReady: () => isAnswering(`${buildHttpUrl(port)}/readyz`),
});

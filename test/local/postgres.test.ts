import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import {
  buildDatabaseUrl,
  type ClusterOptions,
  createPostgresService,
  ensureDatabase,
} from '../../local/src/postgres.ts';
import { findPostgresUser } from '../../local/src/postgres-programs.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openDatabase } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { CACHE, openRunFolder, type RunFolder } from '../kit/run-folder.ts';

/** A start takes a second on an idle machine. */
const SLOW = { timeout: 60_000 };

let run: RunFolder;
let options: ClusterOptions;
beforeAll(async () => {
  run = await openRunFolder();
  options = {
    data: path.join(run.folder, 'postgres'),
    cache: CACHE,
    user: findPostgresUser(),
    port: await findFreePort(),
    password: randomBytes(16).toString('hex'),
    durable: true,
  };
});
afterAll(() => run.remove());

const startPostgres = async () => {
  const server = new Part(await createPostgresService(options), run);
  await server.start();
  return server;
};

async function query(text: string, password = options.password): Promise<unknown> {
  const url = new Secret(buildDatabaseUrl({ port: options.port, password }, 'kept'));
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'tests' });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

test('data survives kill -9 of the server, and a start while an orphan runs', SLOW, async () => {
  const killed = await startPostgres();
  await ensureDatabase(options, 'kept');
  await query('create table note (text text); insert into note values ($$kept$$)');
  await killed.kill();

  await startPostgres();
  expect(await query('select text from note')).toEqual([{ text: 'kept' }]);

  const next = await startPostgres(); // The previous server still runs.
  expect(await query('select text from note')).toEqual([{ text: 'kept' }]);
  await expect(query('select 1', 'not-the-password')).rejects.toThrow(/password authentication failed/);
  await next.stop();
});

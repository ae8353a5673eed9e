import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPostgresService, ensureDatabase } from '../../local/src/postgres.ts';
import { findPostgresUser } from '../../local/src/postgres-programs.ts';
import { Secret } from '../../src/basics/secret.ts';
import { planCluster } from '../kit/cluster.ts';
import { openDatabase } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

/** A Postgres of its own, whose settings a test may change. */
export type OwnServer = Awaited<ReturnType<typeof startServer>>;

export async function startServer() {
  const run = await openRunFolder();
  const user = findPostgresUser();
  const socket = path.join(run.folder, 'socket');
  mkdirSync(socket);
  if (user !== undefined) chownSync(socket, user.uid, user.gid);
  const plan = await planCluster(run.openMemory(), { durable: false });
  const settings = { ...plan.settings, listen_addresses: '127.0.0.1,::1', unix_socket_directories: socket };
  const options = { ...plan, settings };
  const part = new Part(await createPostgresService(options), run);
  await part.start();
  const url = await ensureDatabase(options, 'accounts');
  const sql = openDatabase(new Secret(url), { poolSize: 1, applicationName: 'tests' });
  return {
    port: options.port,
    password: options.password,
    /** The directory of its Unix socket. */
    socket,
    /** As its superuser, without TLS. */
    sql,
    /** Writes a file that only the server may read. @returns its path */
    store(name: string, text: string): string {
      const file = path.join(run.folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (user !== undefined) chownSync(file, user.uid, user.gid);
      return file;
    },
    /** Changes settings, for new connections. */
    async set(changes: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(changes)) await sql.unsafe(`alter system set ${name} = '${value}'`);
      await sql`select pg_reload_conf()`;
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await part.stop();
      run.remove();
    },
  };
}

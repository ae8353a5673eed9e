import { execFile } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { vi } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { buildDatabaseUrl, type ClusterOptions, createPostgresService } from '../../local/src/postgres.ts';
import { listProcessesIn } from '../../local/src/process.ts';
import { planCluster } from '../kit/cluster.ts';
import { Part } from '../kit/processes.ts';
import type { RunFolder } from '../kit/run-folder.ts';
import { openSwitch } from './switch.ts';

/** Two Postgres servers: the standby streams from the primary. */
export async function startNodes(run: RunFolder) {
  const options: ClusterOptions = { ...(await planCluster(run.folder, { durable: true })), settings: {} };
  const primary = new Part(await createPostgresService(options), run);
  await primary.start();
  const stream = await openSwitch(options.port);
  const standbyOptions: ClusterOptions = {
    ...options,
    data: path.join(run.folder, 'standby'),
    port: await findFreePort(),
    settings: {
      primary_conninfo: `host=${LOOPBACK} port=${stream.port} user=accounts password=${options.password} application_name=standby`,
      wal_retrieve_retry_interval: '200ms',
    },
  };
  const ports = { primary: options.port, standby: standbyOptions.port };
  /** Runs a statement on one node. */
  const ask = async (node: 'primary' | 'standby', statement: string): Promise<postgres.Row[]> => {
    const sql = postgres(buildDatabaseUrl({ ...options, port: ports[node] }, 'postgres'), {
      max: 1,
      onnotice: () => {},
    });
    try {
      return await sql.unsafe(statement);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  await copyData(options, standbyOptions);
  const standby = new Part({ ...(await createPostgresService(standbyOptions)), name: 'standby' }, run);
  await standby.start();
  return {
    options,
    primary,
    standby,
    ports,
    /** The path of the stream. After a cut, the primary's further commits are lost with it. */
    stream,
    ask,
    killPrimary: () => killAll(options.data),
    /** Freezes all processes of a node, or resumes them. */
    freeze: (node: 'primary' | 'standby', isFrozen: boolean) =>
      signalAll(node === 'primary' ? options.data : standbyOptions.data, isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    /** Makes each commit of the primary wait for the standby. */
    async setSynchronous() {
      await ask('primary', "alter system set synchronous_standby_names = 'standby'");
      await ask('primary', 'select pg_reload_conf()');
      await vi.waitUntil(
        async () => (await ask('primary', 'select sync_state from pg_stat_replication'))[0]?.sync_state === 'sync',
        { timeout: 30_000, interval: 100 },
      );
    },
    /** Waits until the standby has all that the primary has committed. */
    async catchUp() {
      const [row] = await ask('primary', 'select pg_current_wal_lsn() as lsn');
      await vi.waitUntil(
        async () => (await ask('standby', `select pg_last_wal_replay_lsn() >= '${row?.lsn}' as is`))[0]?.is === true,
        { timeout: 30_000, interval: 100 },
      );
    },
    /** Makes the standby a primary. @returns when it accepts writes, by `performance.now()` */
    async promote() {
      await ask('standby', 'select pg_promote(true, 60)');
      return performance.now();
    },
    async close() {
      await Promise.all([primary.kill(), standby.kill()]);
      await stream.close();
    },
  };
}

/** Kills all processes of the server with this data folder. */
export async function killAll(data: string): Promise<void> {
  while (listProcessesIn(data).length > 0) {
    signalAll(data, 'SIGKILL');
    await delay(20);
  }
}

export function signalAll(data: string, signal: NodeJS.Signals): void {
  for (const pid of listProcessesIn(data)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Copies the data folder of a running server, as `pg_basebackup` does. */
async function copyData(from: ClusterOptions, to: ClusterOptions): Promise<void> {
  const sql = postgres(buildDatabaseUrl(from, 'postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_backup_start('standby', true)`;
    await promisify(execFile)('cp', ['-a', from.data, to.data]);
    const [label] = await sql`select labelfile from pg_backup_stop(false)`;
    rmSync(path.join(to.data, 'postmaster.pid'), { force: true });
    for (const [name, text] of [
      ['backup_label', String(label?.labelfile)],
      ['standby.signal', ''],
    ] as const) {
      const file = path.join(to.data, name);
      writeFileSync(file, text, { mode: 0o600 });
      if (to.user !== undefined) chownSync(file, to.user.uid, to.user.gid);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

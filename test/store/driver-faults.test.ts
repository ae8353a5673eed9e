import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer, type Server } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { describe, expect, onTestFinished } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { test } from '../kit/postgres.ts';

/** Runs a program that has the driver, and a pool on the database as `sql`. @returns its exit code, and its errors. */
async function runBare(url: string, program: string) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import postgres from '${path.join(ROOT, 'node_modules/postgres/src/index.js')}';
       const sql = postgres(process.argv[1], { max: 1 });
       ${program}
       await sql.end();`,
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const [complained, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { complained, code };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as { port: number }).port);
}

/** A pool of the bare driver. */
function openBare(url: string, options: postgres.Options<Record<string, never>> = {}) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, ...options });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

/** Each fails once the driver no longer has the fault: then its workaround goes, and this test with it. */
describe('the driver still', () => {
  test('ends the process with a transaction whose connection is lost: lost-transaction.ts', async ({
    database: { url },
  }) => {
    const { complained, code } = await runBare(
      url,
      `const killer = postgres(process.argv[1], { max: 1 });
       await sql.begin(async (tx) => {
         const [{ pid }] = await tx\`select pg_backend_pid() as pid\`;
         setTimeout(() => killer\`select pg_terminate_backend(\${pid})\`.execute(), 100);
         await tx\`select pg_sleep(10)\`;
       }).catch(() => undefined);
       await killer\`select 1\`; // The fault comes in the next turns of the event loop.
       await killer.end();`,
    );
    expect(complained).toContain('nextWrite');
    expect(code).not.toBe(0);
  });

  test('ends the process if its question for array types gets no answer: array-types.ts', async ({
    database: { url },
  }) => {
    const { port, hostname } = new URL(url);
    const server = createServer((near) => {
      const far = createConnection({ host: hostname, port: Number(port) });
      far.on('data', (data) => void near.write(data)).on('error', () => undefined);
      near.on('close', () => far.destroy()).on('error', () => undefined);
      near.on('data', (data) => (String(data).includes('pg_type') ? near.resetAndDestroy() : far.write(data)));
    });
    const way = Object.assign(new URL(url), { port: await listen(server) }).href;
    const { complained, code } = await runBare(way, 'await sql`select 1`.catch(() => undefined);');
    expect(complained).toContain('triggerUncaughtException');
    expect(code).not.toBe(0);
  });

  test('counts on after the rows of a statement that fails: stale-rows.ts', async ({ database: { url } }) => {
    const complained = await runBare(
      url,
      `await sql\`select 1 / (3 - n) as n from generate_series(1, 3) n\`.catch(() => undefined);
       const rows = await sql\`select n from generate_series(1, 2) n\`;
       console.error(JSON.stringify(rows));`,
    );
    expect(complained).toEqual({ complained: '[null,null,{"n":1},{"n":2}]\n', code: 0 });
  });

  test('gives the error of a connection that Postgres ended to the next statement: stale-error.ts', async ({
    database: { url },
  }) => {
    const complained = await runBare(
      url,
      `const killer = postgres(process.argv[1], { max: 1 });
       const [{ pid }] = await sql\`select pg_backend_pid() as pid\`;
       const lost = sql\`select pg_sleep(10)\`.catch(() => undefined);
       const isBusy = () => killer\`select from pg_stat_activity where pid = \${pid} and state = 'active'\`;
       while ((await isBusy()).length === 0);
       await killer\`select pg_terminate_backend(\${pid})\`;
       await lost;
       await sql\`select 1\`.catch(({ code }) => console.error(code));
       await killer.end();`,
    );
    expect(complained).toEqual({ complained: '57P01\n', code: 0 });
  });

  test('sends an array of Buffers as one: bytea-array.ts', async ({ database: { url } }) => {
    const sql = openBare(url);
    const sent = sql`select ${[Buffer.from('a'), Buffer.from('b')] as never}::bytea[] as sent`;
    await expect(sent.then(([row]) => row?.sent)).rejects.toThrow();
  });

  test('pauses longer with each connection that fails in one outage: reconnect-pause.ts', async () => {
    const port = await listen(createServer((socket) => socket.resetAndDestroy()));
    const pauses: number[] = [];
    const own = openBare(`postgres://nobody@127.0.0.1:${port}/none`, {
      max: 4,
      backoff: (failures: number) => {
        pauses.push(failures);
        return 0;
      },
    });
    await Promise.allSettled([1, 2, 3, 4].map(() => own`select 1`));
    await Promise.allSettled([1, 2, 3, 4].map(() => own`select 1`));
    expect(Math.max(...pauses)).toBeGreaterThan(2);
  });

  test('waits without end for a copy whose last rows Postgres refuses: bench/fill/copy.ts', async ({
    database: { url },
  }) => {
    const sql = openBare(url);
    await sql`create temporary table number (number integer)`;
    const stream = await sql`copy number from stdin`.writable();
    const ended = Promise.race([once(stream, 'finish'), once(stream, 'error')]).then(() => 'ended');
    stream.end('no number\n');
    expect(await Promise.race([ended, delay(2_000, 'waits')])).toBe('waits');
  });
});

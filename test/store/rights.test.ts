import { readFileSync } from 'node:fs';
import { describe, expect, vi } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { startApi } from '../../src/api/main.ts';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { readConfig } from '../../src/config/config.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { grantRights, listRights } from '../../src/store/rights.ts';
import { ROLES_FILE } from '../../src/store/sql-files.ts';
import { apiEnvironment, temporalEnvironment } from '../kit/conformance.ts';
import { LOGINS } from '../kit/logins.ts';
import { test as postgresTest } from '../kit/postgres.ts';

type Process = 'api' | 'worker' | 'maintenance';
const PROCESSES: readonly Process[] = ['api', 'worker', 'maintenance'];
const ROLES = readFileSync(ROLES_FILE, 'utf8');

/** Each test starts with complete rights. */
const test = postgresTest.extend<{ sql: Database; as: Record<Process, Database> }>({
  sql: async ({ sql }, use) => {
    await sql.begin((tx) => tx.unsafe(ROLES.replaceAll(/^(begin|commit);$/gm, '')));
    await use(sql);
  },
  as: async ({ database: { urls } }, use) => {
    const open = (process: Process) =>
      openDatabase(new Secret(urls[process]), { poolSize: 1, applicationName: 'tests' });
    const as = { api: open('api'), worker: open('worker'), maintenance: open('maintenance') };
    await use(as);
    await Promise.all(Object.values(as).map((pool) => pool.end()));
  },
});

const stated = (process: Process): string[] =>
  listRights(process)
    .map(({ privilege, table, column }) => `${privilege} on ${table}${column === null ? '' : `.${column}`}`)
    .sort();

describe.for(PROCESSES)('the rights of the %s', (process) => {
  test('are complete after ops/postgres/roles.sql has run', async ({ as }) => {
    expect(stated(process).length).toBeGreaterThan(50);
    expect(await listDatabaseFaults(as[process], process)).toEqual([]);
  });

  test('are reported one by one if they are missing, each by name', async ({ sql, as }) => {
    // One column of each table represents the others.
    const asked = new Map(stated(process).map((right) => [right.replace(/\.\w+$/, ''), right]));
    for (const right of asked.values()) {
      const [privilege, table, column] = right.split(/ on |\./);
      const of = privilege === 'EXECUTE' ? 'function ' : '';
      const what = `${privilege}${column === undefined ? '' : ` (${column})`} on ${of}${table}`;
      await sql.unsafe(`revoke ${what} from ${LOGINS[process]}`);
      expect(await listDatabaseFaults(as[process], process)).toEqual([
        `the database role ${process} lacks ${right}: run migrate again`,
      ]);
      await sql.unsafe(`grant ${what} to ${LOGINS[process]}`);
    }
  });
});

test('an api is not ready while its role lacks a right, logs it once, and serves after it is granted', async ({
  sql,
  database: { urls },
}) => {
  await sql.unsafe(`revoke insert (input) on outbox from ${LOGINS.api}`);
  Object.assign(process.env, temporalEnvironment());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const said = () => lines.map((line) => JSON.parse(line)).filter(({ message }) => /ready/i.test(message));
  const api = await startApi(readConfig('api', apiEnvironment(await makeKeys(), urls.api)), log);
  const lacking = 'the database role api lacks INSERT on outbox.input: run migrate again';
  await vi.waitUntil(() => said().length > 0); // Before the first request.
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${api.port}/readyz`);
    return [response.status, await response.text()];
  };
  expect(await ask()).toEqual([503, lacking]);
  expect(await ask()).toEqual([503, lacking]);
  await sql.unsafe(`grant insert (input) on outbox to ${LOGINS.api}`);
  // Responses are cached for a second.
  await vi.waitFor(async () => expect(await ask()).toEqual([200, 'ready']));
  expect(said()).toEqual([
    expect.objectContaining({ level: 'warn', message: 'Not ready', reasons: [lacking] }),
    expect.objectContaining({ level: 'info', message: 'Ready again' }),
  ]);
  await api.close();
});

describe('migrate', () => {
  test('gives each role the rights of ops/postgres/roles.sql, and no others', async ({ sql, as }) => {
    await sql`revoke select on app, connection from accounts_api`;
    await sql`grant update on app_key to accounts_worker`;
    await Promise.all([grantRights(sql), grantRights(sql)]); // Two at once do not disturb each other.
    expect(await listDatabaseFaults(as.api, 'api')).toEqual([]);
    await expect(as.worker`update app_key set revoked_at = now()`).rejects.toMatchObject({ code: '42501' });
  });
});

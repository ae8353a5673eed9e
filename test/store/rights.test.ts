import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, vi } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { startApi } from '../../src/api/main.ts';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { readConfig } from '../../src/config/config.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { insertAdminSession, insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { grantRights, listRights, readRoleStatements } from '../../src/store/rights.ts';
import { ROLES_FILE } from '../../src/store/sql-files.ts';
import { apiEnvironment, temporalEnvironment } from '../kit/conformance.ts';
import { LOGINS } from '../kit/logins.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

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

  test('names the roles that it may not create', async ({ as: { worker } }) => {
    await expect(grantRights(worker, readRoleStatements('other'))).rejects.toThrow(
      'other_api, other_maintenance, other_readonly, other_worker do not exist, and worker may not create them',
    );
  });
});

const refused = async (sql: Database, statement: string) =>
  await expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' });

test('the api’s role cannot store a sealed token in a column that it may clear', async ({
  sql,
  as: { api, worker },
}) => {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const insert = (sealed: string) => `
    insert into disconnect_job (job_id, kind, app_id, provider, registration_id, correlation_id, sealed_tokens)
    select gen_random_uuid(), 'REVOKE', app_id, provider, registration_id, gen_random_uuid(), ${sealed} from connection where connection_id = '${connectionId}'
  `;
  await refused(api, insert('$$mine$$'));
  await refused(api, insert('null'));
  await sql.unsafe(insert('null'));
  for (const [table, own] of [
    ['account_grant', `connection_id = '${connectionId}'`],
    ['disconnect_job', `app_id = '${seeded.app.appId}'`],
  ] as const) {
    await refused(api, `update ${table} set sealed_tokens = $$mine$$ where ${own}`);
    await worker.unsafe(`update ${table} set sealed_tokens = $$its own$$ where ${own}`);
    await api.unsafe(`update ${table} set sealed_tokens = null where ${own}`);
  }
});

test('the worker’s role deletes ended tokens and sessions of operators, and no valid ones', async ({
  sql,
  as: { worker },
}) => {
  const { tokenId } = await insertAdminToken(sql, {
    label: 'in use',
    role: 'ADMIN',
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  await insertAdminSession(sql, { tokenId, sessionSha256: randomBytes(32), isProven: true });
  await sql`
    insert into admin_idempotency (token_id, idempotency_key, request_mac) values (${tokenId}, 'key', ${randomBytes(32)})
  `;
  for (const table of ['admin_session', 'admin_idempotency', 'admin_token']) {
    await refused(worker, `delete from ${table} where token_id = '${tokenId}'`);
  }
  await sql`update admin_session set created_at = business_now() - interval '8 hours' where token_id = ${tokenId}`;
  await sql`update admin_idempotency set created_at = business_now() - interval '24 hours' where token_id = ${tokenId}`;
  await sql`update admin_token set expires_at = business_now() where token_id = ${tokenId}`;
  for (const table of ['admin_session', 'admin_idempotency', 'admin_token']) {
    expect((await worker.unsafe(`delete from ${table} where token_id = '${tokenId}'`)).count).toBe(1);
  }
});

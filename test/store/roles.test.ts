import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { insertAdminSession, insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { type Login } from '../kit/logins.ts';
import { test as postgresTest, type TestDatabase } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const REFUSED = { code: '42501' };

const test = postgresTest.extend<{ $file: { as: Record<Login, Database> } }>({
  as: [
    async ({ database }, use) => {
      const open = (login: Login) =>
        openDatabase(new Secret(database.urls[login]), { poolSize: 1, applicationName: 'tests' });
      const as = {
        api: open('api'),
        worker: open('worker'),
        maintenance: open('maintenance'),
        readonly: open('readonly'),
        importer: open('importer'),
      };
      await use(as);
      await Promise.all(Object.values(as).map((sql) => sql.end()));
    },
    { scope: 'file' },
  ],
});

beforeEach<{ database: TestDatabase }>(async ({ database }) => {
  await database.sql`truncate account_grant, connection, disconnect_job cascade`;
});

const refused = async (sql: Database, statement: string) =>
  await expect(sql.unsafe(statement), statement).rejects.toMatchObject(REFUSED);

describe('the api’s role', () => {
  test('cannot store a sealed token in a column that it may clear', async ({ database, as: { api, worker } }) => {
    await seedConnection(database.sql, await seedApp(database.sql), {
      scope: { tenantKey: 'tenant', externalSubjectId: 'another' },
    });
    const insert = (sealed: string) => `
      insert into disconnect_job (job_id, kind, app_id, provider, registration_id, correlation_id, sealed_tokens)
      select gen_random_uuid(), 'REVOKE', app_id, provider, registration_id, gen_random_uuid(), ${sealed} from connection limit 1
    `;
    await refused(api, insert('$$mine$$'));
    await refused(api, insert('null'));
    await database.sql.unsafe(insert('null'));
    for (const table of ['account_grant', 'disconnect_job']) {
      await refused(api, `update ${table} set sealed_tokens = $$mine$$`);
      await worker.unsafe(`update ${table} set sealed_tokens = $$its own$$`);
      await api.unsafe(`update ${table} set sealed_tokens = null`);
    }
  });
});

describe('the worker’s role', () => {
  test('deletes ended tokens and sessions of operators, and no valid ones', async ({ database, as: { worker } }) => {
    const { sql } = database;
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
    await sql`update admin_session set created_at = business_now() - interval '8 hours'`;
    await sql`update admin_idempotency set created_at = business_now() - interval '24 hours'`;
    await sql`update admin_token set expires_at = business_now()`;
    for (const table of ['admin_session', 'admin_idempotency', 'admin_token']) {
      expect((await worker.unsafe(`delete from ${table} where token_id = '${tokenId}'`)).count).toBe(1);
    }
  });
});

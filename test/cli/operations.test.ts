import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { getCommandLineActor } from '../../src/basics/command-line-actor.ts';
import type { AdminTokenId } from '../../src/basics/ids.ts';
import { reseal, SEALED_COLUMNS } from '../../src/cli/reseal.ts';
import { findAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { PROGRAM } from '../kit/built.ts';
import { asMaintenance, test as postgresTest, type TestDatabase } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
type Program = (...args: string[]) => Promise<Run>;

/** The built program, as an operator starts it. */
const test = postgresTest.extend<{ $file: { program: Program; seeded: SeededApp } }>({
  program: [async ({ database }, use) => use(await openProgram(database)), { scope: 'file' }],
  seeded: [async ({ database }, use) => use(await seedApp(database.sql)), { scope: 'file' }],
});

async function openProgram({ url }: TestDatabase): Promise<Program> {
  const keys = await makeKeys();
  const env = {
    PATH: process.env.PATH ?? '',
    DEPLOYMENT: 'development',
    DATABASE_URL: url,
    CONNECT_URL: 'http://localhost:4000',
    // Nothing listens there: a retry waits in the outbox.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
    VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
    VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
  };
  return (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
}

/** Parses the JSON output. */
const read = <T = Record<string, unknown>[]>({ code, stdout, stderr }: Run): T => {
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

const kidOf = (keySet: string): string => JSON.parse(keySet).keys[0].kid;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** A disconnected connection with a revoke that waits an hour for its next try. */
async function stuckRevoke({ sql }: TestDatabase, seeded: SeededApp) {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), status: 'DISCONNECTED' });
  const [revokeJobId, eraseJobId] = [randomUUID(), randomUUID()];
  for (const [jobId, kind] of [[revokeJobId, 'REVOKE'] as const, [eraseJobId, 'ERASE'] as const]) {
    await sql`
      insert into disconnect_job (job_id, kind, status, connection_id, app_id, provider, registration_id, tries, last_failure,
        first_failed_at, next_retry_at, correlation_id)
      values (${jobId}, ${kind}, 'RUNNING', ${connectionId}, ${seeded.app.appId}, 'PROVIDER_B',
        ${seeded.registrations.PROVIDER_B}, ${kind === 'REVOKE' ? 3 : 0}, ${kind === 'REVOKE' ? 'PROVIDER_UNAVAILABLE' : null},
        ${kind === 'REVOKE' ? sql`business_now() - interval '1 hour'` : null},
        ${kind === 'REVOKE' ? sql`business_now() + interval '1 hour'` : null}, ${randomUUID()})
    `;
  }
  return { connectionId, jobId: revokeJobId };
}

describe('admin tokens', () => {
  test('are created, listed without their secret, and revoked', async ({ program, database }) => {
    const made = read<{ tokenId: AdminTokenId; token: string }>(
      await program('admin', 'token', 'create', '--role', 'OPERATOR', '--expires', tomorrow(), '--json'),
    );
    expect(made.token).toMatch(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/);
    const id = made.tokenId;
    expect(read(await program('admin', 'token', 'list', '--json')).find((one) => one.id === id)).toMatchObject({
      role: 'OPERATOR',
      label: 'command line',
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await findAdminToken(database.sql, id)).toMatchObject({ role: 'OPERATOR', usable: true });
    const listed = await program('admin', 'token', 'list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain(made.token.split('.')[1]);
    expect((await program('admin', 'token', 'revoke', '--token', id)).code).toBe(0);
    expect(await findAdminToken(database.sql, id)).toMatchObject({ usable: false });
  });
});

describe('stuck jobs', () => {
  test('are retried; without Temporal the retry waits in the outbox, and the command reports it', async ({
    program,
    database,
    seeded,
  }) => {
    const { jobId, connectionId } = await stuckRevoke(database, seeded);
    const other = await stuckRevoke(database, seeded);
    const stuck = ['jobs', 'retry-stuck', '--connection', connectionId, '--json'];
    const dry = read<{ count: number }>(await program(...stuck, '--dry-run'));
    expect(dry).toMatchObject({ dryRun: true, count: 1 });
    expect(await database.sql`select from outbox where workflow_id = ${`disconnect/${connectionId}`}`).toHaveLength(0);
    const retried = await program(...stuck);
    expect(read(retried)).toMatchObject({ dryRun: false, count: dry.count });
    expect(retried.stderr).toBe('Temporal cannot be reached. The worker delivers this when it can.\n');
    expect(await database.sql`select from outbox where workflow_id = ${`disconnect/${connectionId}`}`).toHaveLength(1);
    expect(await database.sql`select from outbox where workflow_id = ${`disconnect/${other.connectionId}`}`).toEqual(
      [],
    );
    const entries = await database.sql`
      select actor, related @> array[${jobId}] as names_it, outcome from audit_log
      where action = 'retryJobs' and target = ${connectionId} order by audit_id
    `;
    expect(entries).toEqual([
      { actor: getCommandLineActor(), namesIt: false, outcome: 'DRY_RUN' },
      { actor: getCommandLineActor(), namesIt: true, outcome: 'DONE' },
    ]);
  });
});

describe('an outbox entry that Temporal refuses', () => {
  test('is listed, and retried on an operator’s command', async ({ program, sql }) => {
    await sql`
      insert into outbox (workflow_id, workflow_type, input, refusals, last_failure, next_retry_at)
      values ('disconnect/1', 'disconnect', '{}', 3, 'INVALID_ARGUMENT', business_now() + interval '10 minutes')
    `;
    expect(read(await program('outbox', 'refused', '--json'))).toMatchObject([
      { workflowId: 'disconnect/1', workflowType: 'disconnect', lastFailure: 'INVALID_ARGUMENT', refusals: 3 },
    ]);
    expect(read(await program('outbox', 'retry', '--json'))).toEqual({ retried: 1, delivered: false });
    await sql`delete from outbox where workflow_id = 'disconnect/1'`;
    expect(read(await program('outbox', 'refused', '--json'))).toEqual([]);
  });
});

describe('resealing', () => {
  test('leaves no row under an older key, keeps every value, and counts the rows of each key', async ({
    database,
    seeded,
  }) => {
    const { sql } = database;
    const [old, fresh] = [await makeKeys(), await makeKeys()];
    const rename = (set: string) => set.replaceAll('dev-', 'dev-new-');
    const both = (name: 'VAULT_GRANT_KEYS' | 'VAULT_INBOX_PRIVATE_KEYS' | 'VAULT_EDGE_KEYS') => ({
      keys: [...JSON.parse(rename(fresh[name])).keys, ...JSON.parse(old[name]).keys],
    });
    const keySets = {
      VAULT_GRANT_KEYS: both('VAULT_GRANT_KEYS'),
      VAULT_INBOX_PRIVATE_KEYS: both('VAULT_INBOX_PRIVATE_KEYS'),
      VAULT_EDGE_KEYS: both('VAULT_EDGE_KEYS'),
    };
    await sql`update account_grant set sealed_tokens = null`;
    await sql`update disconnect_job set sealed_tokens = null`;
    const sealGrant = await createSeal(JSON.parse(old.VAULT_GRANT_KEYS));
    const sealInbox = await createSeal(JSON.parse(old.VAULT_INBOX_PUBLIC_KEYS));
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
    const tokens = associatedData.tokens(grant?.grantId);
    await sql`update account_grant set sealed_tokens = ${await sealGrant('tokens', tokens)} where grant_id = ${grant?.grantId}`;
    for (const registrationId of Object.values(seeded.registrations)) {
      const sealed = await sealInbox('client secret', associatedData.clientSecret(registrationId));
      await sql`update registration set sealed_client_secret = ${sealed} where registration_id = ${registrationId}`;
    }
    const issuer = associatedData.issuerSecret(seeded.issuerId);
    await sql`update identity_issuer set sealed_client_secret = ${await sealInbox('issuer secret', issuer)}`;

    const counted = await reseal(asMaintenance(sql), keySets, { dryRun: true });
    expect(counted.find(({ column }) => column === 'account_grant.sealed_tokens')).toMatchObject({
      keyId: kidOf(old.VAULT_GRANT_KEYS),
      count: 1,
    });

    const uses = await reseal(asMaintenance(sql), keySets, { dryRun: false });
    expect(uses.filter(({ keyId }) => !keyId.startsWith('dev-new-')).every(({ count }) => count === 0)).toBe(true);
    expect(uses).toContainEqual({
      keys: 'VAULT_INBOX_PRIVATE_KEYS',
      column: 'registration.sealed_client_secret',
      keyId: kidOf(old.VAULT_INBOX_PRIVATE_KEYS),
      count: 0,
      resealed: 3,
      unopened: 0,
    });
    const openGrant = await createOpen(JSON.parse(rename(fresh.VAULT_GRANT_KEYS)));
    const [row] = await sql`select sealed_tokens from account_grant where grant_id = ${grant?.grantId}`;
    expect((await openGrant(row?.sealedTokens, tokens)).reveal()).toBe('tokens');
    const openInbox = await createOpen(JSON.parse(rename(fresh.VAULT_INBOX_PRIVATE_KEYS)));
    const [kept] = await sql`select sealed_client_secret from identity_issuer where issuer_id = ${seeded.issuerId}`;
    expect((await openInbox(kept?.sealedClientSecret, issuer)).reveal()).toBe('issuer secret');
    expect((await reseal(asMaintenance(sql), keySets, { dryRun: false })).every(({ resealed }) => resealed === 0)).toBe(
      true,
    );
  });

  test('reseals the others when one value opens with no key, and counts it', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [lost, old, fresh] = [await makeKeys(), await makeKeys(), await makeKeys()];
    const grantKeys = [fresh, old].flatMap(({ VAULT_GRANT_KEYS: set }, index) =>
      JSON.parse(set).keys.map((key: object) => ({ ...key, kid: `kept-${index}` })),
    );
    const keySets = {
      VAULT_GRANT_KEYS: { keys: grantKeys },
      VAULT_INBOX_PRIVATE_KEYS: JSON.parse(fresh.VAULT_INBOX_PRIVATE_KEYS),
      VAULT_EDGE_KEYS: JSON.parse(fresh.VAULT_EDGE_KEYS),
    };
    await sql`update account_grant set sealed_tokens = null`;
    await sql`update disconnect_job set sealed_tokens = null`;
    for (const set of [JSON.parse(lost.VAULT_GRANT_KEYS), { keys: [grantKeys[1]] }]) {
      const seal = await createSeal(set);
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
      const sealed = await seal('tokens', associatedData.tokens(grant?.grantId));
      await sql`update account_grant set sealed_tokens = ${sealed} where grant_id = ${grant?.grantId}`;
    }
    const uses = await reseal(asMaintenance(sql), keySets, { dryRun: false });
    const ofGrants = uses.filter(({ column }) => column === 'account_grant.sealed_tokens');
    expect(ofGrants.map(({ count, resealed, unopened }) => ({ count, resealed, unopened }))).toEqual(
      expect.arrayContaining([
        { count: 1, resealed: 0, unopened: 1 }, // Stays under the lost key.
        { count: 0, resealed: 1, unopened: 0 },
        { count: 1, resealed: 0, unopened: 0 },
      ]),
    );
  });

  test('covers every sealed column', async ({ database }) => {
    const columns = await database.sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%' and is_updatable = 'YES' order by 1
    `;
    const known = Object.values(SEALED_COLUMNS).flatMap((list) =>
      list.map(({ table, column }) => `${table}.${column}`),
    );
    expect(known.sort()).toEqual(columns.map(({ name }) => name));
  });
});

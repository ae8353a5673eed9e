import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import type { RegistrationId } from '../../src/basics/ids.ts';
import type { CliDeps, Row } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config/config.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { areDowngradesHeld, holdDowngrades } from '../../src/store/connections/downgrades.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findCallbackRegistration } from '../../src/store/erasures/platform-callbacks.ts';
import { findRegistration, getCallLimits, updateQuotaSpent } from '../../src/store/registrations/registrations.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { test } from '../kit/postgres.ts';
import { rejectClient, seedApp } from '../kit/seed.ts';

/** Runs a command in this process, as the program does. */
async function runOver(sql: Database, deployment: CliDeps['deployment'] = 'development') {
  const keys = await makeKeys();
  const deps = {
    sql,
    deployment,
    sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
    sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
    webhookEgress: { production: deployment === 'production', privateNetworks: [] },
    facts: createCatalog(readConfig('trial')),
    readSecret: async () => 's3cret',
    warn: () => expect.fail('Nothing to be warned of.'),
  };
  return async (name: string, options: Readonly<Record<string, string | readonly string[]>>): Promise<Row> => {
    const found = COMMANDS[name] ?? expect.fail(`There is no command ${name}.`);
    return await found.run(options, deps);
  };
}

describe('a blocked registration', () => {
  test('is used again at once, after retry if refused and after clear-quota if its quota was used up', async ({
    database: { sql },
  }) => {
    const run = await runOver(sql);
    const registration = (await seedApp(sql)).registrations.PROVIDER_B;
    await rejectClient(sql, registration);
    await updateQuotaSpent(sql, registration, 3_600);
    expect(await run('registration retry', { registration })).toEqual({ registrationId: registration });
    expect(await run('registration clear-quota', { registration })).toEqual({ registrationId: registration });
    expect(await getCallLimits(sql, registration)).toEqual({ clientRefused: false, quotaSeconds: 0 });
    for (const name of ['registration retry', 'registration clear-quota']) {
      await expect(run(name, { registration }), name).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('a registration whose platform refuses many accounts', () => {
  test('believes it again after retry; another one is not concerned', async ({ database: { sql } }) => {
    const run = await runOver(sql);
    const { PROVIDER_A: other, PROVIDER_B: registration } = (await seedApp(sql)).registrations;
    for (const id of [other, registration]) await holdDowngrades(sql, id);
    await run('registration retry', { registration });
    expect(await areDowngradesHeld(sql, registration)).toBe(false);
    expect(await areDowngradesHeld(sql, other)).toBe(true);
  });
});

describe('permissions of a registration', () => {
  test('are those the service uses, or fewer; the basic one stays', async ({ database: { sql } }) => {
    const run = await runOver(sql);
    const { PROVIDER_B: registration, PROVIDER_C: other } = (await seedApp(sql)).registrations;
    const stored = async (id: RegistrationId) => (await findRegistration(sql, id))?.permissions;
    const basic = ['user.info.basic'];
    expect(await run('registration permissions', { registration, permission: basic })).toEqual({
      registrationId: registration,
      permissions: basic,
      capabilities: ['PROFILE'],
    });
    expect([await stored(registration), await stored(other)]).toEqual([basic, null]);
    for (const [permission, message] of [
      [['user.info.basic', 'video.upload'], 'must be some of user.info.basic, user.info.profile, video.list'],
      [['video.list'], 'must include user.info.basic'],
    ] as const) {
      const setting = run('registration permissions', { registration, permission });
      await expect(setting).rejects.toThrow(`--permission ${message}`);
    }
    expect(await stored(registration)).toEqual(basic);
    expect(await run('registration permissions', { registration })).toMatchObject({
      capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'],
    });
    expect(await stored(registration)).toBeNull();
  });
});

describe('a callback secret', () => {
  test('is stored sealed until it is removed', async ({ database: { sql } }) => {
    const run = await runOver(sql);
    const registration = (await seedApp(sql)).registrations.PROVIDER_C;
    const added = await run('callback-secret add', { registration });
    const [secret] = (await findCallbackRegistration(sql, registration))?.secrets ?? [];
    expect(secret?.secretId).toBe(added.callbackSecretId);
    expect(secret?.sealedSecret).not.toContain('s3cret');
    const removal = { 'callback-secret': String(added.callbackSecretId) };
    expect(await run('callback-secret remove', removal)).toEqual(added);
    expect((await findCallbackRegistration(sql, registration))?.secrets).toEqual([]);
    await expect(run('callback-secret remove', removal)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('plain http', () => {
  test('is refused in production for return URLs, origins and issuers', async ({ database: { sql } }) => {
    const { app, issuerId } = await seedApp(sql);
    const url = 'http://localhost:3000';
    const adding = [
      ['return-url add', { app: app.appId, url: `${url}/back` }],
      ['launch-origin add', { app: app.appId, origin: url }],
      ['identity set', { app: app.appId, issuer: issuerId, 'return-url': `${url}/in` }],
      ['issuer create', { issuer: url, 'client-id': 'client' }],
    ] as const;
    const [development, production] = [await runOver(sql), await runOver(sql, 'production')];
    for (const [name, options] of adding) {
      await expect(production(name, options), name).rejects.toThrow('must begin with https:// in production');
      await expect(development(name, options), name).resolves.toBeDefined();
    }
  });
});

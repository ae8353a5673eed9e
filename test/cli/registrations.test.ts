import { describe, expect } from 'vitest';
import type { CliDeps, Row } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { makeKeys } from '../../src/local/development-keys.ts';
import { findCallbackRegistration } from '../../src/store/platform-callbacks.ts';
import { getCallLimits, updateQuotaSpent } from '../../src/store/registrations.ts';
import type { Database } from '../../src/store/sql.ts';
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
    readSecret: async () => 's3cret',
    warn: () => expect.fail('Nothing to be warned of.'),
  };
  return async (name: string, options: Readonly<Record<string, string>>): Promise<Row> => {
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

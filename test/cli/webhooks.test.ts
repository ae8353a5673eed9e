import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import type { Row } from '../../src/cli/command.ts';
import { OPERATIONS } from '../../src/cli/operations.ts';
import { readConfig } from '../../src/config/config.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

/** Runs a command in this process, as the program does, and counts the deliveries that it asks for. */
async function runOver(sql: Database) {
  const keys = await makeKeys();
  let delivered = 0;
  const deps = {
    sql,
    deployment: 'production' as const,
    sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
    sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
    webhookEgress: { production: true, privateNetworks: ['10.20.0.0/16'] },
    facts: createCatalog(readConfig('trial')),
    readSecret: async () => expect.fail('No command reads a secret.'),
    warn: () => expect.fail('Nothing to be warned of.'),
    touched: () => {},
    askWorkflow: async () => expect.fail('No command asks a workflow.'),
    workerVersions: async () => expect.fail('No command asks for versions.'),
    deliver: async () => {
      delivered += 1;
      return true;
    },
  };
  const run = async (name: string, options: Readonly<Record<string, unknown>>) =>
    await (OPERATIONS[name] ?? expect.fail(`There is no command ${name}.`)).run(options, deps);
  return {
    one: async (name: string, options: Readonly<Record<string, unknown>>) => (await run(name, options)) as Row,
    list: async (name: string, options: Readonly<Record<string, unknown>>) => (await run(name, options)) as Row[],
    delivered: () => delivered,
  };
}

describe('webhook commands', () => {
  test('set up an endpoint, rotate its secret, send a test event and send it again', async ({ database: { sql } }) => {
    const { one, list, delivered } = await runOver(sql);
    const app = (await seedApp(sql)).app.appId;
    const url = 'https://caller.example/hooks';
    const { webhookEndpointId: endpoint, secret } = await one('webhook-endpoint create', { app, url });
    expect(secret).toMatch(/^whsec_/);
    const [created] = await list('webhook-endpoint list', { app });
    expect(created).toMatchObject({ webhookEndpointId: endpoint, url, enabled: true, failures: 0 });
    const [first] = [created?.secretIds].flat();

    const rotated = await one('webhook-secret rotate', { endpoint });
    expect(rotated.secret).toMatch(/^whsec_/);
    await one('webhook-secret retire', { endpoint, secret: first, 'after-hours': '24' });
    await expect(one('webhook-secret retire', { endpoint, secret: rotated.webhookSecretId })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });

    const types = { endpoint, 'event-type': ['job.finished', 'receipt.settled'] };
    expect(await one('webhook-endpoint change', types)).toMatchObject({ eventTypes: types['event-type'], url });
    const { webhookDeliveryId: delivery, delivered: sent } = await one('webhook test', { endpoint });
    expect(sent).toBe(true);
    expect(await list('webhook deliveries', { endpoint })).toMatchObject([
      { webhookDeliveryId: delivery, eventType: 'webhook.test', status: 'PENDING', lastFailure: null },
    ]);
    expect(await list('webhook deliveries', { endpoint, status: 'FAILED' })).toEqual([]);
    expect(await one('webhook redeliver', { delivery })).toMatchObject({ count: 1, delivered: true });
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await one('webhook redeliver', { endpoint, since, all: true })).toMatchObject({ count: 0 });
    expect(delivered()).toBe(3);

    await one('webhook-endpoint disable', { endpoint });
    expect(await list('webhook-endpoint list', {})).toContainEqual(
      expect.objectContaining({ webhookEndpointId: endpoint, enabled: false, disabledReason: 'OPERATOR' }),
    );
    await expect(one('webhook test', { endpoint })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await one('webhook-endpoint enable', { endpoint });
    await one('webhook-endpoint remove', { endpoint });
    await expect(one('webhook-endpoint remove', { endpoint })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('refuse in production a URL that is not https or leads to a network that is not configured', async ({
    database: { sql },
  }) => {
    const { one } = await runOver(sql);
    const app = (await seedApp(sql)).app.appId;
    const add = (url: string) => one('webhook-endpoint create', { app, url });
    await expect(add('http://caller.example/')).rejects.toThrow('--url must begin with https://');
    await expect(add('https://192.168.0.9/')).rejects.toThrow('--url names a host that is not public');
    await expect(add('https://10.20.1.9/')).resolves.toMatchObject({ secret: expect.any(String) });
  });

  test('refuse options that do not fit together', async ({ database: { sql } }) => {
    const { one } = await runOver(sql);
    const id = '00000000-0000-4000-8000-000000000000';
    const since = '2026-01-01T00:00:00Z';
    for (const [name, options] of [
      ['webhook-endpoint change', { endpoint: id }],
      ['webhook redeliver', {}],
      ['webhook redeliver', { endpoint: id }],
      ['webhook redeliver', { delivery: id, since }],
      ['webhook redeliver', { delivery: id, all: true }],
      ['webhook deliveries', { 'event-type': 'made.up' }],
    ] as const) {
      await expect(one(name, options), name).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });
});

import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { createParts, performCommand } from '../kit/commands.ts';
import { asApi, test as postgresTest } from '../kit/postgres.ts';

type Run = (name: string, options: Readonly<Record<string, string | readonly string[]>>) => ReturnType<typeof print>;
const print = async (outcome: ReturnType<typeof performCommand>) => (await outcome).printed;

/** Runs commands in this process, with the rights of the api. */
const test = postgresTest.extend<{ $file: { run: Run } }>({
  run: [
    async ({ database }, use) => {
      const parts = await createParts(asApi(database.sql), await makeKeys(), 'http://localhost:4000');
      await use((name, options) => print(performCommand(parts, name, options, 'a-secret')));
    },
    { scope: 'file' },
  ],
});

describe('an operator at the command line', () => {
  test('needs no database rights beyond those of the api', async ({ run }) => {
    await run('admin token create', { role: 'ADMIN' });
    const { id: app } = await run('app create', { name: 'Harbour' });
    await run('policy set', { app, provider: 'PROVIDER_B', capability: ['PROFILE'] });
    const client = { provider: 'PROVIDER_B', label: 'Test', 'client-id': 'client' };
    const { id: registration } = await run('registration create', client);
    await run('registration serve', { registration, app });
    const { key } = await run('key issue', { app });
    await run('key revoke', { key: key.id, yes: key.id });
    await run('branding set', { app, language: 'de' });
    await run('webhook create', { app, url: 'https://caller.example/hooks' });
    expect(await run('jobs stuck', { app })).toEqual([]);
    expect(await run('jobs retry-stuck', { app })).toMatchObject({ count: 0 });
    expect(await run('overview show', {})).toMatchObject({ failingWorkflows: null });
    expect(await run('audit list', {})).toContainEqual(expect.objectContaining({ action: 'serveApp' }));
  });

  test('cannot use an idempotency key, which belongs to a token', async ({ run }) => {
    const creating = run('app create', { name: 'A', 'idempotency-key': 'k' });
    await expect(creating).rejects.toThrow('BAD_USER_INPUT: --idempotency-key needs an admin token');
  });
});

import { createHash } from 'node:crypto';
import { expect, vi } from 'vitest';
import { logo } from '../../../src/domain/rules/input-rules.ts';
import { updateLogo } from '../../../src/store/apps/branding.ts';
import { startTestApi } from '../../kit/api.ts';
import { makePng } from '../../kit/images.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

const statusOf = async (port: number, path: string) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' };
  return (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
};

test('its own listener alone, if any, serves the admin API, and nothing more but logos', async ({ database }) => {
  const api = await startTestApi(database.url, { ADMIN_PORT: '0' });
  expect(api.adminPort).not.toBe(api.port);
  expect(await statusOf(api.adminPort, '/api/admin/graphql')).toBe(200);
  expect(await statusOf(api.port, '/api/admin/graphql')).toBe(404);
  expect(await statusOf(api.port, '/api/admin/session')).toBe(404);
  expect(await statusOf(api.adminPort, '/graphql')).toBe(404);
  expect(await statusOf(api.adminPort, '/api/connect/redeem')).toBe(404);
  const image = makePng(16, 16);
  await updateLogo(database.sql, (await seedApp(database.sql)).app.appId, logo.parse(image));
  const path = `/api/connect/logo/${createHash('sha256').update(image).digest('hex')}`;
  for (const port of [api.port, api.adminPort]) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).headers.get('content-type')).toBe('image/png');
  }
  await api.close();
});

test('strangers see that an api is not ready, and only operators see the reason', async ({ database }) => {
  const name = '9999_missing.sql';
  const api = await startTestApi(database.url, { ADMIN_PORT: '0' });
  await database.sql`update schema_migration set name = ${name} where name = '0001_initial.sql'`;
  const ask = async (port: number) => await (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
  // The check is shared for a second.
  await vi.waitFor(async () => expect(await ask(api.port)).toBe('not ready'));
  expect(await ask(api.adminPort)).toBe('the database has migrations pending');
  await database.sql`update schema_migration set name = '0001_initial.sql' where name = ${name}`;
  await api.close();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { AUTHORIZATION, type Service, startService } from '../kit/graphql-service.ts';

let service: Service;
let sandbox: Sandbox;
beforeAll(async () => {
  service = await startService();
  const key = AUTHORIZATION.replace('Bearer ', '');
  sandbox = await startSandbox({
    port: 0,
    explorer: {
      graphqlUrl: `${service.url}/graphql`,
      schemaUrl: `${service.url}/schema.graphql`,
      key,
      tenantKey: 'demo',
      returnUrl: 'http://127.0.0.1:3999/connected',
    },
  });
});
afterAll(async () => {
  await sandbox.close();
  await service.close();
});

const ask = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const answer = await fetch(`${sandbox.url}/explorer/graphql`, { ...init, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('the explorer adds the key only for its own page', async () => {
  const query = { query: '{ integrationReadiness { idpIdentityAvailable } }' };
  expect((await ask(query)).body).toEqual({ data: { integrationReadiness: { idpIdentityAvailable: false } } });
  expect((await ask(query, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

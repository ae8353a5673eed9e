import { vi } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import { refusalOf } from '../kit/graphql.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';

const test = stackTest();

/** Acts as the operator: stores the platforms' secrets here and enters our URLs there. */
async function enterCallbacks({ app, apiUrls, commandLine, database, sandbox }: TestService): Promise<void> {
  const rows = await database.sql`
    select provider, registration_id from registration join registration_app using (registration_id)
    where app_id = ${app.appId}
  `;
  const idOf = (provider: string) => String(rows.find((row) => row.provider === provider)?.registrationId);
  const urlOf = (provider: 'PROVIDER_B' | 'PROVIDER_C', path: string) =>
    `${apiUrls[0]}/api/platform/${provider === 'PROVIDER_B' ? 'provider-b' : 'provider-c'}/${idOf(provider)}/${path}`;
  for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
    const { clientId, clientSecret } = KNOWN_CLIENTS[provider];
    await commandLine.run('callback-secret add', { registration: idOf(provider) }, clientSecret);
    sandbox.control.registerClient({
      provider,
      clientId,
      webhookUrl: urlOf(provider, provider === 'PROVIDER_B' ? 'events' : 'deauthorize'),
      ...(provider === 'PROVIDER_C' && { dataDeletionUrl: urlOf(provider, 'data-deletion') }),
    });
  }
}

test('a person who removes the app at the platform is asked to reconnect and can do so', async ({
  service,
  newPerson,
  expect,
}) => {
  await enterCallbacks(service);
  for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
    const person = newPerson();
    const account = person.account(provider, /^250 posts/);
    const { connectionId } = await person.connect(provider, account);
    await person.synced(connectionId);
    service.sandbox.control.clearCalls();
    service.sandbox.control.removeApp(account);
    const row = await vi.waitUntil(
      async () => {
        const connection = await person.connection(connectionId).catch(() => undefined);
        return connection?.status === 'RECONNECT_REQUIRED' && connection;
      },
      { interval: 100 },
    );
    expect(row).toMatchObject({ id: connectionId, profile: null });
    const deliveries = service.sandbox.control.deliveries();
    expect(deliveries.at(-1)).toMatchObject({ status: 200, tries: 1 });
    // A late repetition after a reconnect does not end the new grant.
    const again = await person.connect(provider, account, { reconnectConnectionId: connectionId });
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId });
    const kind = provider === 'PROVIDER_B' ? 'authorizationRemoved' : 'deauthorize';
    const { clientId } = KNOWN_CLIENTS[provider];
    const late = { kind, clientId, account } as const;
    expect((await service.sandbox.control.sendCallback({ ...late, createdAt: 1_000 })).status).toBe(200);
    // Neither does a false callback: only the platform's answer to a call with the grant counts.
    expect((await service.sandbox.control.sendCallback(late)).status).toBe(200);
    await person.synced(connectionId);
    expect(await person.connection(connectionId)).toMatchObject({ status: 'CONNECTED' });
    expect(person.liveGrants(account)).toHaveLength(1);
  }
});

test('a deletion request from the platform erases the account, leaves receipts and has a status page', async ({
  service,
  newPerson,
  expect,
}) => {
  await enterCallbacks(service);
  const person = newPerson();
  const account = person.account('PROVIDER_C', /^250 posts/);
  const { connectionId } = await person.connect('PROVIDER_C', account);
  await person.synced(connectionId);
  const { clientId } = KNOWN_CLIENTS.PROVIDER_C;
  const delivery = await service.sandbox.control.sendCallback({ kind: 'dataDeletion', clientId, account });
  const { url, confirmation_code: code } = JSON.parse(delivery.answer) as { url: string; confirmation_code: string };
  const shown = await vi.waitUntil(
    async () => {
      const page = await (await fetch(url)).text();
      return page.includes('has been deleted') && page;
    },
    { interval: 100 },
  );
  expect(shown).toContain(code);
  expect((await refusalOf(person.connection(connectionId))).code).toBe('NOT_FOUND');
  const receipts = await service.database.sql`
    select kind, status, creator_action from disconnect_job where connection_id = ${connectionId} order by kind
  `;
  expect(receipts.map((row) => ({ ...row }))).toEqual([
    { kind: 'ERASE', status: 'SUCCEEDED', creatorAction: null },
    { kind: 'REVOKE', status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' },
  ]);
  const [left] = await service.database.sql`
    select (select count(*) from content_item where connection_id = ${connectionId})::int as posts,
      (select count(*) from account_grant where connection_id = ${connectionId})::int as grants
  `;
  expect({ ...left }).toEqual({ posts: 0, grants: 0 });
});

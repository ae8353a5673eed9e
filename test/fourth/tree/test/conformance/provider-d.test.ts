import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { PROVIDERS } from '../../console/src/texts/providers.ts';
import { ROOT } from '../../local/src/services.ts';
import { formatProvider } from '../../src/basics/format-provider.ts';
import { SWEEPS } from '../../src/basics/sweeps.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { TRY_COMMAND } from '../../src/cli/try-provider/command.ts';
import { CONNECT_QUEUES, GRANT_QUEUES } from '../../src/workflows/contract.ts';
import { type Service, type User, until, workTest } from '../kit/at-work.ts';
import { DAY, iso } from '../kit/conformance.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';

const test = workTest();

const D = 'PROVIDER_D';
const NOW = Math.floor(Date.now() / 1_000) * 1_000 - 10_000;
const booksOf = (user: User, provider: typeof D | 'PROVIDER_B' = D) => user.account(provider, /right to left/);

const callsOf = ({ control }: Service, route: string) => control.calls({ provider: D, route });

describe('an account at PROVIDER_D', () => {
  test('is looked up by the URL of a post', async ({ user, service }) => {
    await service.at(NOW);
    const account = booksOf(user);
    const id = await user.connect(D, account);
    const post = service.control.posts(account).find(({ isPublic }) => isPublic);
    const url = `https://mosaic.example/reading.club.demo/${post?.id}`;
    expect(await user.lookUp(id, url)).toMatchObject({ status: 'SUCCEEDED' });
    const refused = await user.lookUp(id, 'https://www.tiktok.com/@reading/video/7400000000000000001');
    expect(refused).toMatchObject({ status: 'FAILED', errorCode: 'UNSUPPORTED_URL' });
  });

  test('is kept up by the sweep: new tokens and a new profile, beside the other platforms', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const account = user.account(D, /^Calm/);
    const [id, other] = [await user.connect(D, account), await user.connect('PROVIDER_B', booksOf(user, 'PROVIDER_B'))];
    service.control.clearCalls();
    await service.at(NOW + 28 * DAY);
    await service.sweep('upkeep');
    const observedAt = async (one: string) => (await user.connection(one)).profile?.observedAt;
    await until(async () => (await observedAt(id)) === iso(NOW + 28 * DAY));
    await until(async () => (await observedAt(other)) === iso(NOW + 28 * DAY));
    const refreshes = callsOf(service, 'token').filter((call) => call.account === account);
    expect(new Set(refreshes.map(({ parameters }) => parameters.grant_type))).toEqual(new Set(['refresh_token']));
    expect(await user.connection(id)).toMatchObject({ status: 'CONNECTED' });
  });

  test('is disconnected: revoked at the platform, and erased', async ({ user, service }) => {
    await service.at(NOW);
    const account = booksOf(user);
    const [id, other] = [await user.connect(D, account), await user.connect(D, user.account(D, /^No posts/))];
    const { revoke, erase } = await user.disconnect(id);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(user.liveGrants(account)).toEqual([]);
    expect(await user.outcome('connection', { id })).toBe('NOT_FOUND');
    expect(await user.connection(other)).toMatchObject({ status: 'CONNECTED' });
  });

  test("its callback ends a connection and sends the app's webhooks; a forged one does not", async ({
    user,
    service,
  }) => {
    const receiver = await openReceiver();
    await service.operate(`createWebhookEndpoint(input: { appId: "${user.appId}", url: "${receiver.url}" })`);
    const [account, calm] = [booksOf(user), user.account(D, /^No posts/)];
    const [id, other] = [await user.connect(D, account), await user.connect(D, calm)];
    const registrationId = user.seeded.registrations[D];
    const [row] = await service.sql`select client_id from registration where registration_id = ${registrationId}`;
    const client = service.control.clients().find(({ clientId }) => clientId === row?.clientId);
    await service.operate(`addCallbackSecret(registrationId: "${registrationId}", secret: "${client?.clientSecret}")`);
    const webhookUrl = new URL(`/api/platform/provider-d/${registrationId}/gone`, user.urls[0]).href;
    service.control.registerClient({ provider: D, clientId: client?.clientId ?? '', webhookUrl });

    const callback = {
      kind: 'gone',
      clientId: client?.clientId ?? '',
      account,
      createdAt: Math.ceil(Date.now() / 1000) + 1,
    };
    expect((await service.control.sendCallback({ ...callback, isForged: true })).status).toBe(403);
    expect(await user.connection(id)).toMatchObject({ status: 'CONNECTED' });

    service.control.removeApp(account, { notify: false });
    expect((await service.control.sendCallback(callback)).status).toBe(200);
    await until(async () => (await user.connection(id)).status === 'RECONNECT_REQUIRED');
    expect(await user.connection(other)).toMatchObject({ status: 'CONNECTED' });

    const told = await service.sql`
      select connection_id from webhook_delivery
      where app_id = ${user.appId} and event_type = 'connection.reconnect_required'
    `;
    expect(told.map(({ connectionId }) => connectionId)).toEqual([id]);
    await receiver.close();
  });
});

test('every list has PROVIDER_D', () => {
  expect(formatProvider(D)).toBe('Mosaic (PROVIDER_D)');
  expect(PROVIDERS).toContain(D);
  expect(SWEEPS.upkeep.steps).toEqual(expect.arrayContaining([`upkeep/${D}`, `replan/${D}`, `refresh/${D}`]));
  expect([CONNECT_QUEUES[D], GRANT_QUEUES[D]]).toEqual([`${D}-CONNECTS`, `${D}-GRANTS`]);
  expect(TRY_COMMAND.usage).toContain('provider-d');
  const values = Object.values(COMMANDS).flatMap(({ options }) =>
    options.provider?.values ? [options.provider.values] : [],
  );
  expect(values.length).toBeGreaterThan(5);
  for (const list of values) expect(list).toContain(D);
  const schema = readFileSync(path.join(ROOT, 'clients', 'typescript', 'webhook-events.schema.json'), 'utf8');
  expect(schema.match(/PROVIDER_D/g)).toHaveLength(schema.match(/PROVIDER_C/g)?.length ?? 0);
});

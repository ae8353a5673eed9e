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

const test = workTest();

const D = 'PROVIDER_D';
/** It speaks as this one: see its folder. */
const B = 'PROVIDER_B';
const NOW = Math.floor(Date.now() / 1_000) * 1_000 - 10_000;

/** Gives the app's client of PROVIDER_D to the platform that answers for it. */
function openClient(user: User, { control }: Service) {
  const own = control.clients().find(({ platform, clientId }) => platform === D && user.clientIds.includes(clientId));
  const { clientId = '', clientSecret = '' } = own ?? {};
  return control.registerClient({ provider: B, clientId, clientSecret });
}

describe('an account at PROVIDER_D', () => {
  test('is looked up by the URL of a post', async ({ user, service }) => {
    await service.at(NOW);
    openClient(user, service);
    const account = user.account(B, /^250 posts/);
    const id = await user.connect(D, account);
    const post = service.control.posts(account).find(({ isPublic }) => isPublic);
    expect(await user.lookUp(id, `https://www.tiktok.com/@someone/video/${post?.id}`)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: post?.id,
    });
  });

  test('is kept up by the sweep: new tokens and a new profile, beside the other platforms', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    openClient(user, service);
    const account = user.account(B, /^No posts/);
    const [id, other] = [await user.connect(D, account), await user.connect(B, user.account(B, /^40 posts/))];
    service.control.clearCalls();
    await service.at(NOW + 28 * DAY);
    await service.sweep('upkeep');
    const observedAt = async (one: string) => (await user.connection(one)).profile?.observedAt;
    await until(async () => (await observedAt(id)) === iso(NOW + 28 * DAY));
    await until(async () => (await observedAt(other)) === iso(NOW + 28 * DAY));
    const refreshes = service.control.calls({ provider: B, route: 'token', account });
    expect(new Set(refreshes.map(({ parameters }) => parameters.grant_type))).toEqual(new Set(['refresh_token']));
    expect(await user.connection(id)).toMatchObject({ status: 'CONNECTED', provider: D });
  });

  test('is disconnected: revoked at the platform, and erased', async ({ user, service }) => {
    await service.at(NOW);
    openClient(user, service);
    const account = user.account(B, /^40 posts/);
    const [id, other] = [await user.connect(D, account), await user.connect(D, user.account(B, /^No posts/))];
    const { revoke, erase } = await user.disconnect(id);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(user.liveGrants(account)).toEqual([]);
    expect(await user.outcome('connection', { id })).toBe('NOT_FOUND');
    expect(await user.connection(other)).toMatchObject({ status: 'CONNECTED' });
  });

  test('is told of by its callback; a forged one ends nothing', async ({ user, service }) => {
    const { clientId, clientSecret } = openClient(user, service);
    const account = user.account(B, /^40 posts/);
    const [id, other] = [await user.connect(D, account), await user.connect(D, user.account(B, /^No posts/))];
    const registrationId = user.seeded.registrations[D];
    await service.operate(`addCallbackSecret(registrationId: "${registrationId}", secret: "${clientSecret}")`);
    const webhookUrl = new URL(`/api/platform/provider-d/${registrationId}/events`, user.urls[0]).href;
    service.control.registerClient({ provider: B, clientId, webhookUrl });
    const createdAt = Math.ceil(Date.now() / 1000) + 1;
    const callback = { kind: 'authorizationRemoved', clientId, account, createdAt };
    expect((await service.control.sendCallback({ ...callback, isForged: true })).status).toBe(403);
    expect(await user.connection(id)).toMatchObject({ status: 'CONNECTED' });

    service.control.removeApp(account, { notify: false });
    expect((await service.control.sendCallback(callback)).status).toBe(200);
    await until(async () => (await user.connection(id)).status === 'RECONNECT_REQUIRED');
    expect(await user.connection(other)).toMatchObject({ status: 'CONNECTED' });
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

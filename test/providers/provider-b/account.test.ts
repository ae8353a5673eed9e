import { afterAll, beforeAll, expect, test } from 'vitest';
import { access as accessOf, call, failureOf, openAdapters } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const access = accessOf(['user.info.basic', 'video.list']);
const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const user = {
  open_id: '-000a',
  display_name: 'Harbour',
  avatar_url: 'https://p16.example/168',
  username: 'harbour',
};

test('requests exactly the fields that were granted', async () => {
  proves('Profile', 'Refused fields');
  adapters.platform.script(good({ user }));
  const { PROVIDER_B } = adapters.providers;
  await PROVIDER_B.readAccount(accessOf(['user.info.basic']), call());
  await PROVIDER_B.readAccount(accessOf(['user.info.basic', 'user.info.profile']), call());
  expect(adapters.platform.seen.map(({ query }) => query.fields)).toEqual([
    'open_id,display_name,avatar_url,avatar_large_url',
    'open_id,display_name,avatar_url,avatar_large_url,username,bio_description,profile_deep_link',
  ]);
});

test('falls back to the smaller picture and to a profile URL built from the name', async () => {
  proves('Profile');
  adapters.platform.script(good({ user }));
  expect(await adapters.providers.PROVIDER_B.readAccount(access, call())).toEqual({
    providerAccountId: '-000a',
    aliasIds: [],
    profile: {
      displayName: 'Harbour',
      handle: 'harbour',
      avatarUrl: 'https://p16.example/168',
      profileUrl: 'https://www.tiktok.com/@harbour',
      description: null,
    },
  });
});

test('is not requested without the basic permission', async () => {
  proves('An unusable account');
  adapters.platform.script(good({ user }));
  expect(await failureOf(adapters.providers.PROVIDER_B.readAccount(accessOf(['video.list']), call()))).toMatchObject({
    type: 'PermissionMissing',
  });
  expect(adapters.platform.seen).toHaveLength(0);
});

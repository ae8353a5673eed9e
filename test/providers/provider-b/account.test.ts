import { expect, test } from 'vitest';
import { access as accessOf, call, failureOf, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const access = accessOf(['user.info.basic', 'video.list']);
const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const user = {
  open_id: '-000a',
  display_name: 'Harbour',
  avatar_url: 'https://p16.example/168',
  username: 'harbour',
};

test('falls back to the smaller picture and to a profile URL built from the name', async () => {
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
  adapters.platform.script(good({ user }));
  expect(await failureOf(adapters.providers.PROVIDER_B.readAccount(accessOf(['video.list']), call()))).toMatchObject({
    type: 'PermissionMissing',
  });
  expect(adapters.platform.seen).toHaveLength(0);
});

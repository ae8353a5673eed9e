import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, failureOf, openAdapters } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';
import { access, refusal } from './media.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const me = {
  user_id: '17841400123456789',
  id: '24680135791357911',
  username: 'harbourkitchen',
  account_type: 'BUSINESS',
};

test('is the professional account, with the app-scoped id as alias', async () => {
  proves('Profile');
  adapters.platform.script({ body: me });
  expect(await adapters.providers.PROVIDER_C.readAccount(access, call())).toEqual({
    providerAccountId: '17841400123456789',
    aliasIds: ['24680135791357911'],
    profile: {
      displayName: null,
      handle: 'harbourkitchen',
      avatarUrl: null,
      profileUrl: 'https://www.instagram.com/harbourkitchen/',
      description: null,
    },
  });
});

test('has the app-scoped id if there is no other, as a JSON text or number', async () => {
  proves('Profile');
  adapters.platform.script({ body: '{"id":24680135791357911,"username":"harbourkitchen"}' });
  expect(await adapters.providers.PROVIDER_C.readAccount(access, call())).toMatchObject({
    providerAccountId: '24680135791357911',
    aliasIds: [],
  });
});

test('is read with the fewest fields if one is refused', async () => {
  proves('Profile');
  adapters.platform.script((request) => (request.query.fields?.includes('biography') ? refusal(100) : { body: me }));
  const account = await adapters.providers.PROVIDER_C.readAccount(access, call());
  expect(account).toMatchObject({ isPartial: true, profile: { handle: 'harbourkitchen' } });
});

test('loses only the field that the platform names', async () => {
  const nonexisting = refusal(100, { message: '(#100) Tried accessing nonexisting field (account_type)' });
  adapters.platform.script((request) =>
    request.query.fields?.includes('account_type')
      ? nonexisting
      : { body: { ...me, name: 'Harbour', biography: 'Boats' } },
  );
  const { profile } = await adapters.providers.PROVIDER_C.readAccount(access, call());
  expect(profile).toMatchObject({ displayName: 'Harbour', description: 'Boats' });
  expect(adapters.platform.seen).toHaveLength(2);
});

test('is unusable, and not a broken contract, if the platform does not serve it after a good consent', async () => {
  adapters.platform.script(refusal(100, { message: 'Unsupported request - method type: get' }));
  expect(await failureOf(adapters.providers.PROVIDER_C.readAccount(access, call()))).toMatchObject({
    type: 'AccountUnusable',
  });
  expect(adapters.platform.seen).toHaveLength(1);
});

test('is unusable if it is a personal one', async () => {
  proves('An unusable account', 'A grant without an account');
  adapters.platform.script({ body: { ...me, account_type: 'PERSONAL' } });
  expect(await failureOf(adapters.providers.PROVIDER_C.readAccount(access, call()))).toMatchObject({
    type: 'AccountUnusable',
  });
});

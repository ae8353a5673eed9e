import { expect, test } from 'vitest';
import { call, failureOf, useAdapters } from '../../kit/fake-platform.ts';
import { access, refusal } from './media.ts';

const adapters = useAdapters();

const me = {
  user_id: '17841400123456789',
  id: '24680135791357911',
  username: 'harbourkitchen',
  account_type: 'BUSINESS',
};

test('has the app-scoped id if there is no other, as a JSON text or number', async () => {
  adapters.platform.script({ body: '{"id":24680135791357911,"username":"harbourkitchen"}' });
  expect(await adapters.providers.PROVIDER_C.readAccount(access, call())).toMatchObject({
    providerAccountId: '24680135791357911',
    aliasIds: [],
  });
});

test('is read with the fewest fields if one is refused', async () => {
  adapters.platform.script((request) => (request.query.fields?.includes('biography') ? refusal(100) : { body: me }));
  const account = await adapters.providers.PROVIDER_C.readAccount(access, call());
  expect(account).toMatchObject({ isPartial: true, profile: { handle: 'harbourkitchen' } });
});

test('is unusable if it is a personal one', async () => {
  adapters.platform.script({ body: { ...me, account_type: 'PERSONAL' } });
  expect(await failureOf(adapters.providers.PROVIDER_C.readAccount(access, call()))).toMatchObject({
    type: 'AccountUnusable',
  });
});

import { auth } from '@googleapis/youtube';
import { expect, test } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import { readConfig } from '../../../src/config/config.ts';
import { apiEnvironment } from '../../kit/conformance.ts';
import { call } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_A');

test('by default the adapter calls the addresses that Google’s own client calls', async () => {
  const owner = contract.account();
  const { tokens, access } = await contract.connect(owner);
  await contract.provider.refresh(contract.client, tokens, call());
  await contract.provider.adoptTokens(contract.client, tokens, call());
  await contract.provider.readAccount(access, call());
  await contract.provider.revoke(contract.client, tokens, call());

  const defaults = readConfig('api', apiEnvironment(await makeKeys(), 'postgres://api@127.0.0.1/x'));
  const bases = ['PROVIDER_A_AUTHORIZE_URL', 'PROVIDER_A_TOKEN_URL', 'PROVIDER_A_API_URL'] as const;
  const called = contract.control.calls().map(({ route, path }) => {
    const base = bases.find((name) => path.startsWith(new URL(contract.config[name]).pathname));
    if (base === undefined) return expect.fail(`${path} is below none of our addresses.`);
    return [route, path.replace(new URL(contract.config[base]).pathname, defaults[base])] as const;
  });

  const google = new auth.OAuth2().endpoints;
  expect(Object.fromEntries(called)).toEqual({
    authorize: google.oauth2AuthBaseUrl,
    token: google.oauth2TokenUrl,
    tokeninfo: google.tokenInfoUrl,
    revoke: google.oauth2RevokeUrl,
    channels: 'https://www.googleapis.com/youtube/v3/channels', // As the reference spells it; the client uses a host of its own.
  });
});

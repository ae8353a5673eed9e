import { auth, youtube, type youtube_v3 } from '@googleapis/youtube';
import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { allow, Browser } from '../kit/browser.ts';
import { test, violations } from './kit.ts';

/** Google's own client library for Node, driven through the sandbox: another reader of the same pages wrote it. */
const REDIRECT = 'http://127.0.0.1:1/api/connect/callback/a';
const SCOPES = ['openid', 'https://www.googleapis.com/auth/youtube.readonly'];

type Client = InstanceType<typeof auth.OAuth2>;

/** The library's three reads, at the sandbox. */
function openApi(client: Client, rootUrl: string) {
  const { channels, playlistItems, videos } = youtube({ version: 'v3', auth: client });
  return {
    channels: async (asked: youtube_v3.Params$Resource$Channels$List) => (await channels.list(asked, { rootUrl })).data,
    playlistItems: async (asked: youtube_v3.Params$Resource$Playlistitems$List) =>
      (await playlistItems.list(asked, { rootUrl })).data,
    videos: async (asked: youtube_v3.Params$Resource$Videos$List) => (await videos.list(asked, { rootUrl })).data,
  };
}

function openClient({ url }: Sandbox): { client: Client; api: ReturnType<typeof openApi> } {
  const client = new auth.OAuth2({
    clientId: 'sandbox-client-a',
    clientSecret: 'sandbox-secret-a',
    redirectUri: REDIRECT,
    endpoints: {
      oauth2AuthBaseUrl: `${url}/a/accounts/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${url}/a/oauth2/token`,
      oauth2RevokeUrl: `${url}/a/oauth2/revoke`,
      tokenInfoUrl: `${url}/a/oauth2/tokeninfo`,
      oauth2FederatedSignonPemCertsUrl: `${url}/a/oauth2/v1/certs`,
    },
    forceRefreshOnFailure: true,
    issuers: [`${url}/a/accounts`],
  });
  return { client, api: openApi(client, `${url}/a/`) };
}

const account = (sandbox: Sandbox, note: RegExp) => {
  const found = sandbox.control.accounts('PROVIDER_A').find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`No account like ${note}`);
  return found;
};

/** Lets a person consent in a browser, and the library exchange the code. */
async function connect(sandbox: Sandbox, note: RegExp) {
  const { client, api } = openClient(sandbox);
  const { id, principal } = account(sandbox, note);
  const { codeVerifier, codeChallenge = '' } = await client.generateCodeVerifierAsync();
  const url = client.generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: SCOPES,
    state: 'state-1',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256' as never,
  });
  const browser = new Browser(REDIRECT);
  const back = await browser.submit(await browser.open(url), allow(id, SCOPES));
  const code = new URL(back.url).searchParams.get('code') ?? '';
  const { tokens } = await client.getToken({ code, codeVerifier });
  client.setCredentials(tokens);
  return { client, api, tokens, id, principal };
}

const failureOf = async (asking: Promise<unknown>) =>
  await asking.then(
    () => expect.fail('It was answered.'),
    (error: { status?: number; response?: { data: unknown } }) => ({
      status: error.status,
      data: error.response?.data,
    }),
  );

test('Google’s own client connects, refreshes and revokes without a violation, and another person’s grant stays', async ({
  sandbox,
}) => {
  const { client, api, tokens, principal } = await connect(sandbox, /250 posts/);
  const other = await connect(sandbox, /Brand channel 1/);
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: SCOPES.join(' ') });
  const info = await client.getTokenInfo(tokens.access_token ?? '');
  expect(info).toMatchObject({ aud: 'sandbox-client-a', sub: principal, scopes: SCOPES });

  const ticket = await client.verifyIdToken({ idToken: tokens.id_token ?? '', audience: 'sandbox-client-a' });
  expect(ticket.getUserId()).toBe(principal);
  await expect(client.verifyIdToken({ idToken: tokens.id_token ?? '', audience: 'somebody-else' })).rejects.toThrow(
    'Wrong recipient',
  );

  sandbox.control.expireTokens(account(sandbox, /250 posts/).id, 'access');
  const { items } = await api.channels({ part: ['snippet'], mine: true });
  expect(items).toHaveLength(1);
  expect(client.credentials.access_token).not.toBe(tokens.access_token);

  await client.revokeCredentials();
  const dead = openClient(sandbox);
  dead.client.setCredentials({ refresh_token: tokens.refresh_token ?? null });
  expect(await failureOf(dead.client.getAccessToken())).toMatchObject({
    status: 400,
    data: { error: 'invalid_grant' },
  });
  expect(await failureOf(client.revokeToken(tokens.refresh_token ?? ''))).toMatchObject({
    status: 400,
    data: { error: 'invalid_token' },
  });
  expect((await other.api.channels({ part: ['id'], mine: true })).items).toHaveLength(1);
  expect(violations(sandbox)).toEqual([]);
});

import { type EndpointCall, type Params, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { SandboxClient, SandboxGrant } from '../model.ts';
import { isVerifierValid, VERIFIER } from '../pkce.ts';
import type { World } from '../world.ts';
import { createProviderAOAuthError, createProviderAOAuthFailure } from './answers.ts';
import { issueIdToken, listIdTokenKeys } from './id-token.ts';
import { settingsOf } from './settings.ts';

const MAX_REFRESH_TOKENS = 100;
const CLIENT: Params = { client_id: { required: true }, client_secret: { required: true } };
const GRANT_TYPES: Readonly<Record<string, Params>> = {
  authorization_code: { code: { required: true }, redirect_uri: { required: true }, code_verifier: { is: VERIFIER } },
  refresh_token: { refresh_token: { required: true }, scope: {} },
};

/** Google's token and revoke endpoints. */
export function serveProviderAOAuth(app: SandboxApp, world: World): void {
  const common = {
    provider: 'PROVIDER_A',
    method: 'POST',
    refuse: (_call: EndpointCall, violation: string) =>
      createProviderAOAuthError(400, 'invalid_request', `Malformed request: ${violation}.`),
    createFailure: createProviderAOAuthFailure,
  } as const;

  serveEndpoint(app, world, {
    ...common,
    route: 'token',
    path: '/a/oauth2/token',
    form: ({ grant_type = '' }) => ({
      ...CLIENT,
      grant_type: { required: true, is: Object.keys(GRANT_TYPES) },
      ...GRANT_TYPES[grant_type],
    }),
    handle: async (call) => {
      const client = world.findClient('PROVIDER_A', call.form.client_id ?? '');
      if (client === undefined)
        return createProviderAOAuthError(401, 'invalid_client', 'The OAuth client was not found.');
      if (client.clientSecret !== call.form.client_secret) {
        return createProviderAOAuthError(401, 'invalid_client', 'The provided client secret is invalid.');
      }
      if (client.isRefused) return createProviderAOAuthError(401, 'deleted_client', 'The OAuth client was deleted.');
      return call.form.grant_type === 'refresh_token'
        ? refresh(world, client, call)
        : await exchange(world, client, call);
    },
  });

  serveEndpoint(app, world, {
    ...common,
    route: 'tokeninfo',
    path: '/a/oauth2/tokeninfo',
    bearer: 'header',
    handle: (call) => {
      const found = world.grants.findLive(call.accessToken, 'access');
      if (found?.grant.platform !== 'PROVIDER_A')
        return createProviderAOAuthError(400, 'invalid_token', 'Invalid Value');
      const { clientId, permissions } = found.grant;
      const leftSeconds = Math.ceil(((found.token.expiresAt ?? 0) - world.clock.now()) / 1000);
      return createJsonResponse({
        azp: clientId,
        aud: clientId,
        ...(permissions.includes('openid') && { sub: findSubject(world, found.grant) }),
        scope: permissions.join(' '),
        exp: String(Math.floor((found.token.expiresAt ?? 0) / 1000)),
        expires_in: String(leftSeconds),
        access_type: 'offline',
      });
    },
  });

  serveEndpoint(app, world, {
    ...common,
    method: 'GET',
    route: 'certs',
    path: '/a/oauth2/v1/certs',
    handle: async () => createJsonResponse(await listIdTokenKeys(), 200, { 'cache-control': 'public, max-age=3600' }),
  });

  serveEndpoint(app, world, {
    ...common,
    route: 'revoke',
    path: '/a/oauth2/revoke',
    // Google's own client sends the token in the query, with an empty body.
    query: { token: {} },
    form: { token: {} },
    handle: (call) => {
      const token = call.form.token ?? call.query.token;
      if (token === undefined)
        return createProviderAOAuthError(400, 'invalid_request', 'Missing required field: token');
      const found = world.grants.findLive(token, 'access', 'refresh');
      if (found?.grant.platform !== 'PROVIDER_A')
        return createProviderAOAuthError(400, 'invalid_token', 'Token expired or revoked');
      const { principal, clientId } = found.grant;
      const project = world.findClient('PROVIDER_A', clientId)?.project;
      // The whole grant of this Google account to the Cloud project goes: every channel, every client of the project.
      world.grants.end(
        (grant) =>
          grant.platform === 'PROVIDER_A' &&
          grant.principal === principal &&
          world.findClient('PROVIDER_A', grant.clientId)?.project === project,
      );
      return createJsonResponse({});
    },
  });
}

async function exchange(world: World, client: SandboxClient, call: EndpointCall): Promise<Response> {
  const { code: value = '', redirect_uri, code_verifier } = call.form;
  const taken = world.grants.takeCode(value, client.clientId);
  if (taken === undefined) return createProviderAOAuthError(400, 'invalid_grant', 'Malformed auth code.');
  const { code, grant } = taken;
  if (code.redirectUri !== redirect_uri) return createProviderAOAuthError(400, 'redirect_uri_mismatch', 'Bad Request');
  if (code.codeChallenge === null && code_verifier !== undefined) call.violate('code_verifier without a challenge');
  if (code.codeChallenge !== null) {
    if (code_verifier === undefined) return createProviderAOAuthError(400, 'invalid_grant', 'Missing code verifier.');
    const isRight =
      code.challengeMethod === 'S256'
        ? isVerifierValid(code_verifier, code.codeChallenge)
        : code_verifier === code.codeChallenge;
    if (!isRight) return createProviderAOAuthError(400, 'invalid_grant', 'Invalid code verifier.');
  }
  const access = issueAccess(world, grant);
  const { refreshSeconds } = settingsOf(world);
  const answer = {
    ...access,
    ...(code.withRefreshToken && { refresh_token: issueRefresh(world, grant, refreshSeconds) }),
    ...(code.withRefreshToken && refreshSeconds !== null && { refresh_token_expires_in: refreshSeconds }),
    ...(grant.permissions.includes('openid') && {
      id_token: await issueIdToken(
        { url: world.url, nowMs: world.clock.now() },
        { clientId: grant.clientId, subject: findSubject(world, grant), accessToken: access.access_token },
      ),
    }),
  };
  return createJsonResponse(answer, 200, { 'cache-control': 'no-store' });
}

/** The `sub` of a consent. Its effect on revokes stays that of the owner's account. */
function findSubject(world: World, { accountId, principal }: SandboxGrant): string {
  const isBrand = world.content.accounts.get(accountId)?.traits.includes('brand') ?? false;
  return isBrand && settingsOf(world).brandSubject === 'own' ? `${principal}7` : principal;
}

function refresh(world: World, client: SandboxClient, call: EndpointCall): Response {
  const found = world.grants.findLive(call.form.refresh_token ?? null, 'refresh');
  if (found?.grant.clientId !== client.clientId) {
    return createProviderAOAuthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  }
  const asked = call.form.scope?.split(' ') ?? [];
  if (!asked.every((scope) => found.grant.permissions.includes(scope))) {
    return createProviderAOAuthError(400, 'invalid_scope', 'Bad Request');
  }
  const { refreshRefusal } = settingsOf(world);
  if (refreshRefusal !== null) return createProviderAOAuthError(400, refreshRefusal, 'Refused by a policy.');
  return createJsonResponse(issueAccess(world, found.grant), 200, { 'cache-control': 'no-store' });
}

function issueAccess(world: World, grant: SandboxGrant) {
  const { accessSeconds } = settingsOf(world);
  return {
    access_token: world.grants.issueToken(grant, 'access', 'ya29.a0', accessSeconds).value,
    expires_in: accessSeconds,
    scope: grant.permissions.join(' '),
    token_type: 'Bearer',
  };
}

/** One more than a hundred for one Google account and client, and the oldest is dropped without a word. */
function issueRefresh(world: World, grant: SandboxGrant, lifeSeconds: number | null): string {
  const { grants } = world;
  const issued = grants.issueToken(grant, 'refresh', '1//0', lifeSeconds);
  const siblings = grants.live((one) => one.principal === grant.principal && one.clientId === grant.clientId);
  const live = siblings
    .flatMap((sibling) => grants.tokensOf(sibling))
    .filter((token) => token.kind === 'refresh' && grants.isLive(token))
    .sort((one, other) => one.issuedAt - other.issuedAt);
  for (const token of live.slice(0, Math.max(0, live.length - MAX_REFRESH_TOKENS))) token.isSpent = true;
  return issued.value;
}

import { type EndpointCall, type Params, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { SandboxClient, SandboxGrant } from '../model.ts';
import { isVerifierValid, VERIFIER } from '../pkce.ts';
import type { World } from '../world.ts';
import { createProviderBOAuthError, createProviderBOAuthFailure } from './answers.ts';
import { settingsOf } from './settings.ts';
import type { WebhookEvents } from './webhooks.ts';

const CLIENT: Params = { client_key: { required: true }, client_secret: { required: true } };
const GRANT_TYPES: Readonly<Record<string, Params>> = {
  authorization_code: {
    code: { required: true },
    redirect_uri: { required: true },
    code_verifier: { is: VERIFIER },
  },
  refresh_token: { refresh_token: { required: true } },
};

/** Token and revoke. Errors come with HTTP 200, and a refresh token works once. */
export function serveProviderBOAuth(app: SandboxApp, world: World, events: WebhookEvents): void {
  const refuse = (_call: EndpointCall, violation: string) =>
    createProviderBOAuthError('invalid_request', `The request is malformed: ${violation}.`);
  const common = {
    provider: 'PROVIDER_B',
    method: 'POST',
    refuse,
    createFailure: createProviderBOAuthFailure,
  } as const;

  const clientOf = (call: EndpointCall): SandboxClient | undefined => {
    const client = world.findClient('PROVIDER_B', call.form.client_key ?? '');
    return client?.clientSecret === call.form.client_secret && !client?.isRefused ? client : undefined;
  };
  const invalidClient = () => createProviderBOAuthError('invalid_client', 'Client key or secret is incorrect.');

  serveEndpoint(app, world, {
    ...common,
    route: 'token',
    path: '/b/open/v2/oauth/token/',
    form: ({ grant_type = '' }) => ({
      ...CLIENT,
      grant_type: { required: true, is: Object.keys(GRANT_TYPES) },
      ...GRANT_TYPES[grant_type],
    }),
    handle: (call) => {
      const client = clientOf(call);
      if (client === undefined) return invalidClient();
      return call.form.grant_type === 'refresh_token' ? refresh(world, client, call) : exchange(world, client, call);
    },
  });

  serveEndpoint(app, world, {
    ...common,
    route: 'revoke',
    path: '/b/open/v2/oauth/revoke/',
    form: { ...CLIENT, token: { required: true } },
    handle: (call) => {
      const client = clientOf(call);
      if (client === undefined) return invalidClient();
      const found = world.grants.findLive(call.form.token ?? null, 'access');
      if (found?.grant.clientId !== client.clientId) {
        // A stale access token is refused as unknown although the grant may live on.
        return createProviderBOAuthError('invalid_grant', 'Access token is invalid or not found.');
      }
      const { principal } = found.grant;
      world.grants.end((grant) => grant.clientId === client.clientId && grant.principal === principal);
      void events.authorizationRemoved(client, principal, 5);
      return createJsonResponse({});
    },
  });
}

function exchange(world: World, client: SandboxClient, call: EndpointCall): Response {
  const { code: value = '', redirect_uri, code_verifier } = call.form;
  const taken = world.grants.takeCode(value, client.clientId);
  if (taken === undefined)
    return createProviderBOAuthError('invalid_grant', 'Authorization code is expired or was used before.');
  const { code, grant } = taken;
  if (code.redirectUri !== redirect_uri) {
    return createProviderBOAuthError(
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
    );
  }
  if (code.codeChallenge === null && code_verifier !== undefined) call.violate('code_verifier without a challenge');
  if (code.codeChallenge !== null) {
    const encoding = code.challengeMethod === 'hex' ? 'hex' : 'base64url';
    if (code_verifier === undefined || !isVerifierValid(code_verifier, code.codeChallenge, encoding)) {
      return createProviderBOAuthError('invalid_request', 'Code verifier or code challenge is invalid.');
    }
  }
  return newPair(world, grant);
}

function refresh(world: World, client: SandboxClient, call: EndpointCall): Response {
  const found = world.grants.findLive(call.form.refresh_token ?? null, 'refresh');
  if (found?.grant.clientId !== client.clientId) {
    return createProviderBOAuthError('invalid_grant', 'Refresh token is invalid or expired.');
  }
  found.token.isSpent = true;
  return newPair(world, found.grant);
}

function newPair(world: World, grant: SandboxGrant): Response {
  const { accessSeconds, refreshSeconds } = settingsOf(world);
  const access = world.grants.issueToken(grant, 'access', 'act.', accessSeconds);
  const refreshToken = world.grants.issueToken(grant, 'refresh', 'rft.', refreshSeconds);
  const answer = {
    open_id: grant.principal,
    scope: grant.permissions.join(','),
    access_token: access.value,
    expires_in: accessSeconds,
    refresh_token: refreshToken.value,
    refresh_expires_in: refreshSeconds,
    token_type: 'Bearer',
  };
  return createJsonResponse(answer, 200, { 'cache-control': 'no-store' });
}

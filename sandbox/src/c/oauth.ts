import { type EndpointCall, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createJsonResponse } from '../json.ts';
import type { SandboxGrant } from '../model.ts';
import type { World } from '../world.ts';
import {
  createGraphError,
  createGraphFailure,
  createTokenError,
  createTokenFailure,
  findServiceRefusal,
} from './answers.ts';
import { BASIC } from './authorize.ts';
import { createDeadTokenError } from './caller.ts';
import { settingsOf } from './settings.ts';

const DAY_MS = 86_400_000;
const BAD_CODE = 'Matching code was not found or was already used';

/** Short-lived token, long-lived token, and its refresh. There is no revoke. */
export function serveProviderCOAuth(app: SandboxApp, world: World): void {
  serveEndpoint(app, world, {
    provider: 'PROVIDER_C',
    route: 'token',
    method: 'POST',
    path: '/c/api/oauth/access_token',
    form: {
      client_id: { required: true },
      client_secret: { required: true },
      grant_type: { required: true, is: ['authorization_code'] },
      redirect_uri: { required: true },
      code: { required: true },
    },
    refuse: (_call, violation) => createTokenError(`Invalid request: ${violation}`),
    createFailure: createTokenFailure,
    handle: (call) => {
      const client = world.findClient('PROVIDER_C', call.form.client_id ?? '');
      if (client === undefined || client.isRefused) return createTokenError('Invalid platform app');
      if (client.clientSecret !== call.form.client_secret) return createTokenError('Error validating client secret.');
      const taken = world.grants.takeCode(call.form.code ?? '', client.clientId);
      if (taken === undefined) return createTokenError(BAD_CODE);
      if (taken.code.redirectUri !== call.form.redirect_uri) {
        return createTokenError('Error validating verification code. Please make sure your redirect_uri is identical');
      }
      return shortToken(world, taken.grant);
    },
  });

  const graph = {
    provider: 'PROVIDER_C',
    method: 'GET',
    refuse: (_call: EndpointCall, violation: string) => createGraphError(100, `Invalid parameter: ${violation}`),
    createFailure: createGraphFailure,
  } as const;

  serveEndpoint(app, world, {
    ...graph,
    route: 'exchange',
    path: '/c/graph/access_token',
    query: {
      grant_type: { required: true, is: ['ig_exchange_token'] },
      client_secret: { required: true },
      access_token: { required: true },
    },
    handle: (call) => {
      const found = world.grants.findLive(call.query.access_token ?? null, 'short');
      if (found?.grant.platform !== 'PROVIDER_C') return createDeadTokenError(world, call.query.access_token ?? null);
      const refused = findServiceRefusal(settingsOf(world), found.grant.accountId);
      if (refused) return refused;
      const client = world.findClient('PROVIDER_C', found.grant.clientId);
      if (client?.clientSecret !== call.query.client_secret)
        return createGraphError(1, 'Error validating client secret.');
      return longToken(world, found.grant);
    },
  });

  serveEndpoint(app, world, {
    ...graph,
    route: 'refresh',
    path: '/c/graph/refresh_access_token',
    query: { grant_type: { required: true, is: ['ig_refresh_token'] }, access_token: { required: true } },
    handle: (call) => {
      const found = world.grants.findLive(call.query.access_token ?? null, 'access');
      if (found?.grant.platform !== 'PROVIDER_C') return createDeadTokenError(world, call.query.access_token ?? null);
      const refused = findServiceRefusal(settingsOf(world), found.grant.accountId);
      if (refused) return refused;
      if (!found.grant.permissions.includes(BASIC)) return createGraphError(10, `(#10) ${BASIC} has not been granted`);
      if (world.clock.now() - found.token.issuedAt < DAY_MS) {
        call.violate('a token refreshed before it is 24 hours old');
        return createGraphError(100, 'The access token must be at least 24 hours old to be refreshed.');
      }
      return longToken(world, found.grant);
    },
  });
}

function shortToken(world: World, grant: SandboxGrant): Response {
  const { shortSeconds, tokenAnswer, permissionsAs } = settingsOf(world);
  const answer = {
    access_token: world.grants.issueToken(grant, 'short', 'IGAAS', shortSeconds).value,
    // The app-scoped id, as a bare number that a double cannot hold.
    user_id: BigInt(grant.principal),
    permissions: permissionsAs === 'text' ? grant.permissions.join(',') : grant.permissions,
  };
  return createJsonResponse(tokenAnswer === 'flat' ? answer : { data: [answer] });
}

function longToken(world: World, grant: SandboxGrant): Response {
  const { longSeconds } = settingsOf(world);
  const token = world.grants.issueToken(grant, 'access', 'IGAAL', longSeconds);
  return createJsonResponse({ access_token: token.value, token_type: 'bearer', expires_in: longSeconds });
}

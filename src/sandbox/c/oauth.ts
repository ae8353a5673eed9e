import { type App, type Call, serveEndpoint } from '../endpoint.ts';
import { json } from '../json.ts';
import type { Grant } from '../model.ts';
import type { World } from '../world.ts';
import { graphError, tokenError, wordGraphFailure, wordTokenFailure } from './answers.ts';
import { BASIC } from './authorize.ts';
import { deadToken } from './caller.ts';

const DAY_MS = 86_400_000;
const BAD_CODE = 'Matching code was not found or was already used';

/** Short-lived token, long-lived token, and its refresh. There is no revoke. */
export function serveOauth(app: App, world: World): void {
  serveEndpoint(app, world, {
    farSide: 'PROVIDER_C',
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
    refuse: (_call, violation) => tokenError(`Invalid request: ${violation}`),
    wordFailure: wordTokenFailure,
    handle: (call) => {
      const client = world.findClient('PROVIDER_C', call.form.client_id ?? '');
      if (client === undefined || client.isRefused) return tokenError('Invalid platform app');
      if (client.clientSecret !== call.form.client_secret) return tokenError('Error validating client secret.');
      const taken = world.grants.takeCode(call.form.code ?? '', client.clientId);
      if (taken === undefined) return tokenError(BAD_CODE);
      if (taken.code.redirectUri !== call.form.redirect_uri) {
        return tokenError('Error validating verification code. Please make sure your redirect_uri is identical');
      }
      return shortToken(world, taken.grant);
    },
  });

  const graph = {
    farSide: 'PROVIDER_C',
    method: 'GET',
    refuse: (_call: Call, violation: string) => graphError(100, `Invalid parameter: ${violation}`),
    wordFailure: wordGraphFailure,
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
      if (found?.grant.platform !== 'PROVIDER_C') return deadToken(world, call.query.access_token ?? null);
      const client = world.findClient('PROVIDER_C', found.grant.clientId);
      if (client?.clientSecret !== call.query.client_secret) return graphError(1, 'Error validating client secret.');
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
      if (found?.grant.platform !== 'PROVIDER_C') return deadToken(world, call.query.access_token ?? null);
      if (!found.grant.permissions.includes(BASIC)) return graphError(10, `(#10) ${BASIC} has not been granted`);
      if (world.clock.now() - found.token.issuedAt < DAY_MS) {
        call.violate('a token refreshed before it is 24 hours old');
        return graphError(100, 'The access token must be at least 24 hours old to be refreshed.');
      }
      return longToken(world, found.grant);
    },
  });
}

function shortToken(world: World, grant: Grant): Response {
  const { shortSeconds, tokenAnswer, permissionsAs } = world.settings.c;
  const answer = {
    access_token: world.grants.issueToken(grant, 'short', 'IGAAS', shortSeconds).value,
    // The app-scoped id, as a bare number that a double cannot hold.
    user_id: BigInt(grant.principal),
    permissions: permissionsAs === 'text' ? grant.permissions.join(',') : grant.permissions,
  };
  return json(tokenAnswer === 'flat' ? answer : { data: [answer] });
}

function longToken(world: World, grant: Grant): Response {
  const { longSeconds } = world.settings.c;
  const token = world.grants.issueToken(grant, 'access', 'IGAAL', longSeconds);
  return json({ access_token: token.value, token_type: 'bearer', expires_in: longSeconds });
}

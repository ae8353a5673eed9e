import { type Consents, redirectBack } from '../consents.tsx';
import { type EndpointCall, type Params, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import { isRegisteredRedirectUri } from '../redirect-uris.ts';
import type { World } from '../world.ts';
import { settingsOf } from './settings.ts';

const PATH = '/b/www/v2/auth/authorize/';

/** Every scope of this platform, with its text on the consent page. */
const SCOPES: Readonly<Record<string, string>> = {
  'user.info.basic': 'See your open id, display name and avatar',
  'user.info.profile': 'See your username, bio and profile link',
  'user.info.stats': 'See your follower and like counts',
  'video.list': 'See your public videos and their counts',
};

const challengeParams = (pkce: 'none' | 'base64url' | 'hex'): Params => {
  if (pkce === 'none') return {};
  const challenge = pkce === 'hex' ? /^[0-9a-f]{64}$/ : /^[A-Za-z0-9_-]{43}$/;
  return { code_challenge: { required: true, is: challenge }, code_challenge_method: { required: true, is: ['S256'] } };
};

/** Login Kit's authorization endpoint. Invalid requests end on the platform's own page. */
export function serveProviderBAuthorize(app: SandboxApp, world: World, consents: Consents): void {
  const refuse = (_call: EndpointCall, violation: string) =>
    createDeadEnd('PROVIDER_B', 'Something went wrong', `We couldn’t log in with PROVIDER_B: ${violation}.`);
  serveEndpoint(app, world, {
    provider: 'PROVIDER_B',
    route: 'authorize',
    method: 'GET',
    path: PATH,
    query: {
      client_key: { required: true },
      response_type: { required: true, is: ['code'] },
      scope: { required: true },
      redirect_uri: { required: true },
      state: { required: true },
      disable_auto_auth: { is: ['0', '1'] },
      // Which form they take is a setting, so they are checked below.
      code_challenge: {},
      code_challenge_method: {},
    },
    refuse,
    createFailure: (failure) =>
      createDeadEnd(
        'PROVIDER_B',
        'Try again later',
        'The sandbox was asked to fail.',
        failure === 'quota' ? 429 : failure,
      ),
    handle: (call) => {
      const { client_key = '', redirect_uri = '', state = '', scope = '', code_challenge } = call.query;
      const stop = (violation: string) => {
        call.violate(violation);
        return refuse(call, violation);
      };
      const client = world.findClient('PROVIDER_B', client_key);
      if (client === undefined) return stop('unknown client_key');
      if (
        redirect_uri.length >= 512 ||
        !isRegisteredRedirectUri(redirect_uri, client.redirectUris, '/api/connect/callback/')
      ) {
        return stop('redirect_uri is not registered');
      }
      const asked = scope.split(',');
      const unknown = asked.find((name) => SCOPES[name] === undefined);
      if (unknown !== undefined) return stop(`unknown scope ${unknown}`);
      const { pkce, approvedScopes } = settingsOf(world);
      // One scope without approval refuses the whole request, on the platform's own page.
      if (asked.some((name) => approvedScopes?.includes(name) === false)) return refuse(call, 'scope');

      // A challenge of the wrong form is not refused here: the exchange of the code is.
      const wanted = challengeParams(pkce);
      for (const [name, { is }] of Object.entries(wanted)) {
        const value = call.query[name] ?? '';
        if (!(is instanceof RegExp ? is.test(value) : is?.includes(value)))
          call.violate(`${name} is not as PKCE ${pkce} wants it`);
      }
      if (pkce === 'none' && code_challenge !== undefined) call.violate('code_challenge though PKCE is off');

      const permissions = asked.map((name) => ({
        name,
        label: SCOPES[name] ?? name,
        isRequired: name === 'user.info.basic',
      }));
      const question = {
        platform: 'PROVIDER_B' as const,
        client,
        permissions,
        allow: (account: Parameters<typeof world.grants.open>[1], granted: readonly string[]) => {
          const grant = world.grants.open(client, account, granted);
          const details = {
            redirectUri: redirect_uri,
            codeChallenge: pkce === 'none' ? null : (code_challenge ?? null),
            challengeMethod: pkce,
            withRefreshToken: true,
          };
          // Real codes hold characters that must survive exactly one round of URL decoding.
          const code = world.grants.issueCode(grant, 'bc*0!', 300, details).value;
          return redirectBack(redirect_uri, { code, scopes: granted.join(','), state });
        },
        deny: () =>
          redirectBack(redirect_uri, {
            error: 'access_denied',
            error_description: 'User rejected the authorization request',
            error_type: 'access_denied',
            errCode: '-2',
            state,
          }),
      };
      return consents.ask(question, `${PATH}consent`);
    },
  });
  consents.serve(app, `${PATH}consent`, 'PROVIDER_B');
}

import { echoState, serveAuthorize } from '../authorize.ts';
import type { Consents } from '../consents.tsx';
import type { Params, SandboxApp } from '../endpoint.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import type { World } from '../world.ts';
import { settingsOf } from './settings.ts';

const PATH = '/b/www/v2/auth/authorize/';

const challengeParams = (pkce: 'none' | 'base64url' | 'hex'): Params => {
  if (pkce === 'none') return {};
  const challenge = pkce === 'hex' ? /^[0-9a-f]{64}$/ : /^[A-Za-z0-9_-]{43}$/;
  return { code_challenge: { required: true, is: challenge }, code_challenge_method: { required: true, is: ['S256'] } };
};

/** Login Kit's authorization endpoint. */
export function serveProviderBAuthorize(app: SandboxApp, world: World, consents: Consents): void {
  const refusal = { title: 'Something went wrong', text: 'We couldn’t log in with PROVIDER_B: ' };
  serveAuthorize(app, world, consents, {
    platform: 'PROVIDER_B',
    path: PATH,
    consentPath: `${PATH}consent`,
    query: {
      state: { required: true },
      disable_auto_auth: { is: ['0', '1'] },
      // Which form they take is a setting, so they are checked below.
      code_challenge: {},
      code_challenge_method: {},
    },
    clientParam: 'client_key',
    maxRedirectUriLength: 511,
    scopes: {
      'user.info.basic': { label: 'See your open id, display name and avatar', isRequired: true },
      'user.info.profile': { label: 'See your username, bio and profile link' },
      'user.info.stats': { label: 'See your follower and like counts' },
      'video.list': { label: 'See your public videos and their counts' },
    },
    separator: ',',
    refusal,
    violations: {
      client: 'unknown client_key',
      redirectUri: 'redirect_uri is not registered',
      scope: 'unknown scope',
    },
    check: (call, asked) => {
      const { pkce, approvedScopes } = settingsOf(world);
      // One scope without approval refuses the whole request, on the platform's own page.
      if (asked.some((name) => approvedScopes?.includes(name) === false)) {
        return createDeadEnd('PROVIDER_B', refusal.title, `${refusal.text}scope.`);
      }
      // A challenge of the wrong form is not refused here: the exchange of the code is.
      for (const [name, { is }] of Object.entries(challengeParams(pkce))) {
        const value = call.query[name] ?? '';
        const isRight = is instanceof RegExp ? is.test(value) : is?.includes(value);
        if (!isRight) call.violate(`${name} is not as PKCE ${pkce} wants it`);
      }
      if (pkce === 'none' && call.query.code_challenge !== undefined) call.violate('code_challenge though PKCE is off');
      return undefined;
    },
    code: {
      prefix: 'bc*0!', // Real codes hold characters that must survive exactly one round of URL decoding.
      seconds: 300,
      describe: ({ query }) => {
        const { pkce } = settingsOf(world);
        return { codeChallenge: pkce === 'none' ? null : (query.code_challenge ?? null), challengeMethod: pkce };
      },
    },
    allowed: (call, code, granted) => ({ code, scopes: granted.join(','), ...echoState(call) }),
    denied: (call) => ({
      error: 'access_denied',
      error_description: 'User rejected the authorization request',
      error_type: 'access_denied',
      errCode: '-2',
      ...echoState(call),
    }),
  });
}

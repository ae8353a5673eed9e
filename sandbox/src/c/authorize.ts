import { type Consents, redirectBack } from '../consents.tsx';
import { type EndpointCall, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import type { SandboxAccount } from '../model.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import { isRegisteredRedirectUri } from '../redirect-uris.ts';
import type { World } from '../world.ts';

const PATH = '/c/www/oauth/authorize';
const CODE_SECONDS = 3600;
export const BASIC = 'instagram_business_basic';
export const INSIGHTS = 'instagram_business_manage_insights';

const SCOPES: Readonly<Record<string, string>> = {
  [BASIC]: 'See your profile and media',
  [INSIGHTS]: 'See insights of your account and media',
  instagram_business_manage_comments: 'Manage comments on your media',
  instagram_business_content_publish: 'Publish media for you',
  instagram_business_manage_messages: 'Manage your messages',
};

/** Business Login for Instagram. A personal account gets a page that leads nowhere. */
export function serveProviderCAuthorize(app: SandboxApp, world: World, consents: Consents): void {
  const refuse = (_call: EndpointCall, violation: string) =>
    createDeadEnd('PROVIDER_C', 'Invalid request', `Request parameters are invalid: ${violation}.`);
  serveEndpoint(app, world, {
    provider: 'PROVIDER_C',
    route: 'authorize',
    method: 'GET',
    path: PATH,
    query: {
      client_id: { required: true },
      redirect_uri: { required: true },
      response_type: { required: true, is: ['code'] },
      scope: { required: true },
      state: {},
      force_reauth: { is: ['true', 'false'] },
      force_authentication: { is: ['0', '1'] },
      enable_fb_login: { is: ['0', '1'] },
    },
    refuse,
    createFailure: (failure) =>
      createDeadEnd(
        'PROVIDER_C',
        'Try again later',
        'The sandbox was asked to fail.',
        failure === 'quota' ? 429 : failure,
      ),
    handle: (call) => {
      const { client_id = '', redirect_uri = '', scope = '', state } = call.query;
      const stop = (violation: string) => {
        call.violate(violation);
        return refuse(call, violation);
      };
      const client = world.findClient('PROVIDER_C', client_id);
      if (client === undefined) return stop('invalid platform app');
      if (!isRegisteredRedirectUri(redirect_uri, client.redirectUris, '/api/connect/callback/'))
        return stop('invalid redirect_uri');
      const asked = scope.split(/[, ]/);
      const unknown = asked.find((name) => SCOPES[name] === undefined);
      if (unknown !== undefined) return stop(`invalid scope ${unknown}`);
      if (!asked.includes(BASIC)) return stop(`${BASIC} is missing`);

      const echoed: Record<string, string> = state === undefined ? {} : { state };
      const allow = (account: SandboxAccount, granted: readonly string[]) => {
        if (account.traits.includes('personal')) {
          const explanation =
            'Only professional accounts can be connected. Switch to one in the settings and try again.';
          return createDeadEnd('PROVIDER_C', 'This account is not a professional account', explanation);
        }
        const grant = world.grants.open(client, account, granted);
        const details = {
          redirectUri: redirect_uri,
          codeChallenge: null,
          challengeMethod: null,
          withRefreshToken: false,
        };
        const code = world.grants.issueCode(grant, 'AQ', CODE_SECONDS, details).value;
        return redirectBack(redirect_uri, { code, ...echoed }, '#_');
      };
      const deny = () =>
        redirectBack(redirect_uri, {
          error: 'access_denied',
          error_reason: 'user_denied',
          error_description: 'The user denied your request',
          ...echoed,
        });
      const permissions = asked.map((name) => ({ name, label: SCOPES[name] ?? name, isRequired: name === BASIC }));
      return consents.ask({ platform: 'PROVIDER_C', client, permissions, allow, deny }, `${PATH}/consent`);
    },
  });
  consents.serve(app, `${PATH}/consent`, 'PROVIDER_C');
}

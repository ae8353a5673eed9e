import { type Consents, redirectBack } from '../consents.tsx';
import { type EndpointCall, type SandboxApp, serveEndpoint } from '../endpoint.ts';
import type { SandboxAccount } from '../model.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import { isRegisteredRedirectUri } from '../redirect-uris.ts';
import type { World } from '../world.ts';
import { settingsOf } from './settings.ts';

const PATH = '/a/accounts/o/oauth2/v2/auth';
/** Like the real platform, the issuer is the origin of the consent page. */
export const buildIssuer = (url: string): string => `${url}/a/accounts`;
export const READ_CHANNEL = 'https://www.googleapis.com/auth/youtube.readonly';

const SCOPES: Readonly<Record<string, { label: string; isRequired: boolean }>> = {
  openid: { label: 'Associate you with your personal info', isRequired: true },
  email: { label: 'See your e-mail address', isRequired: true },
  profile: { label: 'See your personal info', isRequired: true },
  [READ_CHANNEL]: { label: 'View your channel, its videos and their counts', isRequired: false },
};

/** Google's consent page. Each brand channel is a choice; the consent belongs to the Google account. */
export function serveProviderAAuthorize(app: SandboxApp, world: World, consents: Consents): void {
  const refuse = (_call: EndpointCall, violation: string) =>
    createDeadEnd('PROVIDER_A', 'Access blocked: this app’s request is invalid', `Error 400: ${violation}.`);
  serveEndpoint(app, world, {
    provider: 'PROVIDER_A',
    route: 'authorize',
    method: 'GET',
    path: PATH,
    query: {
      client_id: { required: true },
      redirect_uri: { required: true },
      response_type: { required: true, is: ['code'] },
      scope: { required: true },
      state: {},
      access_type: { is: ['online', 'offline'] },
      prompt: { is: /^(none|(consent|select_account)( (consent|select_account))?)$/ },
      code_challenge: { is: /^[A-Za-z0-9._~-]{43,128}$/ },
      code_challenge_method: { is: ['S256', 'plain'] },
      include_granted_scopes: { is: ['true', 'false'] },
      login_hint: {},
      nonce: {},
      enable_granular_consent: { is: ['true', 'false'] },
    },
    refuse,
    createFailure: (failure) =>
      createDeadEnd(
        'PROVIDER_A',
        'Try again later',
        'The sandbox was asked to fail.',
        failure === 'quota' ? 429 : failure,
      ),
    handle: (call) => {
      const { client_id = '', redirect_uri = '', scope = '', state, access_type, prompt = '' } = call.query;
      const stop = (violation: string) => {
        call.violate(violation);
        return refuse(call, violation);
      };
      const client = world.findClient('PROVIDER_A', client_id);
      if (client === undefined) return stop('invalid_client: unknown client_id');
      if (!isRegisteredRedirectUri(redirect_uri, client.redirectUris, '/api/connect/callback/'))
        return stop('redirect_uri_mismatch');
      const permissions = scope.split(' ').map((name) => ({ name, label: '', isRequired: false, ...SCOPES[name] }));
      const unknown = permissions.find(({ label }) => label === '');
      if (unknown !== undefined) return stop(`invalid_scope: ${unknown.name}`);

      const echoed = { ...(state !== undefined && { state }), iss: buildIssuer(world.url) };
      const allow = (account: SandboxAccount, granted: readonly string[]) => {
        const hangs = settingsOf(world).brandConsentHangs && account.traits.includes('brand');
        if (hangs && granted.includes('openid'))
          return createDeadEnd('PROVIDER_A', 'One moment…', 'The real page shows a spinner here and never goes on.');
        const isFirst = world.grants.live((one) => isSameConsent(one, account, client.clientId)).length === 0;
        const grant = world.grants.open(client, account, granted);
        const details = {
          redirectUri: redirect_uri,
          codeChallenge: call.query.code_challenge ?? null,
          challengeMethod: call.query.code_challenge_method ?? 'plain',
          // Only offline, and only the first time unless consent was asked for anew.
          withRefreshToken: access_type === 'offline' && (isFirst || prompt.includes('consent')),
        };
        const code = world.grants.issueCode(grant, '4/0A', 600, details).value;
        const answer = { code, scope: granted.join(' '), authuser: '0', prompt: prompt === '' ? 'none' : prompt };
        return redirectBack(redirect_uri, { ...echoed, ...answer });
      };
      const deny = () => redirectBack(redirect_uri, { ...echoed, error: 'access_denied' });
      return consents.ask({ platform: 'PROVIDER_A', client, permissions, allow, deny }, `${PATH}/consent`);
    },
  });
  consents.serve(app, `${PATH}/consent`, 'PROVIDER_A');
}

const isSameConsent = (
  grant: { principal: string; clientId: string },
  account: SandboxAccount,
  clientId: string,
): boolean => grant.principal === account.principal && grant.clientId === clientId;

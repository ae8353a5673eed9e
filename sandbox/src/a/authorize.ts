import { echoState, serveAuthorize } from '../authorize.ts';
import type { Consents } from '../consents.tsx';
import type { EndpointCall, SandboxApp } from '../endpoint.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import type { World } from '../world.ts';
import { settingsOf } from './settings.ts';

const PATH = '/a/accounts/o/oauth2/v2/auth';
/** Like the real platform, the issuer is the origin of the consent page. */
export const buildIssuer = (url: string): string => `${url}/a/accounts`;
export const READ_CHANNEL = 'https://www.googleapis.com/auth/youtube.readonly';

/** Google's consent page. Each brand channel is a choice; the consent belongs to the Google account. */
export function serveProviderAAuthorize(app: SandboxApp, world: World, consents: Consents): void {
  const echo = (call: EndpointCall) => ({ ...echoState(call), iss: buildIssuer(world.url) });
  serveAuthorize(app, world, consents, {
    platform: 'PROVIDER_A',
    path: PATH,
    consentPath: `${PATH}/consent`,
    query: {
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
    clientParam: 'client_id',
    scopes: {
      openid: { label: 'Associate you with your personal info', isRequired: true },
      email: { label: 'See your e-mail address', isRequired: true },
      profile: { label: 'See your personal info', isRequired: true },
      [READ_CHANNEL]: { label: 'View your channel, its videos and their counts' },
    },
    separator: ' ',
    refusal: { title: 'Access blocked: this app’s request is invalid', text: 'Error 400: ' },
    violations: {
      client: 'invalid_client: unknown client_id',
      redirectUri: 'redirect_uri_mismatch',
      scope: 'invalid_scope:',
    },
    detain: (account, granted) =>
      settingsOf(world).brandConsentHangs && account.traits.includes('brand') && granted.includes('openid')
        ? createDeadEnd('PROVIDER_A', 'One moment…', 'The real page shows a spinner here and never continues.')
        : undefined,
    code: {
      prefix: '4/0A',
      seconds: 600,
      describe: ({ query }, { principal }, { clientId }) => {
        const earlier = world.grants.live((one) => one.principal === principal && one.clientId === clientId);
        return {
          codeChallenge: query.code_challenge ?? null,
          challengeMethod: query.code_challenge_method ?? 'plain',
          // Only offline, and only the first time unless consent was asked for anew.
          withRefreshToken:
            query.access_type === 'offline' && (earlier.length === 0 || query.prompt?.includes('consent') === true),
        };
      },
    },
    allowed: (call, code, granted) => {
      const { prompt = '' } = call.query;
      return { ...echo(call), code, scope: granted.join(' '), authuser: '0', prompt: prompt === '' ? 'none' : prompt };
    },
    denied: (call) => ({ ...echo(call), error: 'access_denied' }),
  });
}

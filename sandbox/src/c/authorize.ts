import { echoState, serveAuthorize } from '../authorize.ts';
import type { Consents } from '../consents.tsx';
import type { SandboxApp } from '../endpoint.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import type { World } from '../world.ts';

const PATH = '/c/www/oauth/authorize';
export const BASIC = 'instagram_business_basic';
export const INSIGHTS = 'instagram_business_manage_insights';

/** Business Login for Instagram. A personal account gets a page that leads nowhere. */
export const serveProviderCAuthorize = (app: SandboxApp, world: World, consents: Consents): void =>
  serveAuthorize(app, world, consents, {
    platform: 'PROVIDER_C',
    path: PATH,
    consentPath: `${PATH}/consent`,
    query: {
      state: {},
      force_reauth: { is: ['true', 'false'] },
      force_authentication: { is: ['0', '1'] },
      enable_fb_login: { is: ['0', '1'] },
    },
    clientParam: 'client_id',
    scopes: {
      [BASIC]: { label: 'See your profile and media', isRequired: true },
      [INSIGHTS]: { label: 'See insights of your account and media' },
      instagram_business_manage_comments: { label: 'Manage comments on your media' },
      instagram_business_content_publish: { label: 'Publish media for you' },
      instagram_business_manage_messages: { label: 'Manage your messages' },
    },
    separator: /[, ]/,
    refusal: { title: 'Invalid request', text: 'Request parameters are invalid: ' },
    violations: { client: 'invalid platform app', redirectUri: 'invalid redirect_uri', scope: 'invalid scope' },
    check: (_call, asked, stop) => (asked.includes(BASIC) ? undefined : stop(`${BASIC} is missing`)),
    detain: ({ traits }) => {
      if (!traits.includes('personal')) return undefined;
      const explanation = 'Only professional accounts can be connected. Switch to one in the settings and try again.';
      return createDeadEnd('PROVIDER_C', 'This account is not a professional account', explanation);
    },
    code: { prefix: 'AQ', seconds: 3600, describe: () => ({ withRefreshToken: false }) },
    allowed: (call, code) => ({ code, ...echoState(call) }),
    suffix: '#_',
    denied: (call) => ({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request',
      ...echoState(call),
    }),
  });

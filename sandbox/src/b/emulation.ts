import type { Emulation } from '../emulation.ts';
import { serveProviderBApi } from './api.ts';
import { serveProviderBAuthorize } from './authorize.ts';
import { serveProviderBOAuth } from './oauth.ts';
import { look } from './seed.ts';
import { defaults, settings } from './settings.ts';
import { serveProviderBSite } from './site.ts';
import { buildPostUrl, listProfileUrls } from './urls.ts';
import { WebhookEvents } from './webhooks.ts';

/** TikTok: Login Kit v2 and Display API v2. */
export const emulationB = {
  settings,
  defaults,
  look,
  listProfileUrls,
  buildPostUrl,
  hosts: { PROVIDER_B_AUTHORIZE_URL: '/b/www', PROVIDER_B_API_URL: '/b/open' },
  callbacks: [
    {
      kind: 'authorizationRemoved',
      text: 'authorization removed',
      url: 'webhookUrl',
      path: 'events',
      tellsRemoval: true,
    },
  ],
  serve(app, { world, consents, deliveries }) {
    const events = new WebhookEvents(world, deliveries);
    serveProviderBAuthorize(app, world, consents);
    serveProviderBOAuth(app, world, events);
    serveProviderBApi(app, world);
    serveProviderBSite(app, world);
    return (_kind, client, account, options = {}) =>
      events.authorizationRemoved(client, account.id, options.reason ?? 1, options);
  },
} satisfies Emulation;

import type { Emulation } from '../emulation.ts';
import { serveProviderCApi } from './api.ts';
import { serveProviderCAuthorize } from './authorize.ts';
import { createCallbacks } from './callbacks.ts';
import { serveProviderCOAuth } from './oauth.ts';
import { look } from './seed.ts';
import { defaults, settings } from './settings.ts';
import { serveProviderCSite } from './site.ts';
import { buildPostUrl, listProfileUrls } from './urls.ts';

/** Instagram: the API with Instagram Login. */
export const emulationC = {
  settings,
  defaults,
  client: { metaSecret: 'sandbox-meta-secret-c' },
  look,
  listProfileUrls,
  buildPostUrl,
  hosts: {
    PROVIDER_C_AUTHORIZE_URL: '/c/www',
    PROVIDER_C_TOKEN_URL: '/c/api',
    PROVIDER_C_API_URL: '/c/graph',
  },
  callbacks: [
    { kind: 'deauthorize', text: 'deauthorize', url: 'webhookUrl', path: 'deauthorize', tellsRemoval: true },
    { kind: 'dataDeletion', text: 'data deletion', url: 'dataDeletionUrl', path: 'data-deletion', tellsRemoval: false },
  ],
  serve(app, { world, consents, deliveries }) {
    serveProviderCAuthorize(app, world, consents);
    serveProviderCOAuth(app, world);
    serveProviderCApi(app, world);
    serveProviderCSite(app, world);
    return createCallbacks(world, deliveries);
  },
} satisfies Emulation;

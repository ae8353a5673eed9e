import type { Emulation } from '../emulation.ts';
import { serveProviderAApi } from './api.ts';
import { serveProviderAAuthorize } from './authorize.ts';
import { serveProviderAOAuth } from './oauth.ts';
import { look } from './seed.ts';
import { defaults, settings } from './settings.ts';
import { buildPostUrl, listProfileUrls } from './urls.ts';

/** YouTube: Google OAuth 2.0 and the YouTube Data API v3. */
export const emulationA = {
  settings,
  defaults,
  look,
  listProfileUrls,
  buildPostUrl,
  hosts: {
    PROVIDER_A_AUTHORIZE_URL: '/a/accounts',
    PROVIDER_A_TOKEN_URL: '/a/oauth2',
    PROVIDER_A_API_URL: '/a/youtube/v3',
  },
  callbacks: [],
  serve(app, { world, consents }) {
    serveProviderAAuthorize(app, world, consents);
    serveProviderAOAuth(app, world);
    serveProviderAApi(app, world);
    return null;
  },
} satisfies Emulation;

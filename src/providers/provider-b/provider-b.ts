import type { AdapterDeps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { createProviderBAccount } from './account.ts';
import { createProviderBContent } from './content.ts';
import { createProviderBOAuth } from './oauth.ts';

/** TikTok: Login Kit v2 for grants, Display API v2 for everything read. */
export const createProviderB = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_B',
  ...createProviderBOAuth(deps),
  ...createProviderBAccount(deps),
  ...createProviderBContent(deps),
});

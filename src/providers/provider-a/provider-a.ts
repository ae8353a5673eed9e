import type { AdapterDeps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { createProviderAAccount } from './account.ts';
import { createProviderAContent } from './content.ts';
import { createProviderAOAuth } from './oauth.ts';

/** YouTube: Google OAuth 2.0 for grants, YouTube Data API v3 for everything read. */
export const createProviderA = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_A',
  ...createProviderAOAuth(deps),
  ...createProviderAAccount(deps),
  ...createProviderAContent(deps),
});

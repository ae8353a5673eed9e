import type { AdapterDeps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { createProviderCAccount } from './account.ts';
import { createProviderCContent } from './content.ts';
import { createProviderCOAuth } from './oauth.ts';

/** Instagram API with Instagram Login. */
export const createProviderC = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_C',
  ...createProviderCOAuth(deps),
  ...createProviderCAccount(deps),
  ...createProviderCContent(deps),
});

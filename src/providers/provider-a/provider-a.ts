import type { Deps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { account } from './account.ts';
import { content } from './content.ts';
import { oauth } from './oauth.ts';

/** YouTube: Google OAuth 2.0 for grants, YouTube Data API v3 for everything read. */
export const createProviderA = (deps: Deps): Provider => ({
  name: 'PROVIDER_A',
  ...oauth(deps),
  ...account(deps),
  ...content(deps),
});

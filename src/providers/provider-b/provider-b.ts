import type { Deps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { account } from './account.ts';
import { content } from './content.ts';
import { oauth } from './oauth.ts';

/** TikTok: Login Kit v2 for grants, Display API v2 for everything read. */
export const createProviderB = (deps: Deps): Provider => ({
  name: 'PROVIDER_B',
  ...oauth(deps),
  ...account(deps),
  ...content(deps),
});

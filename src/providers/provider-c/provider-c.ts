import type { Deps } from '../deps.ts';
import type { Provider } from '../provider.ts';
import { account } from './account.ts';
import { content } from './content.ts';
import { oauth } from './oauth.ts';

/** Instagram API with Instagram Login. */
export const createProviderC = (deps: Deps): Provider => ({
  name: 'PROVIDER_C',
  ...oauth(deps),
  ...account(deps),
  ...content(deps),
});

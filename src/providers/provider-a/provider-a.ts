import { createFailure, readAnswer } from '../answers.ts';
import type { Account, Provider } from '../provider.ts';
import { callProviderAApi } from './api.ts';
import { createProviderAContent } from './content.ts';
import { createProviderAOAuth } from './oauth.ts';
import type { AdapterDeps } from './settings.ts';
import { ChannelList } from './wire.ts';

/** Reads the token's channel. A person with several channels chooses one on the consent screen. */
const createAccountReader = (deps: AdapterDeps): Pick<Provider, 'readAccount'> => ({
  async readAccount({ accessToken }, call): Promise<Account> {
    const where = 'PROVIDER_A own channel';
    const query = { part: 'snippet', mine: 'true' };
    const answer = await callProviderAApi(deps, { where, path: '/channels', query, accessToken }, call);
    const [channel] = readAnswer(ChannelList, answer.json, answer).items;
    if (channel === undefined) throw createFailure('AccountUnusable', where, { status: answer.status });
    const { title, description, customUrl, thumbnails } = channel.snippet;
    const bySize = thumbnails.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0));
    return {
      providerAccountId: channel.id,
      aliasIds: [],
      profile: {
        displayName: title,
        handle: customUrl,
        avatarUrl: bySize[0]?.url ?? null,
        profileUrl: `https://www.youtube.com/channel/${channel.id}`, // By id, which survives a change of handle.
        description,
      },
    };
  },
});

/** YouTube: Google OAuth 2.0 for grants, YouTube Data API v3 for reads. */
export const createProviderA = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_A',
  ...createProviderAOAuth(deps),
  ...createAccountReader(deps),
  ...createProviderAContent(deps),
});

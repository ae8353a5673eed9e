import { createFailure, readAnswer } from '../answers.ts';
import type { Account, Provider } from '../provider.ts';
import { callProviderBApi } from './api.ts';
import { createProviderBContent } from './content.ts';
import { USER_INFO_BASIC, USER_INFO_PROFILE } from './facts.ts';
import { createProviderBOAuth } from './oauth.ts';
import type { AdapterDeps } from './settings.ts';
import { UserAnswer } from './wire.ts';

const BASIC_FIELDS = ['open_id', 'display_name', 'avatar_url', 'avatar_large_url'];
const PROFILE_FIELDS = ['username', 'bio_description', 'profile_deep_link'];

/** Requests only fields that the grant covers: one field without its permission fails the whole call. */
const createAccountReader = (deps: AdapterDeps): Pick<Provider, 'readAccount'> => ({
  async readAccount({ accessToken, permissions }, call): Promise<Account> {
    const where = 'PROVIDER_B user info';
    if (!permissions.includes(USER_INFO_BASIC)) throw createFailure('PermissionMissing', where);
    const fields = permissions.includes(USER_INFO_PROFILE) ? [...BASIC_FIELDS, ...PROFILE_FIELDS] : BASIC_FIELDS;
    const answer = await callProviderBApi(
      deps,
      { where, method: 'GET', path: '/v2/user/info/', fields, accessToken },
      call,
    );
    const { user } = readAnswer(UserAnswer, answer.json, answer).data;
    return {
      providerAccountId: user.open_id,
      aliasIds: [],
      profile: {
        displayName: user.display_name,
        handle: user.username,
        avatarUrl: user.avatar_large_url ?? user.avatar_url,
        profileUrl: user.profile_deep_link ?? (user.username && `https://www.tiktok.com/@${user.username}`),
        description: user.bio_description,
      },
    };
  },
});

/** TikTok: Login Kit v2 for grants, Display API v2 for reads. */
export const createProviderB = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_B',
  ...createProviderBOAuth(deps),
  ...createAccountReader(deps),
  ...createProviderBContent(deps),
});

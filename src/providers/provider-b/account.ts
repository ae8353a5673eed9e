import { failure, readAs } from '../answers.ts';
import type { Deps } from '../deps.ts';
import type { Account, Provider } from '../provider.ts';
import { callApi } from './api.ts';
import { BASIC, FULL_PROFILE } from './facts.ts';
import { UserAnswer } from './wire.ts';

const BASIC_FIELDS = ['open_id', 'display_name', 'avatar_url', 'avatar_large_url'];
const PROFILE_FIELDS = ['username', 'bio_description', 'profile_deep_link'];

/** Asks for what was granted and no more: one field without its permission fails the whole call. */
export const account = (deps: Deps): Pick<Provider, 'readAccount'> => ({
  async readAccount({ accessToken, permissions }, call): Promise<Account> {
    const where = 'PROVIDER_B user info';
    if (!permissions.includes(BASIC)) throw failure('PermissionMissing', where);
    const fields = permissions.includes(FULL_PROFILE) ? [...BASIC_FIELDS, ...PROFILE_FIELDS] : BASIC_FIELDS;
    const answer = await callApi(deps, { where, method: 'GET', path: '/v2/user/info/', fields, accessToken }, call);
    const { user } = readAs(UserAnswer, answer.json, answer).data;
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

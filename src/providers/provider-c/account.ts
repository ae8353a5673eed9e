import { createFailure, readAnswer } from '../answers.ts';
import type { AdapterDeps } from '../deps.ts';
import type { Account, Provider } from '../provider.ts';
import { readFields } from './fields.ts';
import { MeAnswer } from './wire.ts';

const LEAST_FIELDS = ['user_id', 'id', 'username'];
const FIELDS = [...LEAST_FIELDS, 'name', 'account_type', 'profile_picture_url', 'biography'];

export const createProviderCAccount = (deps: AdapterDeps): Pick<Provider, 'readAccount'> => ({
  async readAccount({ accessToken }, call): Promise<Account> {
    const where = 'PROVIDER_C own account';
    const request = { where, path: '/me', full: { fields: FIELDS }, least: LEAST_FIELDS, accessToken };
    const answer = await readFields(deps, request, false, call);
    const me = readAnswer(MeAnswer, answer.json, answer);
    if (me.account_type === 'PERSONAL') throw createFailure('AccountUnusable', where, { status: answer.status });
    const providerAccountId = me.user_id ?? me.id;
    return {
      providerAccountId,
      // The platform's own callbacks most likely name the app-scoped one.
      aliasIds: me.id === providerAccountId ? [] : [me.id],
      profile: {
        displayName: me.name,
        handle: me.username,
        avatarUrl: me.profile_picture_url,
        profileUrl: me.username && `https://www.instagram.com/${me.username}/`,
        description: me.biography,
      },
    };
  },
});

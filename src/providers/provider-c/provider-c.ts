import { createFailure, readAnswer } from '../answers.ts';
import type { Account, Provider } from '../provider.ts';
import { createProviderCContent } from './content.ts';
import { readFields } from './fields.ts';
import { createProviderCOAuth } from './oauth.ts';
import type { AdapterDeps } from './settings.ts';
import { MeAnswer } from './wire.ts';

const LEAST_FIELDS = ['user_id', 'id', 'username'];
const FIELDS = [...LEAST_FIELDS, 'name', 'account_type', 'profile_picture_url', 'biography'];

const createAccountReader = (deps: AdapterDeps): Pick<Provider, 'readAccount'> => ({
  async readAccount({ accessToken }, call): Promise<Account> {
    const where = 'PROVIDER_C own account';
    const request = { where, path: '/me', full: { fields: FIELDS }, least: LEAST_FIELDS, accessToken };
    const answer = await readFields(deps, request, false, call);
    const me = readAnswer(MeAnswer, answer.json, answer);
    if (me.account_type === 'PERSONAL') throw createFailure('AccountUnusable', where, { status: answer.status });
    const providerAccountId = me.user_id ?? me.id;
    return {
      providerAccountId,
      // Meta's callbacks most likely use the app-scoped id.
      aliasIds: me.id === providerAccountId ? [] : [me.id],
      ...(answer.isPlain && { isPartial: true }),
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

/** Instagram: the Instagram API with Instagram Login. */
export const createProviderC = (deps: AdapterDeps): Provider => ({
  name: 'PROVIDER_C',
  ...createProviderCOAuth(deps),
  ...createAccountReader(deps),
  ...createProviderCContent(deps),
});

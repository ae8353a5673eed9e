import { EMULATIONS } from './emulations.ts';
import type { Post, SandboxAccount } from './model.ts';

export const listProfileUrls = (account: SandboxAccount): readonly string[] =>
  EMULATIONS[account.platform].listProfileUrls(account);

export const buildPostUrl = (account: SandboxAccount, post: Post): string =>
  EMULATIONS[account.platform].buildPostUrl(account, post);

import type { Post, SandboxAccount } from '../model.ts';

/** The API's `profile_deep_link`. */
export const buildProfileLink = (accountId: string): string => `https://vm.tiktok.com/ZS${accountId.slice(-7)}/`;

/** Where an account is on the real platform: the URLs that the platform's API and our adapters give. */
export const listProfileUrls = ({ id, handle }: SandboxAccount): readonly string[] => [
  buildProfileLink(id),
  `https://www.tiktok.com/@${handle}`,
];

/** Where a post is on the real platform, in the form people copy from there. */
export const buildPostUrl = ({ handle }: SandboxAccount, { id, kind }: Post): string =>
  `https://www.tiktok.com/@${handle}/${kind === 'video' ? 'video' : 'photo'}/${id}`;

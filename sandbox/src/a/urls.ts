import type { Post, SandboxAccount } from '../model.ts';

/** Where an account is on the real platform: the URLs that the platform's API and our adapters give. */
export const listProfileUrls = ({ id, handle }: SandboxAccount): readonly string[] => [
  `https://www.youtube.com/channel/${id}`,
  `https://www.youtube.com/@${handle}`,
];

/** Where a post is on the real platform, in the form people copy from there. */
export const buildPostUrl = (_account: SandboxAccount, { id }: Post): string => `https://www.youtube.com/watch?v=${id}`;

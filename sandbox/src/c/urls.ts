import type { Post, SandboxAccount } from '../model.ts';

/** Where an account is on the real platform: the URLs that the platform's API and our adapters give. */
export const listProfileUrls = ({ handle }: SandboxAccount): readonly string[] => [
  `https://www.instagram.com/${handle}/`,
];

/** Where a post is on the real platform, in the form people copy from there. */
export const buildPostUrl = (_account: SandboxAccount, { kind, code }: Post): string =>
  `https://www.instagram.com/${kind === 'video' ? 'reel' : 'p'}/${code}/`;

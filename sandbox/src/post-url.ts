import type { Post, SandboxAccount } from './model.ts';

/** Where an account is on the real platform: the URLs that the platform's API and our adapters give. */
export function listProfileUrls({ platform, id, handle }: SandboxAccount): readonly string[] {
  switch (platform) {
    case 'PROVIDER_A':
      return [`https://www.youtube.com/channel/${id}`, `https://www.youtube.com/@${handle}`];
    case 'PROVIDER_B':
      return [buildProfileLink(id), `https://www.tiktok.com/@${handle}`];
    case 'PROVIDER_C':
      return [`https://www.instagram.com/${handle}/`];
  }
}

/** PROVIDER_B's `profile_deep_link`. */
export const buildProfileLink = (accountId: string): string => `https://vm.tiktok.com/ZS${accountId.slice(-7)}/`;

/** Where a post is on the real platform, in the form people copy from there. */
export function buildPostUrl(account: SandboxAccount, post: Post): string {
  switch (account.platform) {
    case 'PROVIDER_A':
      return `https://www.youtube.com/watch?v=${post.id}`;
    case 'PROVIDER_B':
      return `https://www.tiktok.com/@${account.handle}/${post.kind === 'video' ? 'video' : 'photo'}/${post.id}`;
    case 'PROVIDER_C':
      return `https://www.instagram.com/${post.kind === 'video' ? 'reel' : 'p'}/${post.code}/`;
  }
}

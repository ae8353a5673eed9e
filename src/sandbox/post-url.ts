import type { Post, SandboxAccount } from './model.ts';

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

import type { Connection, ContentItem } from 'social-account-connection-client';
import type { Config } from './config.ts';

/** In development, the accounts and posts of a sandbox do not exist at the platform itself; see `VISIT_URL`. */
function toVisit({ visitUrl }: Config, url: string | null): string | null {
  return visitUrl === undefined || url === null ? url : `${visitUrl}?${new URLSearchParams({ url })}`;
}

/** The account with a link that a person can open. */
export const toVisitable = (config: Config, account: Connection): Connection =>
  account.profile === null
    ? account
    : { ...account, profile: { ...account.profile, profileUrl: toVisit(config, account.profile.profileUrl) } };

/** The post with a link that a person can open. */
export const toVisitablePost = (config: Config, post: ContentItem): ContentItem => ({
  ...post,
  canonicalUrl: toVisit(config, post.canonicalUrl),
});

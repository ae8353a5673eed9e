import { type DetailKind, mapDetails } from '../basics/post-details.ts';
import { createFailure } from './answers.ts';
import type { ProviderConfig } from './platforms.ts';
import type { Access, Account, Content, Provider, Tokens } from './provider.ts';
import { cutText, LONGEST, toWebUrl } from './text.ts';

const MOST_PERMISSIONS = 100;

/**
 * Wraps a provider so that its answers are safe to store and show. It cuts long texts, drops URLs that are not https,
 * removes duplicate posts from a page, and refuses posts of another account. Characters, numbers and dates are validated earlier, when an answer is read.
 * A sandbox on plain http, which production refuses, may return http URLs.
 */
export function boundAnswers(provider: Provider, config: ProviderConfig): Provider {
  const isSandbox = config[`${provider.name}_API_URL`].startsWith('http:');
  const url = (text: string | null) => toWebUrl(text, isSandbox ? ['https:', 'http:'] : ['https:']);

  const account = ({ profile, ...ids }: Account): Account => ({
    ...ids,
    profile: {
      displayName: cutText(profile.displayName, LONGEST.name),
      handle: cutText(profile.handle, LONGEST.name),
      avatarUrl: url(profile.avatarUrl),
      profileUrl: url(profile.profileUrl),
      description: cutText(profile.description, LONGEST.text),
    },
  });
  const bounded: Readonly<Record<DetailKind, (text: string | null) => string | null>> = {
    TEXT: (text) => cutText(text, LONGEST.text),
    PICTURE: url,
  };
  const content = (item: Content): Content => ({
    ...item,
    canonicalUrl: url(item.canonicalUrl),
    ...mapDetails((name, kind) => bounded[kind](item[name])),
  });
  /** The service stores nothing of an answer that belongs to another account than the requested one. */
  const requireOwn = ({ providerAccountId, isAlias }: Access, items: readonly Content[]): void => {
    const isOwn = ({ ownerId }: Content) =>
      ownerId === undefined || ownerId === providerAccountId || (ownerId !== null && isAlias?.(ownerId) === true);
    if (!items.every(isOwn)) throw createFailure('AccountMismatch', `${provider.name} posts`);
  };
  const contents = (items: readonly Content[]): Content[] => {
    const byId = new Map<string, Content>();
    for (const item of items) if (!byId.has(item.providerContentId)) byId.set(item.providerContentId, content(item));
    return [...byId.values()];
  };

  return {
    ...provider,
    exchangeCode: async (...args) => {
      const { tokens, principal } = await provider.exchangeCode(...args);
      return { tokens: boundedTokens(tokens), principal };
    },
    refresh: async (...args) => boundedTokens(await provider.refresh(...args)),
    adoptTokens: async (...args) => {
      const adopted = await provider.adoptTokens(...args);
      return adopted.client === 'OTHERS' ? adopted : { ...adopted, tokens: boundedTokens(adopted.tokens) };
    },
    readAccount: async (...args) => account(await provider.readAccount(...args)),
    listContent: async (access, ...args) => {
      const listing = await provider.listContent(access, ...args);
      requireOwn(access, listing.items);
      return { ...listing, items: contents(listing.items) };
    },
    readContent: async (access, ...args) => {
      const items = await provider.readContent(access, ...args);
      requireOwn(access, items);
      return contents(items);
    },
    lookUp: async (access, ...args) => {
      const step = await provider.lookUp(access, ...args);
      if (step.kind !== 'found') return step;
      requireOwn(access, [step.content]);
      return { ...step, content: content(step.content) };
    },
  };
}

const boundedTokens = (tokens: Tokens): Tokens => ({
  ...tokens,
  permissions: [...new Set(tokens.permissions)].filter(({ length }) => length <= LONGEST.id).slice(0, MOST_PERMISSIONS),
});

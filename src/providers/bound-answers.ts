import type { ProviderConfig } from './platforms.ts';
import type { Account, Content, Provider, Tokens } from './provider.ts';
import { cutText, LONGEST, toWebUrl } from './text.ts';

const MOST_PERMISSIONS = 100;

/**
 * Wraps a provider so that its answers are safe to store and show. It cuts long texts, drops URLs that are not https,
 * and removes duplicate posts from a page. Characters, numbers and dates are validated earlier, when an answer is read.
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
  const content = (item: Content): Content => ({
    ...item,
    canonicalUrl: url(item.canonicalUrl),
    thumbnailUrl: url(item.thumbnailUrl),
    title: cutText(item.title, LONGEST.text),
    description: cutText(item.description, LONGEST.text),
  });
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
    listContent: async (...args) => {
      const listing = await provider.listContent(...args);
      return { ...listing, items: contents(listing.items) };
    },
    readContent: async (...args) => contents(await provider.readContent(...args)),
    lookUp: async (...args) => {
      const step = await provider.lookUp(...args);
      return step.kind === 'found' ? { ...step, content: content(step.content) } : step;
    },
  };
}

const boundedTokens = (tokens: Tokens): Tokens => ({
  ...tokens,
  permissions: [...new Set(tokens.permissions)].filter(({ length }) => length <= LONGEST.id).slice(0, MOST_PERMISSIONS),
});

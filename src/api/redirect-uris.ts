import type { ProviderFacts } from '../providers/facts.ts';

/** Where a provider sends browsers back to; registered there, and compared to the letter. */
export const connectRedirectUri = (connectUrl: string, { slug }: Pick<ProviderFacts, 'slug'>): string =>
  `${connectUrl}/api/connect/callback/${slug}`;

/** The same of an OpenID issuer. */
export const identityRedirectUri = (connectUrl: string, issuerId: string): string =>
  `${connectUrl}/api/identity/callback/${issuerId}`;

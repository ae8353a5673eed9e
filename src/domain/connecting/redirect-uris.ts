import type { ProviderFacts } from '../../providers/facts.ts';

/** Where a provider sends browsers back to; registered there, and compared to the letter. */
export const buildConnectRedirectUri = (connectUrl: string, { slug }: Pick<ProviderFacts, 'slug'>): string =>
  `${connectUrl}/api/connect/callback/${slug}`;

/** The same of an OpenID issuer. */
export const buildIdentityRedirectUri = (connectUrl: string, issuerId: string): string =>
  `${connectUrl}/api/identity/callback/${issuerId}`;

/** Where a platform itself calls us about the connections of one registration. */
export const buildPlatformCallbackUrl = (
  connectUrl: string,
  { slug }: Pick<ProviderFacts, 'slug'>,
  registrationId: string,
  path: string,
): string => `${connectUrl}/api/platform/${slug}/${registrationId}/${path}`;

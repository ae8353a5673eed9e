import type { ProviderFacts } from '../../providers/facts.ts';

/** The URL that a provider sends browsers back to. It is registered there and must match exactly. */
export const buildConnectRedirectUri = (connectUrl: string, { slug }: Pick<ProviderFacts, 'slug'>): string =>
  `${connectUrl}/api/connect/callback/${slug}`;

/** The URL that an OpenID issuer sends browsers back to. */
export const buildIdentityRedirectUri = (connectUrl: string, issuerId: string): string =>
  `${connectUrl}/api/identity/callback/${issuerId}`;

/** Where a platform itself calls us about the connections of one registration. */
export const buildPlatformCallbackUrl = (
  connectUrl: string,
  { slug }: Pick<ProviderFacts, 'slug'>,
  registrationId: string,
  path: string,
): string => `${connectUrl}/api/platform/${slug}/${registrationId}/${path}`;

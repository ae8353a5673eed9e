import type { ProviderFacts } from '../../providers/facts.ts';

/** The URL that a provider sends browsers back to. It is registered there and must match exactly. */
export const buildConnectRedirectUri = (connectUrl: string, { slug }: Pick<ProviderFacts, 'slug'>): string =>
  `${connectUrl}/api/connect/callback/${slug}`;

/** The URL that an OpenID issuer sends browsers back to. */
export const buildIdentityRedirectUri = (connectUrl: string, issuerId: string): string =>
  `${connectUrl}/api/identity/callback/${issuerId}`;

export const LOGO_PATH = '/api/connect/logo';

/** The URL of a logo on our pages. @param sha256 of its bytes, in hexadecimal */
export const buildLogoUrl = (connectUrl: string, sha256: string): string => `${connectUrl}${LOGO_PATH}/${sha256}`;

/** The URL at which a platform calls us about the connections of one registration. */
export const buildPlatformCallbackUrl = (
  connectUrl: string,
  { slug }: Pick<ProviderFacts, 'slug'>,
  registrationId: string,
  path: string,
): string => `${connectUrl}/api/platform/${slug}/${registrationId}/${path}`;

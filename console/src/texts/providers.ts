import { PROVIDER_NAMES, type ProviderName } from '../../../src/basics/codes.ts';
import type { SocialProvider } from '../generated/operations.ts';

/** The providers, for filters and forms. */
export const PROVIDERS: readonly SocialProvider[] = PROVIDER_NAMES;

/** The platform's own name for the id of our client. A list of its own: other platforms name it as OAuth does. */
const CLIENT_IDS: Readonly<Partial<Record<ProviderName, string>>> = {
  PROVIDER_B: 'Client key',
  PROVIDER_C: 'Instagram app ID',
};

export const getClientIdName = (provider: ProviderName): string => CLIENT_IDS[provider] ?? 'Client id';

import { PLATFORM_NAMES, type ProviderName } from './codes.ts';

/** The platform's name, with the name that the API and the logs use: `YouTube (PROVIDER_A)`. */
export const formatProvider = (provider: ProviderName): string => `${PLATFORM_NAMES[provider]} (${provider})`;

/** The platforms whose wire formats the providers speak, by the names that people know. */
const PLATFORMS = {
  PROVIDER_A: 'YouTube',
  PROVIDER_B: 'TikTok',
  PROVIDER_C: 'Instagram',
} as const;

/** The platform's name, with the name that the API and the logs use: `YouTube (PROVIDER_A)`. */
export const formatProvider = (provider: keyof typeof PLATFORMS): string => `${PLATFORMS[provider]} (${provider})`;

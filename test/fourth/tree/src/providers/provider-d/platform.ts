import type { z } from 'zod';
import { baseUrl } from '../../basics/base-url.ts';
import type { DepsWith } from '../deps.ts';
import type { ProviderFacts } from '../facts.ts';
import type { Provider } from '../provider.ts';
import { providerB } from '../provider-b/platform.ts';

const settings = {
  PROVIDER_D_AUTHORIZE_URL: baseUrl.default('https://login.mosaic.example'),
  PROVIDER_D_API_URL: baseUrl.default('https://api.mosaic.example'),
};
type Config = z.output<z.ZodObject<typeof settings>>;

const speakAsB = (config: Config) => ({
  PROVIDER_B_AUTHORIZE_URL: config.PROVIDER_D_AUTHORIZE_URL,
  PROVIDER_B_API_URL: config.PROVIDER_D_API_URL,
  PROVIDER_B_PKCE: 'base64url' as const,
  PROVIDER_B_EVENT_MAX_AGE_SECONDS: 3_600,
});

/** PROVIDER_D speaks Mosaic: a platform that does not exist, with the words of PROVIDER_B. */
export const providerD = {
  settings,
  callsPerSecond: 15,
  createFacts: (config: Config): ProviderFacts => ({
    ...providerB.createFacts(speakAsB(config)),
    name: 'PROVIDER_D',
    slug: 'provider-d',
  }),
  createAdapter: ({ config, ...deps }: DepsWith<Config>): Provider => ({
    ...providerB.createAdapter({ ...deps, config: speakAsB(config) }),
    name: 'PROVIDER_D',
  }),
  checklist: providerB.checklist,
};

import type { ProviderConfig } from '../config.ts';
import type { ProviderFacts } from './facts.ts';
import type { ProviderName } from './provider.ts';
import { providerAFacts } from './provider-a/facts.ts';
import { providerBFacts } from './provider-b/facts.ts';
import { providerCFacts } from './provider-c/facts.ts';

/** Every platform there is. Pure: nothing here can make a request. */
export const createCatalog = (config: ProviderConfig): Readonly<Record<ProviderName, ProviderFacts>> => ({
  PROVIDER_A: providerAFacts(config),
  PROVIDER_B: providerBFacts(config),
  PROVIDER_C: providerCFacts(config),
});

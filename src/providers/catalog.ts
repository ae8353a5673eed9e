import type { Catalog } from './facts.ts';
import { providerAFacts } from './provider-a/facts.ts';
import { providerBFacts } from './provider-b/facts.ts';
import { providerCFacts } from './provider-c/facts.ts';
import type { ProviderConfig } from './settings.ts';

/** Lists the facts of every supported platform. Pure: nothing here makes a request. */
export const createCatalog = (config: ProviderConfig): Catalog => ({
  PROVIDER_A: providerAFacts(config),
  PROVIDER_B: providerBFacts(config),
  PROVIDER_C: providerCFacts(config),
});

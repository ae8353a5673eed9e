import type { ProviderConfig } from '../config.ts';
import { counted } from './counted.ts';
import type { Http } from './http.ts';
import type { Provider, ProviderName } from './provider.ts';
import { createProviderA } from './provider-a/provider-a.ts';
import { createProviderB } from './provider-b/provider-b.ts';
import { createProviderC } from './provider-c/provider-c.ts';

/** One adapter per platform. `now` decides when tokens lapse and how long a delay given as an instant is. */
export function createProviders(
  config: ProviderConfig,
  http: Http,
  now: () => Date = () => new Date(),
): Readonly<Record<ProviderName, Provider>> {
  const deps = { config, http, now };
  return {
    PROVIDER_A: counted(createProviderA(deps)),
    PROVIDER_B: counted(createProviderB(deps)),
    PROVIDER_C: counted(createProviderC(deps)),
  };
}

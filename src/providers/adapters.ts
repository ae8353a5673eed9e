import type { ProviderConfig } from '../config.ts';
import { boundAnswers } from './bound-answers.ts';
import { countCalls } from './count-calls.ts';
import type { Http } from './http.ts';
import type { Provider, ProviderName } from './provider.ts';
import { createProviderA } from './provider-a/provider-a.ts';
import { createProviderB } from './provider-b/provider-b.ts';
import { createProviderC } from './provider-c/provider-c.ts';

/** Creates one adapter for each platform. Adapters compute token expiry and retry delays from `now`. */
export function createAdapters(
  config: ProviderConfig,
  http: Http,
  now: () => Date = () => new Date(),
): Readonly<Record<ProviderName, Provider>> {
  const deps = { config, http, now };
  const finished = (provider: Provider) => countCalls(boundAnswers(provider, config));
  return {
    PROVIDER_A: finished(createProviderA(deps)),
    PROVIDER_B: finished(createProviderB(deps)),
    PROVIDER_C: finished(createProviderC(deps)),
  };
}

import type { Http } from './http.ts';
import type { ProviderError } from './provider.ts';
import type { ProviderConfig } from './settings.ts';

/** The dependencies of every adapter. */
export interface AdapterDeps {
  readonly http: Http;
  readonly config: ProviderConfig;
  readonly now: () => Date;
  /** Reports a failure that the adapter gets over by itself. */
  readonly report: (failure: ProviderError) => void;
}

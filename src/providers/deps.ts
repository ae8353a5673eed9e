import type { Http } from './http.ts';
import type { ProviderError } from './provider.ts';

/** The dependencies of every adapter. */
export interface DepsWith<Config> {
  readonly http: Http;
  readonly config: Config;
  readonly now: () => Date;
  /** Reports a failure that the adapter gets over by itself. */
  readonly report: (failure: ProviderError) => void;
}

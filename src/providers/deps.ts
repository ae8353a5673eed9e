import type { Http } from './http.ts';
import type { ProviderError } from './provider.ts';

/** The dependencies of every adapter. */
export interface DepsWith<Config> {
  readonly http: Http;
  readonly config: Config;
  readonly now: () => Date;
  /** Reports a failure from which the adapter recovers. */
  readonly report: (failure: ProviderError) => void;
}

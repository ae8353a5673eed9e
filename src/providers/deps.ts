import type { ProviderConfig } from '../config.ts';
import type { Http } from './http.ts';

/** What every adapter is given. */
export interface AdapterDeps {
  readonly http: Http;
  readonly config: ProviderConfig;
  readonly now: () => Date;
}

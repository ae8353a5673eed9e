import type { ProviderConfig } from '../config.ts';
import type { Http } from './http.ts';

/** The dependencies of every adapter. */
export interface AdapterDeps {
  readonly http: Http;
  readonly config: ProviderConfig;
  readonly now: () => Date;
}

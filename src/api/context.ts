import type { CorrelationId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { App } from '../store/apps.ts';
import type { ApiDeps } from './deps.ts';

/** What a resolver is given when nobody had to say who they are. */
export interface PublicContext {
  readonly correlationId: CorrelationId;
  /** Says the correlation id in every line. */
  readonly log: Log;
}

/** What every other resolver is given: the calling app, authenticated once for the request. */
export interface Context extends PublicContext, ApiDeps {
  readonly app: App;
}

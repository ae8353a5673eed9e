import type { CorrelationId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { App } from '../store/apps.ts';
import type { ApiDeps } from './deps.ts';

/** The context of a resolver that needs no authentication. */
export interface PublicContext {
  readonly correlationId: CorrelationId;
  /** Adds the correlation id to every line. */
  readonly log: Log;
}

/** The context of every other resolver, with the authenticated app. */
export interface Context extends PublicContext, ApiDeps {
  readonly app: App;
}

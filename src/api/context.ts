import type { CorrelationId } from '../basics/ids.ts';
import type { Log } from '../basics/log.ts';
import type { App } from '../store/apps/apps.ts';
import type { ApiDeps } from './deps.ts';

/**
 * A context that inherits from `base`. A copy of a dozen properties would take a twentieth of the processor time of a read.
 */
export const extendContext = <Base extends object, Own extends object>(
  base: Base,
  own: Own,
): Omit<Base, keyof Own> & Own => Object.assign(Object.create(base), own);

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

import { handingOver } from './broken-off.ts';
import { careActivities, tendActivities } from './care.ts';
import { connectActivities } from './connect.ts';
import type { Deps } from './deps.ts';
import { disconnectAllActivities } from './disconnect-all.ts';
import { eraseActivities } from './erase.ts';
import { guarded, guardedStore } from './failures.ts';
import { heartbeating } from './heartbeat.ts';
import { type IdentityDeps, identityActivities, issuerActivities } from './identity.ts';
import { readActivities } from './read.ts';
import { registrationActivities, rejectedRegistrationActivities } from './registration-calls.ts';
import { releaseActivities } from './release.ts';
import { setbackActivities } from './setbacks.ts';
import { settleAttemptActivities } from './settle-attempt.ts';
import { type SweepDeps, sweepActivities } from './sweep.ts';

const atFarSide: typeof heartbeating = (activity) => heartbeating(handingOver(activity));

/** Activities that call a provider; each provider has a queue of its own for them. */
export const createProviderActivities = (deps: Deps) =>
  guarded(
    deps.log,
    {
      ...connectActivities(deps),
      ...readActivities(deps),
      ...releaseActivities(deps),
      ...tendActivities(deps),
      ...registrationActivities(deps),
    },
    { around: atFarSide },
  );

/** Activities that call an OpenID issuer, on a queue of their own as well. */
export const createIssuerActivities = (deps: Deps & IdentityDeps) =>
  guarded(deps.log, issuerActivities(deps), { around: atFarSide });

/** Activities that touch our own Postgres and Temporal only. */
export const createStoreActivities = (deps: Deps & SweepDeps) =>
  guardedStore(deps.log, {
    ...settleAttemptActivities(deps),
    ...setbackActivities(deps),
    ...eraseActivities(deps),
    ...disconnectAllActivities(deps),
    ...identityActivities(deps),
    ...careActivities(deps),
    ...rejectedRegistrationActivities(deps),
    ...sweepActivities(deps),
  });

export type ProviderActivities = ReturnType<typeof createProviderActivities>;
export type IssuerActivities = ReturnType<typeof createIssuerActivities>;
export type StoreActivities = ReturnType<typeof createStoreActivities>;

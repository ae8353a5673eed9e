import { createConnectActivities } from './connect.ts';
import type { Deps } from './deps.ts';
import { createDisconnectAllActivities } from './disconnect-all.ts';
import { createEraseActivities } from './erase.ts';
import { guardActivities, guardStoreActivities } from './failures.ts';
import { createIdentityActivities, createIssuerActivityGroup, type IdentityDeps } from './identity.ts';
import { handOverOnShutdown, sendHeartbeats } from './provider-activity.ts';
import { createReadActivities } from './read.ts';
import type { SweepDeps } from './reconcile-steps.ts';
import { createFailureActivities } from './record-failure.ts';
import { createRegistrationActivities } from './registration-calls.ts';
import { createRevokeActivities } from './revoke.ts';
import { createSendWebhookActivities, type WebhookDeps } from './send-webhooks.ts';
import { createSettleAttemptActivities } from './settle-attempt.ts';
import { createSweepActivities } from './sweep.ts';
import { createGrantActivities, createSiblingActivities } from './verify-grant.ts';

/** An activity that calls the outside: it begins by reading the time of the database, by which its adapters judge. */
const createWrap =
  ({ clock, sql }: Pick<Deps, 'clock' | 'sql'>) =>
  <Input, Output>(activity: (input: Input) => Promise<Output>) =>
    sendHeartbeats(
      handOverOnShutdown(async (input: Input) => {
        await clock.read(sql);
        return await activity(input);
      }),
    );

/** Activities that call a provider; each provider has a queue of its own for them. */
export const createProviderActivities = (deps: Deps) =>
  guardActivities(
    deps.log,
    {
      ...createConnectActivities(deps),
      ...createReadActivities(deps),
      ...createRevokeActivities(deps),
      ...createGrantActivities(deps),
      ...createRegistrationActivities(deps),
    },
    { around: createWrap(deps) },
  );

/** Activities that call an OpenID issuer, on a queue of their own as well. */
export const createIssuerActivities = (deps: Deps & IdentityDeps) =>
  guardActivities(deps.log, createIssuerActivityGroup(deps), { around: createWrap(deps) });

/** Activities that send to the apps' endpoints, on a queue of their own as well. */
export const createWebhookActivities = (deps: WebhookDeps) =>
  guardActivities(deps.log, createSendWebhookActivities(deps), { around: createWrap(deps) });

/** Activities that use our own Postgres and Temporal only. A sweep's round is long, so it shows that it is alive. */
export const createStoreActivities = (deps: Deps & SweepDeps) => ({
  ...guardStoreActivities(deps.log, {
    ...createSettleAttemptActivities(deps),
    ...createFailureActivities(deps),
    ...createEraseActivities(deps),
    ...createDisconnectAllActivities(deps),
    ...createIdentityActivities(deps),
    ...createSiblingActivities(deps),
  }),
  ...guardStoreActivities(deps.log, createSweepActivities(deps), sendHeartbeats),
});

export type ProviderActivities = ReturnType<typeof createProviderActivities>;
export type IssuerActivities = ReturnType<typeof createIssuerActivities>;
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
export type StoreActivities = ReturnType<typeof createStoreActivities>;

import type { RegistrationId } from '../basics/ids.ts';
import type { PermitOf, Purpose } from '../domain/access/may-call.ts';
import { buildConnectRedirectUri } from '../domain/connecting/redirect-uris.ts';
import { retryJobsOfClient } from '../domain/disconnecting/start-retries.ts';
import { type Call, type Client, type ClientVerdict, ProviderError } from '../providers/provider.ts';
import { boundCause } from '../store/answer-cause.ts';
import { getBusinessTime, inTransaction, type Transaction } from '../store/driver/sql.ts';
import {
  type CallLimits,
  claimProbe,
  deleteRejection,
  findRegistration,
  getCallLimits,
  type Registration,
  recordAcceptance,
  recordProbeAnswer,
  recordRejection,
  updateQuotaSpent,
} from '../store/registrations/registrations.ts';
import { countClientRefusal } from '../telemetry/instruments.ts';
import { associatedData } from '../vault/associated-data.ts';
import { fromCause, toCause } from './answer-cause.ts';
import type { Deps } from './deps.ts';
import { createStepSignal } from './provider-activity.ts';
import type { QueueName } from './provider-queue.ts';
import { type Caller, createRateLimitedCall, ShareSpent } from './provider-rate-limit.ts';

/** The pause if the provider does not reveal when the quota resets. */
const QUOTA_PAUSE_SECONDS = 3_600;
/** The sweep probes a refused client; calls with it retry this often until the provider accepts it. */
const REFUSED_PAUSE_SECONDS = 60;

/** CLIENT calls prove who we are (exchange, refresh, revoke); READ calls use a person's token. */
type CallKind = 'CLIENT' | 'READ';

async function getRegistration({ sql }: Deps, registrationId: RegistrationId): Promise<Registration> {
  const registration = await findRegistration(sql, registrationId);
  if (!registration) throw new Error('A registration in use is missing.');
  return registration;
}

async function openClient({ vault }: Deps, registration: Registration): Promise<Client> {
  const { registrationId, clientId, sealedClientSecret } = registration;
  return {
    clientId,
    clientSecret: await vault.openInbox(sealedClientSecret, associatedData.clientSecret(registrationId)),
  };
}

/**
 * Calls the provider with our client's credentials, and records a refusal of our client.
 * @param options.whenRefused `FAIL` sends nothing while the provider is known to refuse our client. A revoke passes
 *   `CALL_ANYWAY`: it is never held back.
 * @param options.provesClient the provider answers the call only to a client that it accepts, such as an exchange.
 * @param options.queue where the call waits for its slot. Default GRANTS.
 * @throws ProviderError `RetryLater`, with the platform's answer, while the client is refused, and every error of `call`
 */
export async function callAsClient<T, P extends Purpose>(
  deps: Deps,
  caller: Caller<P>,
  options: { signal: AbortSignal; whenRefused: 'FAIL' | 'CALL_ANYWAY'; queue?: QueueName; provesClient?: boolean },
  call: (client: Client, meter: Call<PermitOf<P>>) => Promise<T>,
): Promise<T> {
  const { registrationId } = caller;
  const { signal, whenRefused, queue = 'GRANTS', provesClient = false } = options;
  const [limits, registration] = await Promise.all([
    whenRefused === 'FAIL' ? getCallLimits(deps.sql, registrationId) : undefined,
    getRegistration(deps, registrationId),
  ]);
  if (limits?.clientRefused) {
    const { rejectionAnswer: answer, rejectionAnswerCode: code } = registration;
    throw new ProviderError('RetryLater', 'The provider is known to refuse our client.', {
      retryAfterSeconds: REFUSED_PAUSE_SECONDS,
      ...fromCause({ answer, code }),
    });
  }
  const meter = createRateLimitedCall(deps, caller, queue, signal);
  try {
    const answer = await call(await openClient(deps, registration), meter);
    if (provesClient && !registration.isAccepted) await noteAcceptance(deps, registration);
    return answer;
  } catch (error) {
    await recordRegistrationFault(deps, registrationId, 'CLIENT', error);
    throw error;
  }
}

/** Nothing of the call depends on it: a failure to record it must not lose the answer. */
async function noteAcceptance(deps: Deps, registration: Registration): Promise<void> {
  const { registrationId } = registration;
  const record = async (tx: Transaction) => ({ accepts: await recordAcceptance(tx, registration), relents: false });
  await settleClient(deps, registration, record).catch((error: unknown) =>
    deps.log.warn('Could not record that the provider accepts our client', { registrationId, error }),
  );
}

/**
 * Records that the provider accepts the client, or no longer refuses it. If that is news, it is logged, and wakes the jobs that have
 * waited for it.
 * @param record returns what is news.
 */
async function settleClient(
  { sql, log, outbox }: Deps,
  { registrationId, provider }: Registration,
  record: (tx: Transaction) => Promise<{ accepts: boolean; relents: boolean }>,
): Promise<void> {
  const settled = await inTransaction(sql, async (tx) => {
    const news = await record(tx);
    const since = await getBusinessTime(tx);
    const hasMore = (news.accepts || news.relents) && (await retryJobsOfClient(tx, registrationId, since));
    return { ...news, since, hasMore };
  });
  const { accepts, relents, since } = settled;
  if (accepts) log.info('The provider accepts our client', { registrationId, provider });
  if (relents) log.warn('The provider no longer refuses our client', { registrationId, provider });
  if (accepts || relents) outbox.deliverSoon();
  for (let { hasMore } = settled; hasMore; outbox.deliverSoon()) {
    hasMore = await inTransaction(sql, (tx) => retryJobsOfClient(tx, registrationId, since));
  }
}

/**
 * The meter for calls with a person's token.
 * @param limits if they were just read
 * @throws ProviderError `QuotaSpent` while the registration's quota is known to be used up
 */
export async function openReadMeter(
  deps: Deps,
  caller: Caller,
  queue: QueueName,
  signal: AbortSignal,
  limits?: CallLimits,
): Promise<Call> {
  const { quotaSeconds } = limits ?? (await getCallLimits(deps.sql, caller.registrationId));
  if (quotaSeconds > 0) {
    throw new ProviderError('QuotaSpent', 'The quota is known to be used up.', { retryAfterSeconds: quotaSeconds });
  }
  return createRateLimitedCall(deps, caller, queue, signal);
}

/** Records an error that concerns the whole registration and no grant: a refused client, a used-up quota. */
export async function recordRegistrationFault(
  deps: Deps,
  registrationId: RegistrationId,
  kind: CallKind,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ProviderError)) return;
  if (error.type === 'ClientRejected') await recordClientRejection(deps, registrationId, kind, error);
  if (error.type === 'QuotaSpent' && kind === 'READ' && !(error instanceof ShareSpent)) {
    await updateQuotaSpent(deps.sql, registrationId, error.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS);
  }
}

/**
 * The provider answers that it refuses our client. One person's browser can cause that, so only a request that no person
 * takes part in proves it. A token request proves nothing about reads: a refused read raises an alert, and blocks no call.
 */
async function recordClientRejection(
  deps: Deps,
  registrationId: RegistrationId,
  kind: CallKind,
  error: ProviderError,
): Promise<void> {
  const proof =
    kind === 'READ'
      ? undefined
      : await probeClient(deps, registrationId).catch((error: unknown) => {
          // The caller gets the refusal itself.
          deps.log.warn('Could not ask the provider whether it refuses our client', { registrationId, error });
          return undefined;
        });
  const { provider, rejectedAt } = await getRegistration(deps, registrationId);
  countClientRefusal(provider, proof ?? (rejectedAt === null ? 'NOT_TRIED' : 'REFUSED'));
  // The line of the last probe tells its result, also if it runs at this moment.
  const isTold = proof === 'REFUSED' || (proof === undefined && (kind === 'CLIENT' || rejectedAt !== null));
  if (isTold) return;
  deps.log.warn('The provider reports that it refuses our client; no proof yet', {
    ...{ registrationId, provider },
    ...toFields(boundCause(toCause(error))),
  });
}

const toFields = ({ answer, code }: ReturnType<typeof boundCause>) => ({
  ...(answer !== null && { lastAnswer: answer }),
  ...(code !== null && { answer: { code, text: '' } }),
});

/**
 * Asks the provider whether it accepts our client, at most once a minute, and records the answer. An unclear answer
 * blocks nothing.
 * @returns undefined when the last probe is less than a minute ago. @throws ProviderError `RetryLater` | `OwnRateLimit`
 */
async function probeClient(
  deps: Deps,
  registrationId: RegistrationId,
  signal?: AbortSignal,
): Promise<ClientVerdict['verdict'] | undefined> {
  const { sql, providers, facts, connectUrl, log } = deps;
  if (!(await claimProbe(sql, registrationId))) return undefined;
  const registration = await getRegistration(deps, registrationId);
  const { provider } = registration;
  const redirectUri = buildConnectRedirectUri(connectUrl, facts[provider]);
  const client = await openClient(deps, registration);
  const caller = { provider, registrationId, appId: null, purpose: { for: 'PROBE' } } as const;
  const meter = createRateLimitedCall(deps, caller, 'GRANTS', signal ?? createStepSignal());
  const proof = await providers[provider].probeClient(client, { redirectUri }, meter);
  if (proof.verdict === 'REFUSED') {
    const cause = boundCause(toCause(proof.refusal));
    if (await recordRejection(sql, registration, cause)) {
      log.error('The provider refuses our client: check its id, secret and set-up', {
        ...{ registrationId, provider },
        ...toFields(cause),
      });
    }
  } else {
    await settleClient(deps, registration, async (tx) => ({
      accepts: proof.verdict === 'TAKEN' && (await recordAcceptance(tx, registration)),
      relents: await deleteRejection(tx, registrationId),
    }));
  }
  await recordProbeAnswer(sql, registrationId);
  return proof.verdict;
}

/** Activities on a registration's own queue. */
export const createRegistrationActivities = (deps: Deps) => ({
  /** Asks the provider whether it accepts the registration's client again. @throws `RetryLater` | `OwnRateLimit` */
  async probeRegistration({ registrationId }: { registrationId: RegistrationId }): Promise<void> {
    await probeClient(deps, registrationId);
  },
});

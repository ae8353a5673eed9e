import type { RegistrationId } from '../ids.ts';
import { quotaZones } from '../providers/facts.ts';
import { type Client, ProviderError } from '../providers/provider.ts';
import { countCall } from '../store/registration-usage.ts';
import {
  type CallKind,
  claimProbe,
  findRegistration,
  forgetRejection,
  getHindrances,
  markQuotaSpent,
  markRejected,
} from '../store/registrations.ts';
import { places } from '../vault/place.ts';
import type { Deps } from './deps.ts';

/** Where the provider does not say when the quota starts again. */
const QUOTA_PAUSE_SECONDS = 3_600;
/** Somebody else is just trying whether the client has been mended. */
const PROBE_PAUSE_SECONDS = 60;

/** Our OAuth client of a registration, its secret opened. */
export async function openClient(deps: Deps, registrationId: RegistrationId): Promise<Client> {
  const registration = await findRegistration(deps.sql, registrationId);
  if (!registration) throw new Error('A registration in use is missing.');
  const clientSecret = await deps.vault.openInbox(registration.sealedClientSecret, places.clientSecret(registrationId));
  return { clientId: registration.clientId, clientSecret };
}

/**
 * A call that proves who we are. While the provider refuses our client there is none, but for one every few minutes.
 * @throws ProviderError `RetryLater` then, and what `call` throws
 */
export async function asClient<T>(
  deps: Deps,
  registrationId: RegistrationId,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  return await unhindered(deps, registrationId, 'CLIENT', async () => call(await openClient(deps, registrationId)));
}

/**
 * A call with a person's token. While the registration's quota is used up there is none: what any job has learnt of
 * that holds for all. While the provider refuses us such calls, there is one every few minutes.
 * @throws ProviderError `QuotaSpent`, `RetryLater` then, and what `call` throws
 */
export async function asReader<T>(deps: Deps, registrationId: RegistrationId, call: () => Promise<T>): Promise<T> {
  return await unhindered(deps, registrationId, 'READ', call);
}

/** A revoke is never held back: only what it shows of our client is noted. */
export async function lettingGo<T>(
  deps: Deps,
  registrationId: RegistrationId,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  return await noting(deps, registrationId, 'CLIENT', async () => call(await openClient(deps, registrationId)));
}

async function unhindered<T>(
  deps: Deps,
  registrationId: RegistrationId,
  kind: CallKind,
  call: () => Promise<T>,
): Promise<T> {
  const { rejectedCall, probeSeconds, quotaSeconds } = await getHindrances(deps.sql, registrationId);
  if (kind === 'READ' && quotaSeconds > 0) {
    throw new ProviderError('QuotaSpent', 'The quota is known to be used up.', { retryAfterSeconds: quotaSeconds });
  }
  const isProbe = rejectedCall === kind;
  if (isProbe && !(probeSeconds === 0 && (await claimProbe(deps.sql, registrationId)))) {
    throw new ProviderError('RetryLater', 'The provider is known to refuse our client.', {
      retryAfterSeconds: Math.max(probeSeconds, PROBE_PAUSE_SECONDS),
    });
  }
  const result = await noting(deps, registrationId, kind, call);
  if (isProbe && (await forgetRejection(deps.sql, registrationId))) {
    deps.log.warn('The provider takes our client again', { registrationId });
  }
  return result;
}

/** Keeps the record of what is no grant's fault: our client, and how much it may ask. */
async function noting<T>(
  deps: Deps,
  registrationId: RegistrationId,
  kind: CallKind,
  call: () => Promise<T>,
): Promise<T> {
  if (kind === 'READ') await countCall(deps.sql, registrationId, quotaZones(deps.facts));
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.type === 'ClientRejected' && (await markRejected(deps.sql, registrationId, kind))) {
      deps.log.error('The provider refuses our client: check its id, secret and set-up', { registrationId });
    }
    if (error.type === 'QuotaSpent' && kind === 'READ') {
      await markQuotaSpent(deps.sql, registrationId, error.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS);
    }
    throw error;
  }
}

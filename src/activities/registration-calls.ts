import { buildConnectRedirectUri } from '../domain/connecting/redirect-uris.ts';
import type { RegistrationId } from '../ids.ts';
import { type Call, type Client, type ClientVerdict, ProviderError } from '../providers/provider.ts';
import {
  claimProbe,
  deleteRejection,
  findRegistration,
  getCallLimits,
  insertRejection,
  listRejectedRegistrations,
  type Registration,
  type RejectedRegistration,
  updateQuotaSpent,
} from '../store/registrations.ts';
import { countClientRefusal } from '../telemetry/instruments.ts';
import { associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { type Caller, createMeteredCall, ShareSpent } from './metering.ts';
import { createStepSignal } from './provider-activity.ts';

/** Where the provider does not say when the quota starts again. */
const QUOTA_PAUSE_SECONDS = 3_600;
/** A refused client is asked about by the sweep; until it is taken, calls come again this often. */
const REFUSED_PAUSE_SECONDS = 60;

/** CLIENT calls prove who we are (exchange, refresh); READ calls use a person's token. */
type CallKind = 'CLIENT' | 'READ';

/** Our OAuth client of a registration, its secret opened. */
async function openClient(deps: Deps, registrationId: RegistrationId): Promise<Client> {
  return await openClientOf(deps, await getRegistration(deps, registrationId));
}

async function getRegistration({ sql }: Deps, registrationId: RegistrationId): Promise<Registration> {
  const registration = await findRegistration(sql, registrationId);
  if (!registration) throw new Error('A registration in use is missing.');
  return registration;
}

async function openClientOf({ vault }: Deps, registration: Registration): Promise<Client> {
  const { registrationId, clientId, sealedClientSecret } = registration;
  return {
    clientId,
    clientSecret: await vault.openInbox(sealedClientSecret, associatedData.clientSecret(registrationId)),
  };
}

/**
 * A call that proves who we are. While it is proven that the provider refuses our client there is none.
 * @throws ProviderError `RetryLater` then, and what `call` throws
 */
export async function asClient<T>(
  deps: Deps,
  caller: Caller,
  signal: AbortSignal,
  use: (client: Client, call: Call) => Promise<T>,
): Promise<T> {
  const { clientRefused } = await getCallLimits(deps.sql, caller.registrationId);
  if (clientRefused) {
    throw new ProviderError('RetryLater', 'The provider is known to refuse our client.', {
      retryAfterSeconds: REFUSED_PAUSE_SECONDS,
    });
  }
  return await lettingGo(deps, caller, signal, use);
}

/**
 * A call with a person's token. While the registration's quota is used up there is none: what any job has learnt of
 * that holds for all.
 * @throws ProviderError `QuotaSpent` then, and what `call` throws
 */
export async function asReader<T>(
  deps: Deps,
  caller: Caller,
  signal: AbortSignal,
  use: (call: Call) => Promise<T>,
): Promise<T> {
  const { registrationId } = caller;
  const { quotaSeconds } = await getCallLimits(deps.sql, registrationId);
  if (quotaSeconds > 0) {
    throw new ProviderError('QuotaSpent', 'The quota is known to be used up.', { retryAfterSeconds: quotaSeconds });
  }
  return await noting(deps, registrationId, 'READ', () => use(createMeteredCall(deps, caller, 'READ', signal)));
}

/** A revoke is never held back: only what it shows of our client is noted. */
export async function lettingGo<T>(
  deps: Deps,
  caller: Caller,
  signal: AbortSignal,
  use: (client: Client, call: Call) => Promise<T>,
): Promise<T> {
  const call = createMeteredCall(deps, caller, 'CLIENT', signal);
  const { registrationId } = caller;
  return await noting(deps, registrationId, 'CLIENT', async () => use(await openClient(deps, registrationId), call));
}

/** Keeps the record of what is no grant's fault: our client, and how much it may ask. */
async function noting<T>(
  deps: Deps,
  registrationId: RegistrationId,
  kind: CallKind,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.type === 'ClientRejected') await noteClientRejected(deps, registrationId, kind);
    if (error.type === 'QuotaSpent' && kind === 'READ' && !(error instanceof ShareSpent)) {
      await updateQuotaSpent(deps.sql, registrationId, error.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS);
    }
    throw error;
  }
}

/**
 * The provider says that it refuses our client. What one person has done can bring that about, so it is believed only of
 * a request that nobody else has a part in. A token request proves nothing of reading: that alerts, and holds nobody back.
 */
async function noteClientRejected(deps: Deps, registrationId: RegistrationId, kind: CallKind): Promise<void> {
  const { provider } = await getRegistration(deps, registrationId);
  const proof =
    kind === 'READ'
      ? undefined
      : await probeClient(deps, registrationId).catch((error: unknown) => {
          // The refusal itself is what the caller is told.
          deps.log.warn('The provider was not asked whether it refuses our client', { registrationId, error });
          return undefined;
        });
  countClientRefusal(provider, proof ?? 'NOT_TRIED');
  if (proof !== 'REFUSED') deps.log.warn('The provider says that it refuses our client, unproven', { registrationId });
}

/**
 * Asks the provider whether it takes our client, at most once a minute, and writes down what it says. Where its answer
 * does not tell, nobody is held back.
 * @returns undefined when it has been asked within the last minute. @throws ProviderError `RetryLater`
 */
async function probeClient(deps: Deps, registrationId: RegistrationId): Promise<ClientVerdict | undefined> {
  const { sql, providers, facts, connectUrl, log } = deps;
  if (!(await claimProbe(sql, registrationId))) return undefined;
  const registration = await getRegistration(deps, registrationId);
  const redirectUri = buildConnectRedirectUri(connectUrl, facts[registration.provider]);
  const client = await openClientOf(deps, registration);
  const caller = { provider: registration.provider, registrationId, scopeId: null };
  const call = createMeteredCall(deps, caller, 'CLIENT', createStepSignal());
  const verdict = await providers[registration.provider].probeClient(client, { redirectUri }, call);
  if (verdict === 'REFUSED') {
    const isNews = await insertRejection(sql, registration);
    if (isNews) log.error('The provider refuses our client: check its id, secret and set-up', { registrationId });
  } else if (await deleteRejection(sql, registrationId)) {
    log.warn('The provider does not refuse our client any more', { registrationId });
  }
  return verdict;
}

/** Asking about our client for its own sake. */
export const createRegistrationActivities = (deps: Deps) => ({
  /** Whether the provider takes the client of a registration again. @throws `RetryLater` */
  async probeRegistration({ registrationId }: { registrationId: RegistrationId }): Promise<void> {
    await probeClient(deps, registrationId);
  },
});

/** Who is to be asked about. */
export const createRejectedRegistrationActivities = ({ sql }: Deps) => ({
  /** The registrations whose client is refused. */
  async listRejectedRegistrations(): Promise<readonly RejectedRegistration[]> {
    return await listRejectedRegistrations(sql);
  },
});

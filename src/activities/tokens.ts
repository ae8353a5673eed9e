import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { AppId, GrantId } from '../ids.ts';
import { type Call, ProviderError, type Tokens } from '../providers/provider.ts';
import { Secret } from '../secret.ts';
import { claimRefresh, findGrant, type Grant, moveGrantToDead, unclaimRefresh, updateTokens } from '../store/grants.ts';
import { inTransaction } from '../store/sql.ts';
import { type AssociatedData, associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { callAsClient, openReadMeter, recordRegistrationFault } from './registration-calls.ts';

/** How long a call waits for another call's refresh of the same grant before it retries later. */
const OTHERS_REFRESH_MS = 5_000;
/** After this time a lost refresh may be retried once; see `claimRefresh`. */
const LOST_CLAIM_SECONDS = 95;

/** Five tries within about three seconds. */
const STORE_TRIES = 5;
const STORE_PAUSE_MS = 200;

const Sealed = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });

export const sealTokens = (deps: Deps, tokens: Tokens, bound: AssociatedData): Promise<string> =>
  deps.vault.sealGrant(
    JSON.stringify({ accessToken: tokens.accessToken.reveal(), refreshToken: tokens.refreshToken?.reveal() ?? null }),
    bound,
  );

export async function openTokens(
  deps: Deps,
  sealed: string,
  bound: AssociatedData,
  grant: Pick<Grant, 'accessExpiresAt' | 'refreshExpiresAt' | 'permissions'>,
): Promise<Tokens> {
  const opened = Sealed.parse(JSON.parse((await deps.vault.openGrant(sealed, bound)).reveal()));
  return {
    accessToken: new Secret(opened.accessToken),
    refreshToken: opened.refreshToken === null ? null : new Secret(opened.refreshToken),
    accessExpiresAt: grant.accessExpiresAt,
    refreshExpiresAt: grant.refreshExpiresAt,
    permissions: grant.permissions,
  };
}

type UsableGrant = Grant & { sealedTokens: string };

const getUsableGrant = async (deps: Deps, grantId: GrantId): Promise<UsableGrant> =>
  requireTokens(await findGrant(deps.sql, grantId));

/** @throws ProviderError `GrantDead` */
function requireTokens(grant: Grant | undefined): UsableGrant {
  if (!grant || grant.status === 'DEAD' || grant.sealedTokens === null) {
    throw new ProviderError('GrantDead', 'The grant has ended.');
  }
  return { ...grant, sealedTokens: grant.sealedTokens };
}

/**
 * Calls the provider with a fresh access token of the grant. Refreshes a token that is about to expire first, and a token
 * that the provider calls stale once. Marks the grant dead when the provider says so, and records a used-up quota.
 * @param found the grant, if it was just read, or its id
 * @param options.appId the app that reads, if it is known
 * @param options.forRefresh whether the call belongs to an automatic refresh
 * @throws ProviderError `QuotaSpent` while the quota is known to be used up, `GrantDead`, and every error of `call`
 */
export async function callWithFreshToken<T>(
  deps: Deps,
  found: GrantId | Grant,
  signal: AbortSignal,
  call: (tokens: Tokens, meter: Call) => Promise<T>,
  { appId, forRefresh = false }: { appId?: AppId; forRefresh?: boolean } = {},
): Promise<T> {
  const grant = typeof found === 'string' ? await getUsableGrant(deps, found) : requireTokens(found);
  const { grantId } = grant;
  const meter = await openReadMeter(deps, { ...grant, ...(appId && { appId }), forRefresh }, signal);
  // A refresh records its own faults, as those of our client.
  const read = async (tokens: Tokens) => {
    try {
      return await call(tokens, meter);
    } catch (error) {
      await recordRegistrationFault(deps, grant.registrationId, 'READ', error);
      throw error;
    }
  };
  const tokens = grant.expiring ? await refreshTokens(deps, grant, signal) : await openTokensOf(deps, grant);
  try {
    return await read(tokens);
  } catch (error) {
    const inDoubt = grant.refreshLost && !grant.expiring;
    if (isProviderError(error, 'GrantDead')) await markGrantDead(deps, grantId, { inDoubt });
    if (!isProviderError(error, 'TokenStale')) throw error;
  }
  const current = await getUsableGrant(deps, grantId);
  // Another call may have refreshed the grant in the meantime: then use its tokens.
  const isUnchanged = current.generation === grant.generation + (grant.expiring ? 1 : 0);
  const fresh = isUnchanged ? await refreshTokens(deps, current, signal) : await openTokensOf(deps, current);
  try {
    return await read(fresh);
  } catch (error) {
    if (!isProviderError(error, 'GrantDead') && !isProviderError(error, 'TokenStale')) throw error;
    await markGrantDead(deps, grantId, { inDoubt: false });
    throw new ProviderError('GrantDead', 'The provider refused a fresh access token.');
  }
}

const isProviderError = (error: unknown, type: ProviderError['type']): boolean =>
  error instanceof ProviderError && error.type === type;

const openTokensOf = (deps: Deps, grant: UsableGrant) =>
  openTokens(deps, grant.sealedTokens, associatedData.tokens(grant.grantId), grant);

/** @param options.inDoubt after a refresh with a lost response: a refusal of the old tokens is no proof that the grant has ended. */
const markGrantDead = (deps: Deps, grantId: GrantId, options: { inDoubt: boolean }) =>
  inTransaction(deps.sql, (tx) => moveGrantToDead(tx, grantId, options));

/**
 * Replaces a grant's tokens. Exactly one call in all workers sends the refresh; the others wait for its tokens. The claim
 * is in the row before the call, so a crash in between leaves a mark and a rotating token is never used twice.
 */
export async function refreshTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  const claim = randomUUID();
  if (!(await claimRefresh(deps.sql, seen.grantId, seen.generation, claim)))
    return await waitForOthersTokens(deps, seen, signal);
  return await refreshClaimed(deps, seen, claim, signal);
}

/** Refreshes under a claim that the caller holds, and releases the claim. @param seen the grant before that claim */
export async function refreshClaimed(
  deps: Deps,
  seen: Pick<Grant, 'grantId' | 'refreshLost'>,
  claim: string,
  signal: AbortSignal,
): Promise<Tokens> {
  const { sql, providers } = deps;
  const { grantId, refreshLost: inDoubt } = seen;
  const grant = await getUsableGrant(deps, grantId);
  const old = await openTokensOf(deps, grant);
  let fresh: Tokens;
  try {
    fresh = await callAsClient(deps, grant, { signal, whenRefused: 'FAIL' }, (client, meter) =>
      providers[grant.provider].refresh(client, old, meter),
    );
  } catch (error) {
    if (isProviderError(error, 'GrantDead')) await markGrantDead(deps, grantId, { inDoubt });
    else if (error instanceof ProviderError && error.outcomeUnknown) {
      // The old token may be spent. The claim stays until the answer is certainly lost, so that no call uses the token.
      throw createAnswerLostError();
    } else await unclaimRefresh(sql, grantId, claim, { inDoubt });
    throw error;
  }
  const sealedTokens = await sealTokens(deps, fresh, associatedData.tokens(grantId));
  await storeWithRetries(signal, () => updateTokens(sql, grantId, claim, { ...fresh, sealedTokens }));
  return fresh;
}

export const createAnswerLostError = () =>
  new ProviderError('RetryLater', 'The answer to a refresh was lost.', {
    retryAfterSeconds: LOST_CLAIM_SECONDS,
    outcomeUnknown: true,
  });

export const createRefreshUnderWayError = () =>
  new ProviderError('RetryLater', 'Another call is refreshing this grant.', { retryAfterSeconds: 5 });

/**
 * Stores a value that a provider issues only once. A short database outage must not cost the grant. While the worker
 * shuts down there is no time left to wait.
 */
export async function storeWithRetries(signal: AbortSignal, store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (tries === STORE_TRIES) throw error;
      await delay(STORE_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined); // Only the signal rejects it.
    }
  }
}

async function waitForOthersTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  const until = Date.now() + OTHERS_REFRESH_MS;
  do {
    const grant = await getUsableGrant(deps, seen.grantId);
    if (grant.generation > seen.generation) return await openTokensOf(deps, grant);
    await delay(100, undefined, { signal });
  } while (Date.now() < until);
  throw new ProviderError('RetryLater', 'Another call is refreshing this grant.', { retryAfterSeconds: 10 });
}

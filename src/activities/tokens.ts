import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { GrantId } from '../ids.ts';
import { type Call, ProviderError, type Tokens } from '../providers/provider.ts';
import { Secret } from '../secret.ts';
import { claimRefresh, findGrant, type Grant, moveGrantToDead, unclaimRefresh, updateTokens } from '../store/grants.ts';
import { inTransaction } from '../store/sql.ts';
import { type AssociatedData, associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { asClient, asReader } from './registration-calls.ts';

/** How long one waits for another's refresh of the same grant before trying again later. */
const OTHERS_REFRESH_MS = 5_000;
/** After this a lost refresh may be tried once more; see `claimRefresh`. */
const LOST_CLAIM_SECONDS = 95;

/** Five tries within some three seconds. */
const STORE_TRIES = 5;
const STORE_PAUSE_MS = 200;

const Sealed = z.object({ accessToken: z.string(), refreshToken: z.string().nullable() });

export const sealTokens = (deps: Deps, tokens: Tokens, bound: AssociatedData): Promise<string> =>
  deps.vault.sealGrant(
    JSON.stringify({ accessToken: tokens.accessToken.reveal(), refreshToken: tokens.refreshToken?.reveal() ?? null }),
    bound,
  );

/** The tokens of a grant, opened from where they lie. */
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

async function getUsableGrant(deps: Deps, grantId: GrantId): Promise<Grant & { sealedTokens: string }> {
  const grant = await findGrant(deps.sql, grantId);
  if (!grant || grant.status === 'DEAD' || grant.sealedTokens === null) {
    throw new ProviderError('GrantDead', 'The grant has ended.');
  }
  return { ...grant, sealedTokens: grant.sealedTokens };
}

/**
 * Uses a grant: with a token that is good for the call, refreshed first when it is about to lapse, and once more when
 * the provider calls it stale. Learns of a dead grant, and says so in the rows, in the same breath.
 */
export async function withTokens<T>(
  deps: Deps,
  grantId: GrantId,
  signal: AbortSignal,
  use: (tokens: Tokens, call: Call) => Promise<T>,
): Promise<T> {
  const grant = await getUsableGrant(deps, grantId);
  return await asReader(deps, grant, signal, (call) => useGrant(deps, grant, signal, (tokens) => use(tokens, call)));
}

async function useGrant<T>(
  deps: Deps,
  grant: Grant & { sealedTokens: string },
  signal: AbortSignal,
  use: (tokens: Tokens) => Promise<T>,
): Promise<T> {
  const { grantId } = grant;
  const tokens = grant.lapsing
    ? await refreshTokens(deps, grant, signal)
    : await openTokens(deps, grant.sealedTokens, associatedData.tokens(grantId), grant);
  try {
    return await use(tokens);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.type === 'GrantDead') await bury(deps, grantId);
    if (error.type !== 'TokenStale') throw error;
    const current = await getUsableGrant(deps, grantId);
    // Someone else may have refreshed meanwhile: then theirs is the one to try.
    const fresh =
      current.generation !== grant.generation + (grant.lapsing ? 1 : 0)
        ? await openTokens(deps, current.sealedTokens, associatedData.tokens(grantId), current)
        : await refreshTokens(deps, current, signal);
    return await useFresh(deps, grantId, () => use(fresh));
  }
}

const bury = (deps: Deps, grantId: GrantId) => inTransaction(deps.sql, (tx) => moveGrantToDead(tx, grantId));

/** A token called stale right after its refresh means the grant is gone. */
async function useFresh<T>(deps: Deps, grantId: GrantId, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof ProviderError) || (error.type !== 'TokenStale' && error.type !== 'GrantDead')) throw error;
    await bury(deps, grantId);
    throw new ProviderError('GrantDead', 'A fresh access token was refused.');
  }
}

/**
 * Replaces a grant's tokens: exactly one caller in all workers does, the others take what it got. The claim is in the
 * row before the call, so a crash in between leaves a mark instead of a second use of a rotating token.
 */
export async function refreshTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  const claim = randomUUID();
  if (!(await claimRefresh(deps.sql, seen.grantId, seen.generation, claim)))
    return await othersTokens(deps, seen, signal);
  return await refreshClaimed(deps, seen.grantId, claim, signal);
}

/** Refreshes under a claim already held, and gives the claim back. */
export async function refreshClaimed(
  deps: Deps,
  grantId: GrantId,
  claim: string,
  signal: AbortSignal,
): Promise<Tokens> {
  const { sql, providers } = deps;
  const grant = await getUsableGrant(deps, grantId);
  const bound = associatedData.tokens(grantId);
  const old = await openTokens(deps, grant.sealedTokens, bound, grant);
  let fresh: Tokens;
  try {
    fresh = await asClient(deps, grant, signal, (client, call) => providers[grant.provider].refresh(client, old, call));
  } catch (error) {
    if (error instanceof ProviderError && error.type === 'GrantDead') await bury(deps, grantId);
    else if (error instanceof ProviderError && error.outcomeUnknown) {
      // The old token may be spent. The claim stays, so that nobody uses it before the answer is surely lost.
      throw createAnswerLostError();
    } else await unclaimRefresh(sql, grantId, claim);
    throw error;
  }
  const sealedTokens = await sealTokens(deps, fresh, bound);
  await storeWithRetries(signal, () => updateTokens(sql, grantId, claim, { ...fresh, sealedTokens }));
  return fresh;
}

export const createAnswerLostError = () =>
  new ProviderError('RetryLater', 'The answer to a refresh was lost.', {
    retryAfterSeconds: LOST_CLAIM_SECONDS,
    outcomeUnknown: true,
  });

export const createRefreshUnderWayError = () =>
  new ProviderError('RetryLater', 'A refresh of this grant is under way.', { retryAfterSeconds: 5 });

/**
 * Stores what a provider gives out once: it exists nowhere else, and a database that is away for a moment must not
 * cost the grant. With the worker itself going down there is no time left to wait.
 */
export async function storeWithRetries(signal: AbortSignal, store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (tries === STORE_TRIES) throw error;
      await delay(STORE_PAUSE_MS * 2 ** (tries - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}

async function othersTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  const until = Date.now() + OTHERS_REFRESH_MS;
  do {
    const grant = await getUsableGrant(deps, seen.grantId);
    if (grant.generation > seen.generation) {
      return await openTokens(deps, grant.sealedTokens, associatedData.tokens(grant.grantId), grant);
    }
    await delay(100, undefined, { signal });
  } while (Date.now() < until);
  throw new ProviderError('RetryLater', 'Another refresh of this grant is under way.', { retryAfterSeconds: 10 });
}

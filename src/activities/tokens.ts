import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { GrantId } from '../basics/ids.ts';
import type { Purpose } from '../domain/access/may-call.ts';
import { type Call, ProviderError, type Tokens } from '../providers/provider.ts';
import { recordProof } from '../store/connections/proofs.ts';
import { forgetRefusal } from '../store/connections/refusals.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { moveGrantToDead } from '../store/grants/grant-end.ts';
import type { Grant } from '../store/grants/grants.ts';
import { claimRefresh, unclaimRefresh } from '../store/grants/refresh-claims.ts';
import type { CallLimits } from '../store/registrations/registrations.ts';
import { toCause } from './answer-cause.ts';
import { confirmGrantEnd } from './confirm-refusals.ts';
import type { Deps } from './deps.ts';
import {
  getUsableGrant,
  openTokensOf,
  requestRefresh,
  requireTokens,
  storeTokens,
  type UsableGrant,
} from './grant-tokens.ts';
import { requireTimeForRefresh } from './provider-activity.ts';
import type { QueueName } from './provider-queue.ts';
import { openReadMeter, recordRegistrationFault } from './registration-calls.ts';

/** How long a call waits for another call's refresh of the same grant before it retries later. */
const OTHERS_REFRESH_MS = 5_000;
/** After this time a lost refresh may be retried once; see `claimRefresh`. */
const LOST_CLAIM_SECONDS = 95;

/** One generation of a grant's tokens. */
interface TokenSet {
  readonly tokens: Tokens;
  readonly generation: number;
  /** Whether the platform may have replaced them by tokens that were lost. Then their refusal does not prove that the grant has ended. */
  readonly inDoubt: boolean;
}

/**
 * Calls the provider with a fresh access token of the grant. Refreshes a token that is about to expire first, and a token
 * that the provider calls stale once. Marks the grant dead if the provider confirms it, and records a used-up quota.
 * @param found the grant, if it was just read, or its id
 * @param options.purpose the row that asks for the call; a refresh before it only keeps the grant alive
 * @param options.forRefresh whether the call belongs to an automatic refresh
 * @param options.limits on calls for the grant's registration, if they were just read
 * @param options.queue where the call waits for its slot. Default READS. A refresh of the token always waits with the GRANTS.
 * @throws ProviderError `QuotaSpent` while the quota is known to be used up, `GrantDead`, and every error of `call`
 */
export async function callWithFreshToken<T>(
  deps: Deps,
  found: GrantId | Grant,
  signal: AbortSignal,
  call: (tokens: Tokens, meter: Call) => Promise<T>,
  {
    purpose,
    forRefresh = false,
    queue = 'READS',
    limits,
  }: { purpose: Purpose; forRefresh?: boolean; queue?: QueueName; limits?: CallLimits | undefined },
): Promise<T> {
  const grant = typeof found === 'string' ? await getUsableGrant(deps, found) : requireTokens(found);
  const meter = await openReadMeter(deps, { ...grant, forRefresh, purpose }, queue, signal, limits);
  const read = ({ tokens }: TokenSet) => readRecorded(deps, grant, () => call(tokens, meter));
  const end = ({ inDoubt }: TokenSet, isFinal: boolean, answer: unknown) =>
    endGrant(deps, grant, { inDoubt, by: 'READ', isFinal, answer }, signal);

  const first = grant.expiring ? await refreshSet(deps, grant, signal) : await openSet(deps, grant);
  try {
    return await read(first);
  } catch (error) {
    if (isProviderError(error, 'GrantDead')) await end(first, true, error);
    if (!isProviderError(error, 'TokenStale')) throw error;
  }
  const second = await replaceSet(deps, grant.grantId, first, signal);
  try {
    return await read(second);
  } catch (error) {
    const isDead = isProviderError(error, 'GrantDead');
    if (!isDead && !isProviderError(error, 'TokenStale')) throw error;
    await end(second, isDead, error);
    throw new ProviderError('GrantDead', 'The provider refused a fresh access token.');
  }
}

/** Records the evidence of a read about our client and about an earlier refusal. A refresh records its own faults. */
async function readRecorded<T>(deps: Deps, grant: Grant, read: () => Promise<T>): Promise<T> {
  try {
    const answer = await read();
    if (grant.refusedAt !== null) await forgetRefusal(deps.sql, grant.grantId);
    if (grant.needsProof) await recordProof(deps.sql, grant.grantId);
    return answer;
  } catch (error) {
    await recordRegistrationFault(deps, grant.registrationId, 'READ', error);
    throw error;
  }
}

const openSet = async (deps: Deps, grant: UsableGrant): Promise<TokenSet> => ({
  tokens: await openTokensOf(deps, grant),
  generation: grant.generation,
  inDoubt: grant.refreshLost,
});

const refreshSet = async (deps: Deps, grant: Grant, signal: AbortSignal): Promise<TokenSet> => ({
  tokens: await refreshTokens(deps, grant, signal),
  generation: grant.generation + 1,
  inDoubt: false,
});

/** The tokens after those that the provider calls stale: another call's, if it has refreshed the grant in the meantime. */
async function replaceSet(deps: Deps, grantId: GrantId, stale: TokenSet, signal: AbortSignal): Promise<TokenSet> {
  const grant = await getUsableGrant(deps, grantId);
  return grant.generation === stale.generation ? await refreshSet(deps, grant, signal) : await openSet(deps, grant);
}

const isProviderError = (error: unknown, type: ProviderError['type']): boolean =>
  error instanceof ProviderError && error.type === type;

/**
 * Ends a grant that the provider refuses.
 * @param refusal.inDoubt whether the refused tokens were in doubt
 * @param refusal.by the kind of call that was refused
 * @param refusal.isFinal whether the provider used its documented words for it
 * @param refusal.answer the error of the refused call
 * @throws ProviderError `RetryLater`, with that answer, while the refusal may be a fault of the provider
 */
async function endGrant(
  deps: Deps,
  grant: Grant,
  { answer, ...refusal }: { inDoubt: boolean; by: 'READ' | 'REFRESH'; isFinal: boolean; answer: unknown },
  signal: AbortSignal,
): Promise<void> {
  await confirmGrantEnd(deps, grant, refusal, signal).catch((doubt: unknown) => {
    throw doubt instanceof ProviderError ? doubt.withAnswer(answer) : doubt;
  });
  const cause = answer instanceof ProviderError ? toCause(answer) : { answer: null, code: null };
  const end = { inDoubt: refusal.inDoubt, refusal: { by: refusal.by, ...cause } };
  await inTransaction(deps.sql, (tx) => moveGrantToDead(tx, grant.grantId, end));
}

/**
 * Replaces a grant's tokens. Exactly one call in all workers sends the refresh; the others wait for its tokens. The claim
 * is in the row before the call, so a crash in between leaves a trace, and a rotating token is never used twice.
 */
export async function refreshTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  requireTimeForRefresh();
  const claim = randomUUID();
  if (!(await claimRefresh(deps.sql, seen.grantId, seen.generation, claim)))
    return await waitForOthersTokens(deps, seen, signal);
  return await refreshClaimed(deps, seen, claim, { signal, purpose: { for: 'REFRESH', grantId: seen.grantId } });
}

/** Refreshes under a claim that the caller holds, and releases the claim. @param seen the grant before that claim */
export async function refreshClaimed(
  deps: Deps,
  seen: Pick<Grant, 'grantId' | 'refreshLost'>,
  claim: string,
  { signal, purpose }: { signal: AbortSignal; purpose: Purpose },
): Promise<Tokens> {
  const { grantId, refreshLost: inDoubt } = seen;
  const grant = await getUsableGrant(deps, grantId);
  const old = await openTokensOf(deps, grant);
  const unclaim = () => unclaimRefresh(deps.sql, grantId, claim, { inDoubt });
  let fresh: Tokens;
  try {
    fresh = await requestRefresh(deps, grant, old, { signal, purpose });
  } catch (error) {
    if (isProviderError(error, 'GrantDead')) {
      await endGrant(deps, grant, { inDoubt, by: 'REFRESH', isFinal: true, answer: error }, signal).catch(
        async (doubt: unknown) => {
          await unclaim();
          throw doubt;
        },
      );
    } else if (error instanceof ProviderError && error.outcomeUnknown) {
      // The old token may be spent. The claim stays until the answer is certainly lost, so that no call uses the token.
      throw createAnswerLostError();
    } else {
      await unclaim();
    }
    throw error;
  }
  await storeTokens(deps, { grantId, claim, fresh }, signal);
  if (grant.refusedAt !== null) await forgetRefusal(deps.sql, grantId);
  return fresh;
}

export const createAnswerLostError = () =>
  new ProviderError('RetryLater', 'The answer to a refresh was lost.', {
    retryAfterSeconds: LOST_CLAIM_SECONDS,
    outcomeUnknown: true,
  });

export const createRefreshUnderWayError = () =>
  new ProviderError('RetryLater', 'Another call is refreshing this grant.', { retryAfterSeconds: 5, isOurs: true });

async function waitForOthersTokens(deps: Deps, seen: Grant, signal: AbortSignal): Promise<Tokens> {
  const until = performance.now() + OTHERS_REFRESH_MS;
  do {
    const grant = await getUsableGrant(deps, seen.grantId);
    if (grant.generation > seen.generation) return await openTokensOf(deps, grant);
    await delay(100, undefined, { signal });
  } while (performance.now() < until);
  // The refresh may have ended with its worker: then its claim can be taken over soon.
  throw new ProviderError('RetryLater', 'Another call is refreshing this grant.', {
    retryAfterSeconds: 10,
    isOurs: true,
  });
}

import { ApplicationFailure } from '@temporalio/common';
import type { Capability } from '../basics/codes.ts';
import { isTokenRefused, ruleOf } from '../basics/failures.ts';
import type { RegistrationId } from '../basics/ids.ts';
import { ProviderError } from '../providers/provider.ts';
import {
  countDowngrade,
  findExplanation,
  isPlatformBelieved,
  isRefusalCounted,
  noteRefusal,
} from '../store/connections/refusals.ts';
import { getBusinessTime } from '../store/driver/sql.ts';
import type { Grant } from '../store/grants/grants.ts';
import type { Deps } from './deps.ts';
import { getUsableGrant, openTokensOf } from './grant-tokens.ts';
import { openReadMeter } from './registration-calls.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One call, shorter than the claim of a refresh, which the caller may hold. */
const PROOF_MS = 15_000;
/** The pause between two tries of a call whose refusal is in doubt. */
const DOUBT_PAUSE_SECONDS = 15 * 60;

/** After this time the same call is tried once more. Until then, an outage has usually reached enough other grants to be held. */
const REPEAT_SECONDS = 10;
/** If a platform refuses its own new tokens for this long, we believe the refusal. */
const LONGEST_DOUBT_SECONDS = 2 * 24 * 60 * 60;

const createDoubt = (retryAfterSeconds = DOUBT_PAUSE_SECONDS, { isUnconfirmed = false } = {}) =>
  new ProviderError('RetryLater', "The platform's refusal is in doubt.", { retryAfterSeconds, isUnconfirmed });

/**
 * Handles a platform's refusal of a grant. We believe it if the platform repeats it ten seconds later or has reported it, if the grant
 * cannot read its own account either, and if it refuses few grants of the registration: otherwise it is out of order (D-760, D-840).
 * @param refusal.isFinal whether the platform used its documented words for it. Otherwise it refused a token that it had just issued.
 * @param refusal.inDoubt whether a lost answer may have spent the refused token: then it is not sent again
 * @throws ProviderError `RetryLater` while the end is in doubt
 */
export async function confirmGrantEnd(
  deps: Deps,
  grant: Grant,
  { by, isFinal, inDoubt = false }: { by: 'READ' | 'REFRESH'; isFinal: boolean; inDoubt?: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (grant.status !== 'LIVE') return; // It is being revoked, or was never used.
  const explanation = await findExplanation(deps.sql, grant.connectionId);
  if (explanation === 'OUR_REVOKE') return;
  const refreshes = by === 'REFRESH' && (await hasRefreshToken(deps, grant));
  const failure = refreshes ? 'REFUSED' : await findFailure(deps, grant, 'READ', null, signal);
  if (failure === undefined) throw createDoubt(); // A grant that reads its account lives.
  const { seconds, isNew } = await noteRefusal(deps.sql, grant);
  if (isNew) await countDowngradeOf(deps, grant);
  if (failure !== 'REFUSED' && !isTokenRefused(failure.type)) throw createDoubt();
  if (!isFinal && seconds < LONGEST_DOUBT_SECONDS) throw createDoubt();
  const left = Math.ceil(REPEAT_SECONDS - seconds);
  if (left > 0 && explanation !== 'REPORTED' && !inDoubt) throw createDoubt(left, { isUnconfirmed: true });
  if (!(await isRefusalCounted(deps.sql, grant.grantId))) await confirmDowngrade(deps, grant);
}

/**
 * Handles a platform's refusal of a capability. We believe it while the account itself works in another way.
 * @throws ProviderError `RetryLater` while the refusal is in doubt
 */
export async function confirmWithdrawal(
  deps: Deps,
  grant: Grant,
  {
    way,
    others,
    providerAccountId,
  }: { way: 'READ' | 'POSTS'; others: readonly Capability[]; providerAccountId: string },
  signal: AbortSignal,
): Promise<void> {
  const other = way === 'POSTS' ? 'READ' : 'POSTS';
  const hasOther = way === 'POSTS' || others.includes('CONTENT_LIST');
  if (hasOther && (await findFailure(deps, grant, other, providerAccountId, signal)) !== undefined) throw createDoubt();
  await confirmDowngrade(deps, grant);
}

/**
 * Handles the answer that a platform can no longer serve an account. We believe it if the account gets the same answer again.
 * @throws ProviderError `RetryLater` while the answer is in doubt
 */
export async function confirmUnusable(deps: Deps, grant: Grant, signal: AbortSignal): Promise<void> {
  const failure = await findFailure(deps, grant, 'READ', null, signal);
  if (ruleOf(failure?.type).grant.withdraws !== 'ACCOUNT') throw createDoubt();
  await confirmDowngrade(deps, grant);
}

/**
 * Handles an answer that would downgrade a connection. Allows it unless too many connections of the registration have
 * been downgraded within the last hour.
 * @throws ProviderError `RetryLater` while the answer is in doubt
 */
async function confirmDowngrade(deps: Deps, grant: Grant): Promise<void> {
  if (await isPlatformBelieved(deps.sql, grant.registrationId)) return;
  if (!(await countDowngradeOf(deps, grant))) throw createDoubt();
}

/** Counts a downgrade, and reports the first too many. @returns whether it is allowed */
async function countDowngradeOf({ sql, log }: Deps, { registrationId }: Grant): Promise<boolean> {
  const counted = await countDowngrade(sql, registrationId);
  if (counted === 'NOW_HELD') reportHold(log, registrationId);
  return counted === 'ALLOWED';
}

const reportHold = (log: Deps['log'], registrationId: RegistrationId) =>
  log.error('The platform refuses unusually many accounts: their connections stay as they are', { registrationId });

async function hasRefreshToken(deps: Deps, { grantId }: Grant): Promise<boolean> {
  const { refreshToken } = await openTokensOf(deps, await getUsableGrant(deps, grantId));
  return refreshToken !== null;
}

/**
 * Calls the provider once more with a grant. Nothing happens to the grant if that fails.
 * @returns why the call failed; undefined if it works
 */
async function findFailure(
  deps: Deps,
  { grantId }: Grant,
  way: 'READ' | 'POSTS',
  providerAccountId: string | null,
  stopping: AbortSignal,
): Promise<ProviderError | ApplicationFailure | undefined> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(PROOF_MS)]);
  try {
    const grant = await getUsableGrant(deps, grantId);
    if (grant.connectionId === null) return new ProviderError('GrantDead', 'The grant has no connection.');
    const { accessToken, permissions } = await openTokensOf(deps, grant);
    const purpose = { for: 'ACCOUNT', connectionId: grant.connectionId } as const;
    const meter = await openReadMeter(deps, { ...grant, purpose }, 'GRANTS', signal);
    const provider = deps.providers[grant.provider];
    if (way === 'READ') await provider.readAccount({ accessToken, permissions }, meter);
    else {
      const now = await getBusinessTime(deps.sql);
      const window = { publishedAfter: new Date(now.getTime() - DAY_MS), publishedBefore: now };
      const access = { accessToken, permissions, providerAccountId: providerAccountId ?? '' };
      await provider.listContent(access, { window, cursor: null, limit: 1, withMetrics: false }, meter);
    }
    return undefined;
  } catch (error) {
    // This includes a connection whose app may no longer read it.
    if (error instanceof ProviderError || error instanceof ApplicationFailure) return error;
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Capability } from '../basics/codes.ts';
import type { GrantId, RegistrationId } from '../basics/ids.ts';
import { ProviderError, type Tokens } from '../providers/provider.ts';
import {
  areDowngradesHeld,
  claimDowngradeCheck,
  countDowngrade,
  hasFewConnections,
  holdDowngrades,
  isPlatformBelieved,
  isSuspended,
  listNeighbours,
  type Neighbour,
  noteRefusal,
  releaseDowngrades,
} from '../store/connections/downgrades.ts';
import { getBusinessTime } from '../store/driver/sql.ts';
import type { Grant } from '../store/grants/grants.ts';
import { claimRefresh, unclaimRefresh } from '../store/grants/refresh-claims.ts';
import type { Deps } from './deps.ts';
import { getUsableGrant, openTokensOf, requestRefresh, storeTokens, type UsableGrant } from './grant-tokens.ts';
import { isClientAccepted, openReadMeter } from './registration-calls.ts';

/** How the platform refused: as an answer to a read of the account, of its posts, or to a refresh. */
type Way = 'READ' | 'POSTS' | 'REFRESH';
const DAY_MS = 24 * 60 * 60 * 1000;

/** One account that works is the proof; the others are for the case that the first has ended, too. */
const NEIGHBOURS = 3;
/** One call each, shorter than the claim of a refresh, which the caller may hold. */
const NEIGHBOUR_MS = 15_000;
/** A platform that refuses an account for this long means it. */
const LONGEST_DOUBT_SECONDS = 2 * 24 * 60 * 60;
/** Between two tries of a call whose refusal is in doubt. */
const DOUBT_PAUSE_SECONDS = 15 * 60;

const createDoubt = () =>
  new ProviderError('RetryLater', "The platform's refusal is in doubt: it needs a second proof.", {
    retryAfterSeconds: DOUBT_PAUSE_SECONDS,
  });

/**
 * A platform refuses a grant. That is believed only if the grant cannot read its own account either, and while another account
 * of the registration works in the same way: a platform that refuses everybody is out of order. If there is no other account,
 * the platform must have said itself that the grant has ended.
 * @param refusal.isFinal whether the platform said so, in its documented words. Otherwise it refused a token that it had just issued.
 * @throws ProviderError `RetryLater` while the end is in doubt
 */
export async function confirmGrantEnd(
  deps: Deps,
  grant: Grant,
  { by, isFinal }: { by: 'READ' | 'REFRESH'; isFinal: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (grant.status !== 'LIVE') return; // It is being revoked, or was never used.
  if (await isSuspended(deps.sql, grant.connectionId)) return; // Our own revoke explains the refusal.
  const refreshes = by === 'REFRESH' && (await hasRefreshToken(deps, grant));
  const own = refreshes ? 'REFUSED' : await tryOwnAccount(deps, grant, signal);
  if (own === 'WELL') throw createDoubt();
  const seconds = await noteRefusal(deps.sql, grant.grantId);
  const isBelieved = await isPlatformBelieved(deps.sql, grant.registrationId);
  if (seconds >= LONGEST_DOUBT_SECONDS && !isBelieved) return await confirmLongRefusal(deps, grant);
  if (own === 'UNKNOWN') throw createDoubt();
  const proveAlone = async () =>
    isFinal && (!refreshes || (await isClientAccepted(deps, grant.registrationId, signal)));
  await confirmDowngrade(deps, grant, by, signal, proveAlone);
}

/** A platform that refuses an account for days means it, unless it refuses more than a few. */
async function confirmLongRefusal(deps: Deps, { registrationId }: Grant): Promise<void> {
  const counted = await countDowngrade(deps.sql, registrationId);
  if (counted === 'ALLOWED' || (await hasFewConnections(deps.sql, registrationId))) return;
  if (counted === 'NOW_HELD') reportHold(deps, registrationId);
  throw createDoubt();
}

/**
 * A platform refuses a capability. That is believed while another account of the registration works in the same way or, if
 * there is none, while the account itself works in another way.
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
  const account = { grantId: grant.grantId, providerAccountId };
  await confirmDowngrade(
    deps,
    grant,
    way,
    signal,
    async () => !hasOther || (await works(deps, account, other, signal)),
  );
}

/**
 * A platform reports that it cannot serve an account any more. That is believed while another account of the registration works or, if
 * there is none, if the account itself gets the same answer again.
 * @throws ProviderError `RetryLater` while the answer is in doubt
 */
export async function confirmUnusable(deps: Deps, grant: Grant, signal: AbortSignal): Promise<void> {
  const own = { grantId: grant.grantId, providerAccountId: null };
  await confirmDowngrade(deps, grant, 'READ', signal, async () => {
    const failure = await findFailure(deps, own, 'READ', signal);
    return failure?.type === 'AccountUnusable';
  });
}

/**
 * A platform's answer would change a connection for the worse. Allows it if another account of the registration works, and
 * not too many of its connections have changed so within the last hour.
 * @param way the kind of call that has to work for another account
 * @param proveAlone the proof if there is no other account
 * @throws ProviderError `RetryLater` while the answer is in doubt
 */
async function confirmDowngrade(
  deps: Deps,
  grant: Grant,
  way: Way,
  signal: AbortSignal,
  proveAlone: () => Promise<boolean>,
): Promise<void> {
  const { registrationId } = grant;
  if (await isPlatformBelieved(deps.sql, registrationId)) return;
  if (!(await goesOn(deps, grant, signal))) throw createDoubt();
  const health = await askNeighbours(deps, grant, { way, enough: 1 }, signal);
  if (health === 'ALONE' && !(await proveAlone())) throw createDoubt();
  if (health === 'ALONE' || health === 'WELL') {
    const counted = await countDowngrade(deps.sql, registrationId);
    if (counted === 'ALLOWED') return;
    if (counted === 'NOW_HELD') reportHold(deps, registrationId);
  } else if (await holdDowngrades(deps.sql, registrationId)) reportHold(deps, registrationId);
  throw createDoubt();
}

const reportHold = ({ log }: Deps, registrationId: RegistrationId) =>
  log.error('The platform refuses unusually many accounts: their connections stay as they are', { registrationId });

/** Whether the registration may change connections for the worse now. If not, asks from time to time whether all is well. */
async function goesOn(deps: Deps, grant: Grant, signal: AbortSignal): Promise<boolean> {
  const { sql, log } = deps;
  const { registrationId } = grant;
  if (!(await areDowngradesHeld(sql, registrationId))) return true;
  if (!(await claimDowngradeCheck(sql, registrationId))) return false;
  const health = await askNeighbours(deps, grant, { way: 'READ', enough: NEIGHBOURS }, signal);
  if (health !== 'WELL') return false;
  await releaseDowngrades(sql, registrationId);
  log.warn('The accounts of a registration work again', { registrationId });
  return true;
}

/** @returns `ALONE` if the registration has no other account */
async function askNeighbours(
  deps: Deps,
  grant: Grant,
  { way, enough }: { way: Way; enough: number },
  signal: AbortSignal,
): Promise<'WELL' | 'SICK' | 'ALONE'> {
  const neighbours = await listNeighbours(deps.sql, grant, { limit: NEIGHBOURS, withPosts: way === 'POSTS' });
  if (neighbours.length === 0) return 'ALONE';
  let well = 0;
  for (const neighbour of neighbours) {
    if (await works(deps, neighbour, way, signal)) well += 1;
    if (well >= Math.min(enough, neighbours.length)) return 'WELL';
  }
  return 'SICK';
}

/** Calls the provider with a grant. Nothing happens to the grant if that fails, whatever the answer. */
async function works(deps: Deps, neighbour: Neighbour, way: Way, signal: AbortSignal): Promise<boolean> {
  return (await findFailure(deps, neighbour, way, signal)) === undefined;
}

async function hasRefreshToken(deps: Deps, { grantId }: Grant): Promise<boolean> {
  const { refreshToken } = await openTokensOf(deps, await getUsableGrant(deps, grantId));
  return refreshToken !== null;
}

/** Reads the account of a refused grant with it. A grant that reads its account lives. */
async function tryOwnAccount(deps: Deps, grant: Grant, signal: AbortSignal): Promise<'WELL' | 'REFUSED' | 'UNKNOWN'> {
  const failure = await findFailure(deps, { grantId: grant.grantId, providerAccountId: null }, 'READ', signal);
  if (failure === undefined) return 'WELL';
  return failure.type === 'GrantDead' || failure.type === 'TokenStale' ? 'REFUSED' : 'UNKNOWN';
}

/** @returns why the call failed; undefined if it works */
async function findFailure(
  deps: Deps,
  { grantId, providerAccountId }: { grantId: GrantId; providerAccountId: string | null },
  way: Way,
  stopping: AbortSignal,
): Promise<ProviderError | ApplicationFailure | undefined> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(NEIGHBOUR_MS)]);
  try {
    const grant = await getUsableGrant(deps, grantId);
    const tokens = await openTokensOf(deps, grant);
    // A grant without a refresh token refreshes its access token, and then only once a day.
    const refreshes = tokens.refreshToken !== null && (way === 'REFRESH' || grant.expiring);
    const fresh = refreshes ? await refresh(deps, grant, tokens, signal) : tokens;
    if (way === 'REFRESH' && refreshes) return undefined;
    if (grant.connectionId === null) return new ProviderError('GrantDead', 'The grant has no connection.');
    const purpose = { for: 'ACCOUNT', connectionId: grant.connectionId } as const;
    const meter = await openReadMeter(deps, { ...grant, purpose }, 'GRANTS', signal);
    const provider = deps.providers[grant.provider];
    const { accessToken, permissions } = fresh;
    if (way !== 'POSTS') await provider.readAccount({ accessToken, permissions }, meter);
    else {
      const now = await getBusinessTime(deps.sql);
      const window = { publishedAfter: new Date(now.getTime() - DAY_MS), publishedBefore: now };
      const access = { accessToken, permissions, providerAccountId: providerAccountId ?? '' };
      await provider.listContent(access, { window, cursor: null, limit: 1, withMetrics: false }, meter);
    }
    return undefined;
  } catch (error) {
    // Also one whose app may no longer read it.
    if (error instanceof ProviderError || error instanceof ApplicationFailure) return error;
    throw error;
  }
}

async function refresh(deps: Deps, grant: UsableGrant, old: Tokens, signal: AbortSignal): Promise<Tokens> {
  const { grantId, refreshLost: inDoubt } = grant;
  const claim = randomUUID();
  if (!(await claimRefresh(deps.sql, grantId, grant.generation, claim)))
    throw new ProviderError('RetryLater', 'Another call is refreshing this grant.');
  let fresh: Tokens;
  try {
    fresh = await requestRefresh(deps, grant, old, { signal, purpose: { for: 'REFRESH', grantId } });
  } catch (error) {
    // After a lost answer the claim stays: the old token may be spent.
    const isLost = error instanceof ProviderError && error.outcomeUnknown && error.type !== 'GrantDead';
    if (!isLost) await unclaimRefresh(deps.sql, grantId, claim, { inDoubt });
    throw error;
  }
  await storeTokens(deps, { grantId, claim, fresh }, signal);
  return fresh;
}
